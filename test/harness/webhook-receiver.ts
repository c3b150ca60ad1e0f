import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReceivedCall {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ReceiverAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
}

/** A webhook receiver on loopback that keeps what it is sent. */
export interface WebhookReceiver {
  url(path: string): string;
  /** What came to a path, in order. */
  callsTo(path: string): ReceivedCall[];
  /** How a path answers from now on; 204 unless told. */
  answer(path: string, answer: ReceiverAnswer): void;
  /** Most calls to a path that were being answered at the same time. */
  mostAtOnce(path: string): number;
  /** Refuses connections until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** `certificate`: for a receiver that speaks HTTPS. */
export async function openWebhookReceiver(certificate?: {
  key: string;
  cert: string;
}): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = [];
  const answers = new Map<string, ReceiverAnswer>();
  const open = new Map<string, number>();
  const most = new Map<string, number>();
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? '';
    const now = (open.get(path) ?? 0) + 1;
    open.set(path, now);
    most.set(path, Math.max(most.get(path) ?? 0, now));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      const { status, headers = {}, body = '', delayMs = 0 } = answers.get(path) ?? { status: 204 };
      void sleep(delayMs, undefined, { ref: false }).then(() => {
        open.set(path, (open.get(path) ?? 1) - 1);
        response.writeHead(status, headers).end(body);
      });
    });
  };
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const down = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return {
    url: (path) => `${certificate ? 'https' : 'http'}://127.0.0.1:${port}${path}`,
    callsTo: (path) => calls.filter((call) => call.path === path),
    answer: (path, answer) => void answers.set(path, answer),
    mostAtOnce: (path) => most.get(path) ?? 0,
    down,
    up: () => listen(port),
    close: down,
  };
}

/** Whether the call carries a signature made with the secret, as a receiver checks it. */
export function isSignedWith(secret: string, { headers, body }: ReceivedCall): boolean {
  const fields = String(headers['stallscope-signature']).split(',');
  const t = fields[0].replace('t=', '');
  const wanted = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return Math.abs(Date.now() / 1000 - Number(t)) < 300 && fields.includes(`v1=${wanted}`);
}
