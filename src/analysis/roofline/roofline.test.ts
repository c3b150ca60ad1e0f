import { hostEvent, kernelEvent, runtimeEvent } from '../../../test/builders/kineto-trace';
import { factsOf, opEvent, type RunParts, stepEvent } from '../../../test/builders/shaped-trace';
import { readGpuOverride } from '../gpu-specs/override';
import { computeRoofline } from './roofline';
import { type RooflineReport, rooflineSchema } from './roofline-schema';

/** H200: dense bf16 peak, FP32 peak of the vector units, memory bandwidth (data sheets). */
const [BF16, FP32, BANDWIDTH] = [989.4e12, 66.9e12, 4.8e12];

async function rooflineOf(events: readonly string[], parts: RunParts = {}): Promise<RooflineReport> {
  const report = computeRoofline(await factsOf(events, parts));
  if (!report) throw new Error('no report');
  expect(rooflineSchema.parse(report)).toEqual(report);
  const { computeNs, computeRoofNs, memoryRoofNs, withoutPeakNs, withoutModelNs } = report.totals;
  expect(computeRoofNs + memoryRoofNs + withoutPeakNs + withoutModelNs).toBe(computeNs);
  return report;
}

let correlation = 0;
/** An op at `ts` µs whose only kernel runs for `kernelUs`, 10 µs later. */
function work(
  name: string,
  ts: number,
  kernelUs: number,
  shapes: unknown[],
  types = 'c10::BFloat16',
  kernel = 'nvjet',
): string[] {
  const id = ++correlation;
  return [
    opEvent(name, ts, 5, shapes, { types }),
    runtimeEvent('cudaLaunchKernel', ts + 1, 1, id),
    kernelEvent(kernel, ts + 10, kernelUs, id),
  ];
}

const large = [
  [4096, 4096],
  [4096, 4096],
];
const LARGE_FLOP = 2 * 4096 ** 3;
const step = stepEvent(7, 0, 1000);
const gemm = work('aten::mm', 10, 200, large);
const softmax = work('aten::_softmax', 300, 50, [[4096, 4096], null, null], 'float', 'softmax_warp_forward');
const graph = [
  runtimeEvent('cudaGraphLaunch', 400, 5, 900),
  kernelEvent('replayed_elementwise', 420, 30, 900),
];

test('each op against its roof: flop for a large product, bytes for a softmax', async () => {
  const { ops, gpu, stepCount } = await rooflineOf([step, ...gemm, ...softmax]);
  expect(stepCount).toBe(1);
  expect(gpu).toMatchObject({ name: 'NVIDIA H200', specId: 'h200-sxm5-141gb', memoryBytesPerSec: BANDWIDTH });
  expect(gpu.peaks.map((p) => [p.flopKind, p.dtype, p.flopPerSec])).toEqual([
    ['matrix', 'bf16', BF16],
    ['vector', 'fp32', FP32],
  ]);
  const [product, rows] = ops;
  expect(product).toMatchObject({
    op: 'aten::mm',
    calls: 1,
    deviceNs: 200_000,
    roof: 'compute',
    dtype: 'bf16',
  });
  expect(product.flopPerSec).toBeCloseTo(LARGE_FLOP / 200e-6, -6);
  expect(product.efficiencyRatio).toBeCloseTo(LARGE_FLOP / BF16 / 200e-6, 9);
  expect(product.ridgeFlopPerByte).toBeCloseTo(BF16 / BANDWIDTH, 6);
  expect(product.intensityFlopPerByte).toBeCloseTo(4096 / 3, 9);
  expect(rows).toMatchObject({ roof: 'memory', flopKind: 'vector' });
  expect(rows.bytesPerSec).toBeCloseTo((8 * 4096 ** 2) / 50e-6, -6);
  expect(rows.efficiencyRatio).toBeCloseTo((8 * 4096 ** 2) / BANDWIDTH / 50e-6, 9);
});

test('the totals say which part of the step is under which roof, and what it would take there', async () => {
  const report = await rooflineOf([step, ...gemm, ...softmax, ...graph]);
  expect(report.totals).toMatchObject({
    computeNs: 280_000,
    computeRoofNs: 200_000,
    memoryRoofNs: 50_000,
    withoutModelNs: 30_000,
    tensorCoreNs: 200_000,
    matrixFlop: LARGE_FLOP,
    vectorFlop: 5 * 4096 ** 2,
  });
  expect(report.withoutModel).toEqual([{ reason: 'graph-replay', op: null, kernels: 1, shareNs: 30_000 }]);
  const leastNs = 1e9 * (LARGE_FLOP / BF16 + (8 * 4096 ** 2) / BANDWIDTH);
  expect(report.leastStepComputeNs).toBeCloseTo(leastNs + 30_000, 3);
});

test('calls that are alike are one group', async () => {
  const { ops } = await rooflineOf([step, ...gemm, ...work('aten::mm', 500, 100, large)]);
  expect(ops).toHaveLength(1);
  expect(ops[0]).toMatchObject({ calls: 2, deviceNs: 300_000, flop: 2 * LARGE_FLOP });
});

test('steps that do not count are left out', async () => {
  const report = await rooflineOf([
    stepEvent(1, 0, 1000),
    stepEvent(2, 1000, 1000),
    ...gemm,
    ...work('aten::mm', 1100, 150, large),
  ]);
  expect(report.stepCount).toBe(1);
  expect(report.ops[0]).toMatchObject({ calls: 1, deviceNs: 150_000, shareNs: 150_000 });
});

test('faster than the roof is reported and never clipped', async () => {
  const { anomalies, ops } = await rooflineOf([step, ...work('aten::mm', 10, 100, large)]);
  expect(ops[0].efficiencyRatio).toBeCloseTo(1.389, 3);
  expect(anomalies).toMatchObject([{ op: 'aten::mm', roof: 'compute', likelyCause: 'unknown' }]);
});

test('an anomaly has a likely cause where the cost itself gives one', async () => {
  const small = work(
    'aten::mul',
    10,
    3,
    [
      [2048, 2048],
      [2048, 2048],
    ],
    'float',
    'elementwise',
  );
  const qkv = new Array<number[]>(3).fill([16, 16, 2048, 128]);
  const attention = work(
    'aten::_scaled_dot_product_flash_attention',
    100,
    450,
    qkv,
    'c10::BFloat16',
    'flash_fwd',
  );
  const { anomalies } = await rooflineOf([step, ...small, ...attention]);
  expect(anomalies.map((a) => [a.op, a.likelyCause])).toEqual([
    ['aten::_scaled_dot_product_flash_attention', 'flop-upper-bound'],
    ['aten::mul', 'inputs-in-cache'],
  ]);
});

test('on an unknown GPU flop and bytes are known, roofs are not, and the report says what to do', async () => {
  const report = await rooflineOf([step, ...gemm], { gpu: 'Quadro K620' });
  expect(report.gpu).toMatchObject({ specId: null, peaks: [] });
  expect(report.gpu.reason).toMatch(/Quadro K620 is not in the catalogue.*gpu_override/);
  expect(report.ops[0]).toMatchObject({ flop: LARGE_FLOP, roof: null, leastNs: null, efficiencyRatio: null });
  expect(report.totals).toMatchObject({ withoutPeakNs: 200_000, computeRoofNs: 0, modelledLeastNs: null });
  expect(report.leastStepComputeNs).toBeNull();
  expect(report.utilization.mfu).toMatchObject({ value: null, source: 'notMeasurable' });
  expect(report.utilization.mfu.reason).toMatch(/Quadro K620/);
});

test('figures of the user stand in for the catalogue', async () => {
  const override = readGpuOverride({ peaks: { bf16: 312e12 }, memoryBandwidthBytesPerSec: 2.039e12 });
  const report = computeRoofline(await factsOf([step, ...gemm], { gpu: 'Quadro K620' }), override);
  expect(report?.ops[0].efficiencyRatio).toBeCloseTo(LARGE_FLOP / 312e12 / 200e-6, 9);
});

test('a format that the GPU has no unit for has no roof', async () => {
  const report = await rooflineOf([step, ...gemm], { gpu: 'Tesla V100-SXM2-16GB' });
  expect(report.ops[0]).toMatchObject({ roof: null, efficiencyRatio: null });
  expect(report.totals.withoutPeakNs).toBe(200_000);
});

describe('utilisation', () => {
  const backwardNode = hostEvent('autograd::engine::evaluate_function: CheckpointBackward', 500, 400);
  const repeated = [
    opEvent('aten::mm', 510, 5, large, { types: 'c10::BFloat16', sequence: 9 }),
    runtimeEvent('cudaLaunchKernel', 511, 1, 800),
    kernelEvent('nvjet', 520, 200, 800),
  ];

  test('MFU from op shapes leaves recompute out, HFU counts it', async () => {
    const { utilization } = await rooflineOf([step, ...gemm, backwardNode, ...repeated]);
    expect(utilization).toMatchObject({
      numerator: 'op-shapes',
      stepNs: 1_000_000,
      stepFrom: 'trace',
      workRatio: 1,
    });
    expect(utilization.denominator).toMatchObject({
      dtype: 'bf16',
      dtypeFrom: 'op-shapes',
      flopPerSec: BF16,
    });
    expect(utilization.mfu.value).toBeCloseTo(LARGE_FLOP / (BF16 * 1e-3), 9);
    expect(utilization.hfu.value).toBeCloseTo((2 * LARGE_FLOP) / (BF16 * 1e-3), 9);
    expect(utilization.hardwareFlopPerStep).toBe(2 * LARGE_FLOP);
  });

  test('where graphs hide the matrix work, 6 × parameters × tokens is the numerator and HFU has none', async () => {
    const replay = [runtimeEvent('cudaGraphLaunch', 30, 5, 901), kernelEvent('nvjet_tst', 40, 500, 901)];
    const metadata = { params: 1e9, tokens_per_step: 100, dtype: 'bfloat16', mean_step_s: 0.002 };
    const reshape = opEvent('aten::view', 600, 5, large);
    const { utilization } = await rooflineOf([step, reshape, ...replay], { metadata });
    expect(utilization).toMatchObject({ numerator: 'parameters-and-tokens', tokensPerStep: 100 });
    expect(utilization.denominator).toMatchObject({ dtype: 'bf16', dtypeFrom: 'metadata' });
    const stepS = (utilization.stepNs ?? NaN) / 1e9;
    expect(utilization.mfu.value).toBeCloseTo(6e11 / (BF16 * stepS), 9);
    expect(utilization.tokensPerSec).toBeCloseTo(100 / stepS, 6);
    expect(utilization.hfu).toMatchObject({ value: null, source: 'notMeasurable' });
    expect(utilization.hfu.reason).toMatch(/0 % of matrix kernel time/);
  });

  test('attention is added where the metadata name layers and width', async () => {
    const metadata = { params: 1e6, tokens_per_step: 512, seq_len: 128, layers: 4, hidden: 64 };
    const { utilization } = await rooflineOf([step, ...gemm], { metadata });
    const estimate = utilization.estimates.find((e) => e.from === 'parameters-and-tokens');
    expect(estimate).toMatchObject({
      attentionFlopPerStep: 12 * 4 * 64 * 128 * 512,
      flopPerStep: 6e6 * 512 + 12 * 4 * 64 * 128 * 512,
      parametersFrom: 'metadata',
    });
    expect(utilization.numerator).toBe('op-shapes');
  });

  test('without shapes and metadata it is not measurable, and says what to record', async () => {
    const events = [
      step,
      hostEvent('aten::mm', 10, 5),
      runtimeEvent('cudaLaunchKernel', 11, 1, 902),
      kernelEvent('nvjet', 20, 200, 902),
    ];
    const { utilization, withoutModel } = await rooflineOf(events);
    expect(utilization.mfu.reason).toMatch(/record_shapes=True.*"params" and "tokens_per_step"/);
    expect(utilization.hfu.reason).toMatch(/record_shapes=True/);
    expect(withoutModel).toMatchObject([{ reason: 'no-shapes', op: 'aten::mm' }]);
  });

  test('a traced step that works off a queue counts the flop that ran in it', async () => {
    // Step 2 launches one product; two run in it, the first launched by step 1.
    const queued = [
      opEvent('aten::mm', 10, 5, large, { types: 'c10::BFloat16' }),
      runtimeEvent('cudaLaunchKernel', 11, 1, 903),
      kernelEvent('nvjet', 1100, 200, 903),
    ];
    const { utilization } = await rooflineOf([
      stepEvent(1, 0, 1000),
      stepEvent(2, 1000, 1000),
      ...queued,
      ...work('aten::mm', 1400, 200, large),
    ]);
    expect(utilization.workRatio).toBe(2);
    expect(utilization.mfu.value).toBeCloseTo((2 * LARGE_FLOP) / (BF16 * 1e-3), 9);
  });
});

test('without a device there is no roofline', async () => {
  expect(computeRoofline(await factsOf([step, opEvent('aten::mm', 10, 5, large)]))).toBeNull();
});
