import { type Response } from 'express';
import { type RunEvent } from '../../../platform/database';
import { type RunState } from '../../ingestion';

/** How soon a client that lost the connection comes back. */
const reconnectMs = 3_000;
/** Proxies give up connections on which nothing moves, most after a minute. */
const heartbeatMs = 15_000;

/** Why a stream ended, as its last event says. */
export type EndReason = 'finished' | 'credential-ended' | 'run-gone' | 'stopping' | 'unavailable';

/** Whose stream it is and of what. */
export interface StreamSubject {
  teamId: string;
  runId: string;
  /** Number of the last event that the client has; 0 for none. */
  after: number;
  /** Goes on when the run is done or failed: it may be analysed again. */
  follow: boolean;
  /** Throws a problem when the client may not read the run any more. */
  recheck(): Promise<void>;
}

export const isFinal = (state: RunState) => state === 'done' || state === 'failed';

/** One answer of kind text/event-stream. Knows nothing of where events come from. */
export class EventStream {
  /** When the client was last known to be allowed to read. */
  checkedAtMs = Date.now();
  private position: number;
  private lastType: string | undefined;
  private wroteAtMs = Date.now();

  constructor(
    readonly subject: StreamSubject,
    private readonly response: Response,
  ) {
    this.position = subject.after;
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Proxies must neither keep, nor compress, nor hold back what they pass on.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    this.write(`retry: ${reconnectMs}\n\n`);
  }

  /** Number of the last event that was sent. */
  get after(): number {
    return this.position;
  }

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /** The client does not read as fast as events come; the server cuts connections on which nothing moves. */
  get isBlocked(): boolean {
    return this.response.writableNeedDrain;
  }

  /** Sends the events of this run that the client has not got yet; the others are ignored. In order of their numbers. */
  send(events: readonly RunEvent[]): void {
    for (const { seq, runId, type, data, createdAt } of events) {
      if (runId !== this.subject.runId || seq <= this.position) continue;
      this.position = seq;
      if (type.startsWith('run.')) this.lastType = type;
      const body = { type, runId, at: createdAt.toISOString(), ...(data as object) };
      this.write(`id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(body)}\n\n`);
    }
  }

  /** Shows proxies and the client that the connection lives, when nothing else did for a while. */
  beat(nowMs: number): void {
    if (!this.isBlocked && nowMs - this.wroteAtMs >= heartbeatMs) this.write(': alive\n\n');
  }

  /** The last event has no number, so that a client that comes back goes on where it was. */
  end(reason: EndReason): void {
    if (!this.isOpen) return;
    this.response.end(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
  }

  /** Ends a stream whose client has everything, when the run has come to its end and the client does not follow it. */
  endIfOver(): void {
    const isOver = this.lastType === 'run.done' || this.lastType === 'run.failed';
    if (isOver && !this.subject.follow) this.end('finished');
  }

  onClose(listener: () => void): void {
    this.response.once('close', listener);
  }

  private write(text: string): void {
    if (!this.isOpen) return;
    this.response.write(text);
    this.wroteAtMs = Date.now();
  }
}
