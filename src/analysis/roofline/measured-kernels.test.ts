import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { analyzeTexts, type Artifact } from '../../../test/builders/analyze-texts';

const file = (name: string) => readFileSync(join(__dirname, '../../../test/recordings/nsight-compute', name));
const csv = (name: string): Artifact => ({ path: name, text: file(name).toString() });
const trace: Artifact = {
  path: 'rank0.pt.trace.json',
  text: gunzipSync(file('training.pt.trace.json.gz')).toString(),
};

async function measured(artifacts: Artifact[]) {
  const { measuredKernels, ...report } = await analyzeTexts(artifacts);
  if (!measuredKernels) throw new Error('no measured kernels');
  return { ...measuredKernels, report };
}
type Kernel = Awaited<ReturnType<typeof measured>>['kernels'][number];

describe('without a trace', () => {
  test('measured points stand in the roofline, and the verdict is not measurable', async () => {
    const { gpu, kernels, report } = await measured([csv('raw.csv')]);
    expect(report.verdict).toEqual({ bottleneck: 'not-measurable', confidence: 'low' });
    expect(report.roofline).toBeNull();
    expect(gpu).toMatchObject({ name: 'NVIDIA H200', reason: null });
    expect(kernels).toHaveLength(12);
    const gemm = kernels.find((k) => k.flop === 2 * 4096 * 2048 * 4096);
    expect(gemm).toMatchObject({
      source: 'measured',
      flopKind: 'matrix',
      dtype: 'bf16',
      roof: 'compute',
      inTrace: null,
    });
    expect(gemm?.efficiencyRatio).toBeCloseTo(68_719_476_736 / 97_728e-9 / 989.4e12, 2);
    // The same kernel on another shape is another point, under the other roof.
    const thin = kernels.find((k) => k.name === gemm?.name && k !== gemm);
    expect(thin).toMatchObject({ flop: 17_179_869_184, roof: 'memory' });
    expect(thin?.efficiencyRatio).toBeCloseTo(3.222962e12 / 4.8e12, 2);
  });

  test('three exports of one recording give each kernel once, with what any of them has', async () => {
    const { kernels } = await measured([csv('details.csv'), csv('metrics.csv'), csv('raw.csv')]);
    expect(kernels).toHaveLength(12);
    expect(kernels.every((k) => k.launches === 3 && k.flop !== null && k.occupancyRatio !== null)).toBe(true);
  });

  test('what was not counted is null, not zero', async () => {
    const { gpu, kernels } = await measured([csv('details.csv')]);
    expect(gpu.specId).toBeNull();
    expect(gpu.reason).toMatch(/gpu_override/);
    for (const { flop, memoryBytes, roof, efficiencyRatio, memoryRatio } of kernels) {
      expect({ flop, memoryBytes, roof, efficiencyRatio }).toEqual({
        flop: null,
        memoryBytes: null,
        roof: null,
        efficiencyRatio: null,
      });
      expect(memoryRatio).toBeGreaterThan(0);
    }
  });

  test('a kernel of matrix units without their count has no flop; one of ordinary cores has', async () => {
    const { kernels } = await measured([csv('metrics.csv')]);
    const named = (part: string): Kernel[] => kernels.filter((k) => k.name.includes(part));
    expect(named('nvjet').map((k) => k.flop)).toEqual([null, null]);
    expect(named('sdpa').map((k) => k.flop)).toEqual([null]);
    expect(named('ffma').map((k) => k.flop)).toEqual([137_472_507_904]);
  });
});

describe('beside the trace of the same training', () => {
  test('products have the flop that their shapes tell, and little more where a bias is added', async () => {
    const { kernels } = await measured([trace, csv('training.raw.csv')]);
    const products = kernels.filter((k) => k.modelled && /addmm|mm$/.test(k.modelled.op));
    expect(products.length).toBeGreaterThanOrEqual(7);
    for (const { flop, modelled, inTrace, durationNs } of products) {
      expect((flop ?? 0) / (modelled?.flop ?? NaN)).toBeCloseTo(1, 2);
      expect(inTrace?.count).toBeGreaterThan(0);
      expect(durationNs).toBeLessThan(1.2 * (modelled?.durationNs ?? 0));
    }
    expect(products.map((k) => k.modelled?.inputDims)).toContain(
      '[[4096], [8192, 1024], [1024, 4096], [], []]',
    );
  });

  test('a product whose result stays in the cache moves less than its least; the counter is believed', async () => {
    const { kernels } = await measured([trace, csv('training.raw.csv')]);
    const small = kernels.find(
      (k) => k.modelled?.inputDims === '[[1024], [8192, 1024], [1024, 1024], [], []]',
    );
    expect(small?.disagreements).toEqual([
      {
        about: 'bytes',
        measured: small?.memoryBytes,
        modelled: small?.modelled?.leastBytes,
        believed: 'measured',
        reason: 'from-cache',
      },
    ]);
  });

  test('counters leave verdict, steps and modelled roofline as they are', async () => {
    const alone = await analyzeTexts([trace]);
    const { report } = await measured([trace, csv('training.raw.csv')]);
    expect(report.verdict).toEqual(alone.verdict);
    expect(report.ranks).toEqual(alone.ranks);
    expect(report.roofline).toEqual(alone.roofline);
    expect(alone.measuredKernels).toBeNull();
  });

  test('a time that the profiler stretched is told, and the trace is believed', async () => {
    const slow = file('training.raw.csv').toString().replaceAll('"ns"', '"us"');
    const { kernels } = await measured([trace, { path: 'kernels.csv', text: slow }]);
    const told = kernels.flatMap((k) => k.disagreements.filter((d) => d.about === 'duration'));
    expect(told.length).toBeGreaterThanOrEqual(7);
    expect(told.every((d) => d.measured > 500 * d.modelled)).toBe(true);
    expect(told.every((d) => d.believed === 'trace' && d.reason === 'profiled-alone')).toBe(true);
  });
});
