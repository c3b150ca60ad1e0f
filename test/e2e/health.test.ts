import { findFreePort } from '../../infra/local/free-port';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';

let api: InProcessApi | undefined;
afterEach(async () => {
  await api?.stop();
  api = undefined;
});

describe('health', () => {
  it('is good when database, queue and object store answer', async () => {
    api = await startInProcessApi();
    await api.http().get('/health/live').expect(200, { status: 'ok' });
    const parts = { database: 'up', queue: 'up', objectStore: 'up' };
    await api.http().get('/health/ready').expect(200, { status: 'ok', parts });
  });

  it('is not ready, but alive, without the object store; says which part and not why', async () => {
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    api = await startInProcessApi({ S3_ENDPOINT: nobody });
    const response = await api.http().get('/health/ready');
    const problem = expectProblem(response, 'not-ready');
    expect(problem.errors).toEqual([{ field: 'objectStore', message: 'does not answer' }]);
    expect(JSON.stringify(problem)).not.toContain(nobody);
    expect(api.logText()).toContain('A readiness probe failed');
    await api.http().get('/health/live').expect(200);
  });
});
