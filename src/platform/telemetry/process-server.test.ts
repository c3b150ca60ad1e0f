import { Metrics } from './metrics';
import { type ProcessServer, serveProcess } from './process-server';

describe('the server of a process', () => {
  let server: ProcessServer;
  let problems: string[] = [];
  const metrics = new Metrics('worker');
  const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });

  beforeAll(async () => {
    const checks = {
      '/health/live': async () => problems,
      '/health/ready': () => Promise.reject(new Error('postgres://user:hunter2@host')),
    };
    server = await serveProcess(metrics, { host: '127.0.0.1', port: 0, checks });
  });
  afterAll(() => server.close());

  it('gives the metrics, and nothing that it was not told to give', async () => {
    const text = await (await get('/metrics')).text();
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toMatch(
      /^stallscope_build_info\{version="\d+\.\d+\.\d+",node="v\d+[^"]*",process="worker"\} 1$/m,
    );
    for (const path of ['/', '/health', '/constructor', '/__proto__', '/metrics/']) {
      expect((await get(path)).status).toBe(404);
    }
    expect((await get('/metrics', 'POST')).status).toBe(404);
  });

  it('answers a check by what it says', async () => {
    expect(await (await get('/health/live?x=1')).json()).toEqual({ status: 'ok' });
    problems = ['chore a'];
    const failing = await get('/health/live');
    expect(failing.status).toBe(503);
    expect(await failing.json()).toEqual({ status: 'failing', problems: ['chore a'] });
  });

  it('fails a check that breaks, and does not say why', async () => {
    const broken = await get('/health/ready');
    expect(broken.status).toBe(503);
    expect(await broken.text()).not.toContain('hunter2');
  });

  it('says so when its port is taken', async () => {
    const again = serveProcess(new Metrics('api'), { host: '127.0.0.1', port: server.port });
    await expect(again).rejects.toThrow('EADDRINUSE');
  });
});
