import { Metrics } from '../src/platform/telemetry';
import { serveMetrics, type MetricsServer } from './metrics-server';

describe('the metrics of a worker', () => {
  let server: MetricsServer;
  const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });

  beforeAll(async () => {
    server = await serveMetrics(new Metrics(), '127.0.0.1', 0);
  });
  afterAll(() => server.close());

  it('are there to be read, and nothing else is', async () => {
    expect(await (await get('/metrics')).text()).toContain('process_cpu_seconds_total');
    expect(await (await get('/health/live')).json()).toEqual({ status: 'ok' });
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', 'POST')).status).toBe(404);
  });

  it('say so when their port is taken', async () => {
    await expect(serveMetrics(new Metrics(), '127.0.0.1', server.port)).rejects.toThrow('EADDRINUSE');
  });
});
