import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to break connections between a client and a server. */
export interface CuttingProxy {
  endpoint: string;
  /** Bytes of answers after which a connection is cut; one number a connection, then connections live. */
  cutAfterBytes: number[];
  /** Holds answers back: connections stay open and silent. */
  silent: boolean;
  connections: number;
  /** Bytes of answers that went through. */
  answeredBytes: number;
  openConnections(): number;
  stop(): Promise<void>;
}

/** Forwards TCP connections to `endpoint` and breaks them as told. */
export async function startCuttingProxy(endpoint: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    proxy.connections += 1;
    const upstream = connect({ host: hostname, port: Number(port) });
    let left = proxy.cutAfterBytes.shift() ?? Infinity;
    track(client);
    track(upstream);
    client.on('data', (data) => upstream.write(data)).on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (data) => {
      if (proxy.silent) return;
      const passed = data.subarray(0, left);
      left -= passed.length;
      proxy.answeredBytes += passed.length;
      const flowing = client.write(passed);
      if (left <= 0) client.destroy();
      else if (!flowing) {
        upstream.pause();
        client.once('drain', () => upstream.resume());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: CuttingProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfterBytes: [],
    silent: false,
    connections: 0,
    answeredBytes: 0,
    openConnections: () => sockets.size / 2,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}
