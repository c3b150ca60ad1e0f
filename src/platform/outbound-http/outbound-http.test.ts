import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { selfSignedCertificate } from '../../../test/builders/self-signed-certificate';
import { OutboundFailed, OutboundRefused } from './outbound-error';
import { OutboundHttp } from './outbound-http';

const call = { headers: { 'x-a': 'b' }, body: '{}', timeoutMs: 5_000 };
const loopback = { allowHttp: true, allowedPrivateHosts: ['127.0.0.1'] };
const open: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(open.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function listen(server: Server | TcpServer, host = '127.0.0.1'): Promise<number> {
  open.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((done) => server.listen(0, host, done));
  return (server.address() as AddressInfo).port;
}
const serve = (listener: RequestListener) => listen(createServer(listener));
/** A server that answers the first bytes of a connection as it likes. */
const serveRaw = (answer: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => void socket.once('data', () => answer(socket))));
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('whom OutboundHttp calls', () => {
  it.each([
    ...['https://127.0.0.1/', 'https://localhost/', 'https://a.localhost/', 'https://[::1]/', 'https://0/'],
    ...[
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0177.0.0.1/',
      'https://127.1/',
      'https://①②⑦.⓪.⓪.①/',
    ],
    ...['https://169.254.169.254/latest/meta-data', 'https://[fd00:ec2::254]/', 'https://[fe80::1]/'],
    ...[
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:a00:1]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[::]/',
    ],
    ...['https://[2002:7f00:1::]/', 'https://10.0.0.1/', 'https://100.64.0.1/', 'https://224.0.0.1/'],
    ...[
      'https://255.255.255.255/',
      'https://192.168.0.1:8443/',
      'https://0.0.0.0:8080/',
      'https://[::7f00:1]/',
    ],
    ...['http://127.0.0.1/', 'https://u:p@8.8.8.8/', 'https://8.8.8.8:25/', 'file:///etc/passwd'],
  ])('never %s, at registration or later', async (url) => {
    const outbound = new OutboundHttp({ allowHttp: false, allowedPrivateHosts: [] });
    expect(await failure(outbound.check(url))).toBeInstanceOf(OutboundRefused);
    expect(await failure(outbound.post(url, call))).toBeInstanceOf(OutboundRefused);
  });

  it('takes public addresses, and names that are not known yet', async () => {
    const outbound = new OutboundHttp({ allowHttp: false, allowedPrivateHosts: [] }, async (host) => {
      if (host === '8.8.8.8') return [host];
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    });
    expect((await outbound.check('https://8.8.8.8/a#b')).href).toBe('https://8.8.8.8/a');
    expect((await outbound.check('https://later.test')).href).toBe('https://later.test/');
    expect(String(await failure(outbound.post('https://later.test', call)))).toMatch(/name .* is not known/);
  });

  it('refuses a name as soon as one of its addresses is private', async () => {
    const outbound = new OutboundHttp({ allowHttp: false, allowedPrivateHosts: [] }, async () => [
      '8.8.8.8',
      '::ffff:10.0.0.1',
    ]);
    expect(await failure(outbound.check('https://mixed.test'))).toBeInstanceOf(OutboundRefused);
  });

  it('looks a name up again for each call: one that was public and became private is refused', async () => {
    let calls = 0;
    const port = await serve((_request, response) => {
      calls++;
      response.end();
    });
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    const outbound = new OutboundHttp(
      { allowHttp: true, allowedPrivateHosts: [] },
      async () => answers.shift() ?? [],
    );
    const url = `http://rebinding.test:${port}/`;
    expect((await outbound.check(url)).href).toBe(url);
    expect(await failure(outbound.post(url, call))).toBeInstanceOf(OutboundRefused);
    expect(calls).toBe(0);
  });

  it('connects to the address that was checked, whatever another look-up would say', async () => {
    const hosts: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    const asked: string[] = [];
    const outbound = new OutboundHttp(loopback, async (host) => {
      asked.push(host);
      return asked.length === 1 ? ['127.0.0.1'] : ['8.8.8.8'];
    });
    expect((await outbound.post(`http://pinned.test:${port}/`, call)).status).toBe(200);
    expect(asked).toEqual(['pinned.test']);
    expect(hosts).toEqual([`pinned.test:${port}`]);
  });

  it('follows no redirect', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end('moved');
    });
    const outbound = new OutboundHttp(loopback);
    expect(await outbound.post(`http://127.0.0.1:${port}/`, call)).toEqual({ status: 302, excerpt: 'moved' });
  });

  it('lets the operator open single names, whatever they lead to', async () => {
    const port = await serve((_request, response) => void response.end());
    const named = new OutboundHttp({ allowHttp: true, allowedPrivateHosts: ['chat.internal'] }, async () => [
      '127.0.0.1',
    ]);
    expect((await named.post(`http://chat.internal:${port}/`, call)).status).toBe(200);
    expect(await failure(named.post(`http://other.internal:${port}/`, call))).toBeInstanceOf(OutboundRefused);
  });

  it('refuses certificates that nobody known has signed', async () => {
    let calls = 0;
    const server = createSecureServer(selfSignedCertificate('127.0.0.1'), (_request, response) => {
      calls++;
      response.end();
    });
    const outbound = new OutboundHttp(loopback);
    const port = await listen(server);
    const error = await failure(outbound.post(`https://127.0.0.1:${port}/`, call));
    expect(error).toBeInstanceOf(OutboundFailed);
    expect(String(error)).toMatch(/signed by itself/);
    expect(calls).toBe(0);
  });
});

describe('what OutboundHttp bears', () => {
  const outbound = new OutboundHttp(loopback, async (host) => [host]);
  const at = (port: number, timeoutMs = 5_000) =>
    outbound.post(`http://127.0.0.1:${port}/`, { ...call, timeoutMs });
  const answer = 'HTTP/1.1 200 OK\r\n';

  it('an answer without a body, a long one and an unprintable one', async () => {
    expect(await at(await serve((_q, response) => void response.writeHead(204).end()))).toEqual({
      status: 204,
      excerpt: '',
    });
    const { excerpt } = await at(
      await serve(
        (_q, response) => void response.writeHead(500).end(`a\u0000\n\u202eb\ud83d${'😀'.repeat(300)}`),
      ),
    );
    expect(excerpt.startsWith('a b')).toBe(true);
    expect([...excerpt]).toHaveLength(200);
    expect(excerpt).not.toMatch(/[\p{Cc}\p{Cs}]/u);
  });

  it('a body that never ends, however fast or slow it comes', async () => {
    const endless = await serveRaw((socket) => {
      socket.write(`${answer}transfer-encoding: chunked\r\n\r\n`);
      const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
        socket.once('drain', more);
      };
      more();
    });
    expect(await at(endless)).toEqual({ status: 200, excerpt: 'x'.repeat(200) });
    const slow = await serveRaw((socket) => {
      socket.write(`${answer}content-length: 100000\r\n\r\n`);
      const timer = setInterval(() => socket.write('y'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    const { status, excerpt } = await at(slow, 300);
    expect(status).toBe(200);
    expect(excerpt).toMatch(/^y+$/);
  });

  it.each<[string, RegExp, (socket: Socket) => void]>([
    ['silence', /no answer in time/, () => undefined],
    [
      'headers that come byte by byte',
      /no answer in time/,
      (socket) => {
        socket.write(answer);
        const timer = setInterval(() => socket.write('x'), 20);
        socket.once('close', () => clearInterval(timer));
      },
    ],
    [
      'interim answers without end',
      /no answer in time/,
      (socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n'), 5);
        socket.once('close', () => clearInterval(timer));
      },
    ],
    [
      'huge headers',
      /headers .* too large/,
      (socket) => socket.write(`${answer}x: ${'a'.repeat(100_000)}\r\n`),
    ],
    ['a cut connection', /cut/, (socket) => void socket.resetAndDestroy()],
    ['an end without an answer', /cut|without an answer/, (socket) => void socket.end()],
    ['something else than HTTP', /not HTTP/, (socket) => socket.write('220 mail.test ESMTP\r\n')],
    [
      'an upgrade that nobody asked for',
      /without an answer|cut/,
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ],
  ])('%s', async (_what, message, reply) => {
    const error = await failure(at(await serveRaw(reply), 400));
    expect(error).toBeInstanceOf(OutboundFailed);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('127.0.0.1');
  });

  it('a port where nobody listens, and a look-up that never ends', async () => {
    const server = createTcpServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    expect(String(await failure(at(port)))).toMatch(/refused \(ECONNREFUSED\)/);
    const stuck = new OutboundHttp(loopback, () => new Promise(() => undefined));
    expect(String(await failure(stuck.post('https://stuck.test/', { ...call, timeoutMs: 100 })))).toMatch(
      /not found in time/,
    );
  });
});
