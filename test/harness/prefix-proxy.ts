import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';

/** A reverse proxy that serves the API under a path, and can be told to stop in the middle of an upload. */
export interface PrefixProxy {
  /** Address with the path, without a slash at its end. */
  url: string;
  /** Method and path of every request, as the API saw it. */
  seen: string[];
  /** Says which requests, by method and path, are answered 403, or as it says, or not at all: the connection is broken. */
  refuse: ((what: string) => boolean | Rebuff | 'break') | undefined;
  /** Says which requests wait, and until when. */
  hold: ((what: string) => Promise<void> | undefined) | undefined;
  close(): Promise<void>;
}

/** An answer in the place of the API's; its body is a problem of this code. */
export interface Rebuff {
  status: number;
  code: string;
  headers?: Record<string, string>;
}

/** Starts one on a free port of 127.0.0.1. */
export async function startPrefixProxy(target: string, prefix: string): Promise<PrefixProxy> {
  const server: Server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (!path.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end('nothing outside the prefix');
    const inner = path.slice(prefix.length);
    const what = `${incoming.method} ${inner}`;
    proxy.seen.push(what);
    const refusal = proxy.refuse?.(what) ?? false;
    if (refusal !== false) return refuse(refusal, incoming, outgoing);
    const forwarded = httpRequest(
      target + inner,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    const held = proxy.hold?.(what);
    if (held) void held.then(() => incoming.pipe(forwarded));
    else incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: PrefixProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    seen: [],
    refuse: undefined,
    hold: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

function refuse(refusal: true | Rebuff | 'break', incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (refusal === 'break') return void incoming.destroy();
  // Read to its end: a client that still sends would see a broken connection, not the answer.
  incoming.resume();
  if (refusal === true) return void outgoing.writeHead(403).end('stopped by the test');
  const { status, code, headers } = refusal;
  outgoing.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  outgoing.end(JSON.stringify({ status, code, title: `stopped by the test: ${code}` }));
}
