import { estimateSchema } from '../../src/analysis';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';

let api: InProcessApi;
let team: TestTeam;
let reader: { Authorization: string };

beforeAll(async () => {
  api = await startInProcessApi();
  team = await api.createTeam();
  reader = await api.tokenHeader(team.teamId, ['runs:read']);
});
afterAll(() => api.stop());

const ask = (body: object) => api.http().post('/v1/estimates').set(reader).send(body);

describe('POST /v1/estimates', () => {
  it('gives floors with their formulas, and completes the request by its defaults', async () => {
    const { body } = await ask({ parameters: 7e9, dtype: 'fp16', gpu: 'NVIDIA H200' }).expect(200);
    const { request, gpu, figures, layouts } = estimateSchema.parse(body);
    expect(request).toMatchObject({ optimizer: 'adamw', worldSize: 1, sharding: 'none' });
    expect(gpu).toEqual({ id: 'h200-sxm5-141gb', label: expect.any(String) as string });
    expect(figures.find(({ id }) => id === 'gradient-size')).toMatchObject({
      value: 14e9,
      source: 'modelled',
    });
    expect(figures.find(({ id }) => id === 'memory-optimizer')).toMatchObject({ value: 56e9, unit: 'bytes' });
    for (const { value, source, reason, formula } of figures) {
      expect(formula).not.toBe('');
      expect(source).toBe(value === null ? 'notMeasurable' : 'modelled');
      expect(reason !== undefined && reason !== '').toBe(value === null);
    }
    expect(layouts.length).toBeGreaterThan(0);
  });

  it('refuses what cannot be, at its field', async () => {
    const fields = async (body: object) =>
      expectProblem(await ask(body), 'validation-failed').errors?.map(
        ({ field, message }) => `${field}: ${message}`,
      );
    expect(await fields({ parameters: 7e9, dtype: 'bf16', gpu: 'A100' })).toEqual([
      expect.stringContaining('gpu: "A100" may be more than one model; name one of a100-sxm4-40gb'),
    ]);
    expect(await fields({ parameters: -1, dtype: 'bf16', wordSize: 2 })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^parameters: /), 'wordSize: is not a known field']),
    );
    expectProblem(await ask([]), 'validation-failed');
  });

  it('stays finite for the largest numbers that it takes', async () => {
    const huge = {
      ...{ parameters: 1e15, dtype: 'fp64', worldSize: 1e7, gradientAccumulation: 1e6, sharding: 'zero3' },
      ...{
        microBatchSize: 1e9,
        sequenceLength: 1e9,
        layers: 1e6,
        hiddenSize: 1e8,
        heads: 1e6,
        vocabulary: 1e9,
      },
      ...{
        flashAttention: false,
        gpu: 'h200-sxm5-141gb',
        link: 'eth-10',
        stepTimeS: 1e-9,
        optimizer: 'adafactor',
      },
    };
    const { body } = await ask(huge).expect(200);
    for (const { value, source } of estimateSchema.parse(body).figures) {
      if (source === 'modelled') expect(Number.isFinite(value)).toBe(true);
    }
  });

  it('needs a token that may read runs', async () => {
    const request = { parameters: 1e9, dtype: 'bf16' };
    expectProblem(await api.http().post('/v1/estimates').send(request), 'unauthenticated');
    const writer = await api.tokenHeader(team.teamId, ['runs:write']);
    expectProblem(await api.http().post('/v1/estimates').set(writer).send(request), 'scope-missing');
  });
});
