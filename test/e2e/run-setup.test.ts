import { gzipSync } from 'node:zlib';
import { createTeamsService } from '../../src/modules/teams';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';

const [trace] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));
const meta = sampleRun('data_starved').filter(({ name }) => name.startsWith('meta'));
const setup = {
  hardware: { gpu: 'NVIDIA H200', gpusPerNode: 8 },
  batch: { micro: 4, gradientAccumulation: 3 },
  loader: { numWorkers: 5 },
  tokensPerStep: 777,
};
interface ReportBody {
  roofline: { utilization: { tokensPerStep: number } };
  advice: { options: { option: string; form: string | null; evidence: { source: string }[] }[] };
}

describe('what the API is told of a run', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    await bench.startWorker();
    team = await bench.team();
  });
  afterAll(() => bench.close());

  const reportOf = async (runId: string) => {
    await team.waitFor(runId, ['done']);
    const { body } = await team.call<ReportBody>('GET', `/v1/runs/${runId}/report`);
    const option = body.advice.options.find(({ option: id }) => id === 'gradient-accumulation');
    return { tokens: body.roofline.utilization.tokensPerStep, option };
  };

  it('is shown, and reaches the analysis', async () => {
    const runId = await team.upload([trace], setup);
    expect((await team.call('GET', `/v1/runs/${runId}`)).body.setup).toEqual(setup);
    const { tokens, option } = await reportOf(runId);
    expect(tokens).toBe(777);
    expect(option).toMatchObject({ form: '3', evidence: [{ source: 'declared' }] });
  });

  it('gives way to the metadata that the job uploaded', async () => {
    const { tokens, option } = await reportOf(await team.upload([trace, ...meta], setup));
    expect(tokens).toBe(16_384);
    expect(option?.evidence[0].source).toBe('metadata');
  });

  it('comes in the query of an ingest too', async () => {
    const query =
      'model=m&cluster=c&tags=a&tags=b&worldSize=1&durationS=60&gpu=NVIDIA%20H200&nodes=1&framework=pytorch' +
      '&frameworkVersion=2.9&strategy=ddp&microBatch=4&gradientAccumulation=3&tokensPerStep=777&dtype=bf16';
    const { status, body } = await team.call<{ runId: string }>('PUT', `/v1/ingest?${query}`, trace.bytes);
    expect(status).toBe(202);
    expect((await team.call('GET', `/v1/runs/${body.runId}`)).body).toMatchObject({
      worldSize: 1,
      durationS: 60,
      tags: ['a', 'b'],
      setup: {
        hardware: { gpu: 'NVIDIA H200', nodes: 1 },
        framework: { name: 'pytorch', version: '2.9' },
        parallelism: { strategy: 'ddp' },
        batch: { micro: 4, gradientAccumulation: 3 },
        dtype: 'bf16',
        tokensPerStep: 777,
      },
    });
    expect((await reportOf(body.runId)).tokens).toBe(777);
  });

  it.each(['nodes=0', 'nodes=', 'durationS=0', 'tokensPerStep=1.5', 'framework=pytorch', 'colour=red'])(
    'is refused in a query with %s',
    async (wrong) => {
      const answer = await team.call('PUT', `/v1/ingest?model=m&cluster=c&${wrong}`, gzipSync('{}'));
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation-failed' } });
      expect(answer.text).toContain(wrong.split('=')[0]);
    },
  );
});

describe('a token that is limited to models and clusters', () => {
  let bench: PipelineBench;

  beforeAll(async () => {
    bench = await PipelineBench.open();
  });
  afterAll(() => bench.close());

  it('creates runs within its limits only, by either way', async () => {
    const { teamId } = await bench.team();
    const { token } = await createTeamsService(bench.database).createApiToken(teamId, {
      name: 'limited',
      scopes: ['runs:write'],
      limits: { models: ['a', 'b'], clusters: ['x'] },
    });
    const call = async (method: string, path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(bench.api.baseUrl + path, { method, headers, body: body as string });
      return { status: response.status, body: (await response.json()) as { code?: string; detail?: string } };
    };
    const create = (model: string, cluster: string) =>
      call('POST', '/v1/runs', JSON.stringify({ model, cluster }));
    const ingest = (model: string, cluster: string) =>
      call('PUT', `/v1/ingest?model=${model}&cluster=${cluster}`, new Uint8Array(trace.bytes));
    expect((await create('b', 'x')).status).toBe(201);
    expect((await ingest('a', 'x')).status).toBe(202);
    for (const ask of [create, ingest]) {
      for (const [model, cluster] of [
        ['c', 'x'],
        ['a', 'y'],
      ]) {
        const refused = await ask(model, cluster);
        expect(refused).toMatchObject({ status: 403, body: { code: 'outside-token-limits' } });
        expect(refused.body.detail).toContain('models a, b and clusters x');
      }
    }
    expect(await bench.query('SELECT 1 FROM runs')).toHaveLength(2);
  });
});
