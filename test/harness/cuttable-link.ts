import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP link to a server that can be cut, mended and frozen, as a network does. */
export interface CuttableLink {
  port: number;
  /** The address that leads through the link instead of straight to the server. */
  through(url: string): string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Connections stay open, and no byte comes back from the server until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export async function openCuttableLink(host: string, targetPort: number): Promise<CuttableLink> {
  const upstreams = new Set<Socket>();
  let frozen = false;
  const server = createServer((client) => {
    const upstream = connect(targetPort, host);
    upstreams.add(upstream);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
    upstream.on('close', () => upstreams.delete(upstream));
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (!client.write(chunk)) upstream.pause();
    });
    client.on('drain', () => {
      if (!frozen) upstream.resume();
    });
    upstream.on('end', () => client.end());
    if (frozen) upstream.pause();
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = () =>
    new Promise<void>((resolve) => {
      for (const socket of upstreams) socket.destroy();
      if (server.listening) server.close(() => resolve());
      else resolve();
    });
  const setFrozen = (value: boolean) => {
    frozen = value;
    for (const socket of upstreams) {
      if (value) socket.pause();
      else socket.resume();
    }
  };
  return {
    port,
    through: (address) => {
      const url = new URL(address);
      url.host = `127.0.0.1:${port}`;
      return url.href.replace(/\/$/, '');
    },
    cut,
    mend: () => listen(port),
    freeze: () => setFrozen(true),
    thaw: () => setFrozen(false),
    close: cut,
  };
}

/** A link to the server of a URL. */
export async function linkTo(address: string): Promise<CuttableLink> {
  const { hostname, port } = new URL(address);
  return openCuttableLink(hostname, Number(port));
}
