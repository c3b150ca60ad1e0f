import { createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A reverse proxy that serves the API under a path, and can be told to stop in the middle of an upload. */
export interface PrefixProxy {
  /** Address with the path, without a slash at its end. */
  url: string;
  /** Method and path of every request, as the API saw it. */
  seen: string[];
  /** Says which requests, by method and path, are answered 403. */
  refuse: ((what: string) => boolean) | undefined;
  close(): Promise<void>;
}

/** Starts one on a free port of 127.0.0.1. */
export async function startPrefixProxy(target: string, prefix: string): Promise<PrefixProxy> {
  const server: Server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '';
    if (!path.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end('nothing outside the prefix');
    const inner = path.slice(prefix.length);
    const what = `${incoming.method} ${inner}`;
    proxy.seen.push(what);
    if (proxy.refuse?.(what)) return void outgoing.writeHead(403).end('stopped by the test');
    const forwarded = httpRequest(
      target + inner,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: PrefixProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    seen: [],
    refuse: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
