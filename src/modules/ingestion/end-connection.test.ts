import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Request, type Response } from 'express';
import { endUnreadRequests } from './end-connection';
import { peekStream } from './peek-stream';

describe('an answer before the end of the body', () => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer((request, response) => {
      void peekStream(request, 1_000).then(() => {
        void endUnreadRequests(request as Request, response as Response, () => undefined);
        response.writeHead(422, { connection: 'close' }).end('no');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('reaches a client that sends on, every time', async () => {
    const body = new Uint8Array(20 * 2 ** 20);
    for (let i = 0; i < 10; i++) {
      const response = await fetch(`http://127.0.0.1:${port}`, { method: 'PUT', body });
      expect(response.status).toBe(422);
      expect(await response.text()).toBe('no');
    }
  });

  /** Sends a body without end, also after our side was closed; gives what came back when the connection ends. */
  const sendWithoutEnd = (declaredBytes: number) =>
    new Promise<string>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      let answer = '';
      socket.write(`PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: ${declaredBytes}\r\n\r\n`);
      let leftBytes = declaredBytes;
      const drip = setInterval(() => {
        if (leftBytes <= 0) return void socket.end();
        socket.write(Buffer.alloc(Math.min(10_000, leftBytes)));
        leftBytes -= 10_000;
      }, 50);
      socket.on('data', (piece: Buffer) => (answer += piece.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        resolve(answer);
      });
    });

  it.each([
    ['never stops', 10_000_000_000],
    ['stops in time', 50_000],
  ])('ends the connection of a client that %s', async (_, declaredBytes) => {
    expect(await sendWithoutEnd(declaredBytes)).toMatch(/^HTTP\/1\.1 422 .*connection: close/s);
    const connections = () => new Promise((resolve) => server.getConnections((_error, n) => resolve(n)));
    expect(await connections()).toBe(0);
  });
});
