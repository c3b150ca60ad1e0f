import { createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
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
        response.writeHead(422).end('no');
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

  it('ends the connection of a client that never stops', async () => {
    const startedMs = Date.now();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      let answered: number | undefined;
      const put = httpRequest({ port, host: '127.0.0.1', method: 'PUT' });
      const drip = setInterval(() => put.write(Buffer.alloc(10_000)), 50);
      put.on('response', (response) => {
        answered = response.statusCode;
        response.resume();
      });
      put.on('error', () => undefined);
      put.on('close', () => {
        clearInterval(drip);
        resolve(answered);
      });
      setTimeout(() => reject(new Error('still connected')), 10_000).unref();
    });
    expect(status).toBe(422);
    expect(Date.now() - startedMs).toBeLessThan(8_000);
  });
});
