import express, { type Response } from 'express';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { EventStream, type StreamSubject } from './event-stream';

const runId = '01890a5d-ac96-774b-bcce-b302099a8057';
const subject: StreamSubject = {
  teamId: 't',
  runId,
  after: 4,
  follow: false,
  recheck: async () => undefined,
};
const event = (seq: number, type: string, of = runId) => ({
  ...{ seq, runId: of, type, data: { note: 'a\nb' }, createdAt: new Date(0) },
});

let server: Server;
afterEach(() => new Promise((done) => server.close(done)));

/** A stream and what its client receives until it ends. */
async function openStream(): Promise<{ stream: EventStream; text: Promise<string> }> {
  const app = express();
  const stream = new Promise<EventStream>((resolve) => {
    app.get('/', (_request, response: Response) => resolve(new EventStream(subject, response)));
  });
  server = createServer(app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const answer = new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve));
  const text = answer.then(async (message) => {
    let all = '';
    for await (const chunk of message) all += String(chunk);
    return all;
  });
  return { stream: await stream, text };
}

describe('an event stream', () => {
  it('sends each event of its run once, one line of data each', async () => {
    const { stream, text } = await openStream();
    stream.send([event(4, 'run.queued'), event(5, 'run.analyzing', 'other'), event(6, 'run.analyzing')]);
    stream.send([event(6, 'run.analyzing'), event(7, 'run.done')]);
    stream.endIfOver();
    const frames = (await text).split('\n\n');
    expect(frames[0]).toBe('retry: 3000');
    expect(frames[1]).toMatch(/^id: 6\nevent: run\.analyzing\ndata: \{.*"note":"a\\nb"\}$/);
    expect(frames[2]).toMatch(/^id: 7\n/);
    expect(frames.slice(3)).toEqual(['event: end\ndata: {"reason":"finished"}', '']);
    expect(stream.isOpen).toBe(false);
  });

  it('does not take a regression after the end for life', async () => {
    const { stream, text } = await openStream();
    stream.send([event(5, 'run.done'), event(6, 'regression.opened')]);
    stream.endIfOver();
    expect(await text).toContain('finished');
  });

  it('shows that it lives when nothing was sent for 15 s, and only then', async () => {
    const { stream, text } = await openStream();
    const now = Date.now();
    stream.beat(now + 14_000);
    stream.endIfOver();
    expect(stream.isOpen).toBe(true);
    stream.beat(now + 16_000);
    stream.end('stopping');
    stream.end('finished');
    stream.send([event(9, 'run.done')]);
    expect(await text).toBe('retry: 3000\n\n: alive\n\nevent: end\ndata: {"reason":"stopping"}\n\n');
  });
});
