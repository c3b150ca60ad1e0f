import { request, type IncomingMessage } from 'node:http';
import { until } from './until';

export interface ReadEvent {
  id: string | undefined;
  event: string;
  data: Record<string, unknown>;
}

/** A client of server-sent events, over plain HTTP. */
export class EventReader {
  private text = '';
  isOver = false;

  private constructor(
    readonly status: number,
    readonly headers: IncomingMessage['headers'],
    private readonly answer: IncomingMessage,
  ) {
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => (this.text += chunk));
    answer.on('close', () => (this.isOver = true));
    answer.on('error', () => (this.isOver = true));
  }

  static open(url: string, headers: Record<string, string>): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      const call = request(url, { headers }, (answer) =>
        resolve(new EventReader(answer.statusCode ?? 0, answer.headers, answer)),
      );
      call.on('error', reject);
      call.end();
    });
  }

  /** All that was received, comments included. */
  get received(): string {
    return this.text;
  }

  /** The complete events that were received. */
  get events(): ReadEvent[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .filter((frame) => /^event: /m.test(frame))
      .map((frame) => ({
        id: /^id: (.*)$/m.exec(frame)?.[1],
        event: /^event: (.*)$/m.exec(frame)?.[1] ?? '',
        data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? 'null') as Record<string, unknown>,
      }));
  }

  get names(): string[] {
    return this.events.map(({ event }) => event);
  }

  /** Why the server ended the stream; undefined while it did not. */
  get endReason(): unknown {
    return this.events.find(({ event }) => event === 'end')?.data.reason;
  }

  waitFor(name: string): Promise<void> {
    return until(() => this.names.includes(name), `event ${name}`);
  }

  waitForEnd(timeoutMs?: number): Promise<void> {
    return until(() => this.isOver, 'the end of the stream', timeoutMs);
  }

  close(): void {
    this.answer.destroy();
  }
}
