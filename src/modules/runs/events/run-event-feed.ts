import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { type Config, InjectConfig } from '../../../platform/config';
import { ProblemError } from '../../../platform/errors';
import { Metrics } from '../../../platform/telemetry';
import { AnswerSlots } from '../answer-slots';
import { EventStream, isFinal, type StreamSubject } from './event-stream';
import { RunEventsRepository } from './run-events.repository';

const pollMs = 1_000;
/** Of one run, at a time; a stream with more gets the others with the next polls. */
export const eventsPerPoll = 500;
/** How often it is asked whether a client may still read: ended credentials are noticed within a minute. */
const recheckMs = 30_000;
/** Longer than that nobody reads on unchecked, not even while the database is away. */
const uncheckedMostMs = 60_000;

/**
 * Feeds every event stream of the process: one query a second for all of them, none while there are none. A stream holds
 * no connection to the database. See docs/adr/0015-events-by-polling.md.
 */
@Injectable()
export class RunEventFeed implements OnModuleDestroy {
  private readonly logger = new Logger(RunEventFeed.name);
  private readonly streams = new Set<EventStream>();
  private readonly slots: AnswerSlots;
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private isChecking = false;
  private isFailing = false;
  private isStopping = false;

  constructor(
    @InjectConfig() { eventStreams }: Config,
    { registry }: Metrics,
    private readonly events: RunEventsRepository,
  ) {
    this.slots = new AnswerSlots(eventStreams, 'event streams', 'too-many-streams');
    const open: Gauge = new Gauge({
      name: 'stallscope_event_streams',
      help: 'Event streams that are open at this process.',
      registers: [registry],
      collect: () => open.set(this.slots.taken),
    });
  }

  /** Ends every stream: clients come back to another process. */
  onModuleDestroy(): void {
    this.isStopping = true;
    clearInterval(this.timer);
    for (const stream of this.streams) stream.end('stopping');
  }

  /** Takes a place for a stream, to be given back with what this returns. Throws `too-many-streams` or `not-ready`. */
  admit(teamId: string): () => void {
    if (this.isStopping) throw new ProblemError('not-ready', 'The service is stopping.', { retryAfterS: 5 });
    return this.slots.take(teamId);
  }

  /** Feeds the stream until it ends or its client goes away. */
  add(stream: EventStream, release: () => void): void {
    if (!stream.isOpen) return release();
    this.streams.add(stream);
    this.timer ??= setInterval(() => this.tick(), pollMs);
    stream.onClose(() => {
      this.streams.delete(stream);
      release();
      if (this.streams.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    });
    if (this.isStopping) stream.end('stopping');
  }

  private tick(): void {
    const nowMs = Date.now();
    for (const stream of this.streams) stream.beat(nowMs);
    void this.poll();
    void this.recheck();
  }

  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      const reading = [...this.streams].filter((stream) => stream.isOpen && !stream.isBlocked);
      const positions = reading.map(({ subject, after }) => ({ ...positionOf(subject), after }));
      const events = await this.events.listAfter(positions, eventsPerPoll);
      for (const stream of reading) {
        const before = stream.after;
        stream.send(events);
        const isCaughtUp = stream.after === before;
        if (isCaughtUp) stream.endIfOver();
      }
      if (this.isFailing) this.logger.log('Events can be read again.');
      this.isFailing = false;
    } catch (error) {
      // Streams stay open and go on where they are; those that cannot be checked for long are ended by the recheck.
      if (!this.isFailing) this.logger.warn({ err: error }, 'Events cannot be read; streams wait.');
      this.isFailing = true;
    } finally {
      this.isPolling = false;
    }
  }

  private async recheck(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    try {
      for (const stream of this.streams) {
        if (Date.now() - stream.checkedAtMs >= recheckMs) await this.check(stream);
      }
    } finally {
      this.isChecking = false;
    }
  }

  private async check(stream: EventStream): Promise<void> {
    const { subject } = stream;
    const { teamId, runId, follow } = subject;
    try {
      await subject.recheck();
      const state = await this.events.findState(teamId, runId);
      stream.checkedAtMs = Date.now();
      if (state === null) stream.end('run-gone');
      // Also a stream that was asked for from beyond the last event, which never sends the end itself.
      else if (isFinal(state) && !follow && !stream.isBlocked) await this.endIfNothingIsLeft(stream);
    } catch (error) {
      const isRefused = error instanceof ProblemError && error.status < 500 && error.status !== 429;
      if (isRefused) stream.end('credential-ended');
      else if (Date.now() - stream.checkedAtMs >= uncheckedMostMs) stream.end('unavailable');
    }
  }

  private async endIfNothingIsLeft(stream: EventStream): Promise<void> {
    const position = { ...positionOf(stream.subject), after: stream.after };
    if ((await this.events.listAfter([position], 1)).length === 0) stream.end('finished');
  }
}

const positionOf = ({ teamId, runId }: StreamSubject) => ({ teamId, runId });
