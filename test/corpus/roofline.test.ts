import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { assignRanks } from '../../src/analysis/assign-ranks';
import { attributeRank } from '../../src/analysis/attribution/attribute-rank';
import { gatherFacts, type RunFacts } from '../../src/analysis/attribution/run-facts';
import { readArtifact, type ReadArtifact } from '../../src/analysis/read-artifact';
import { computeRoofline } from '../../src/analysis/roofline/roofline';
import {
  type ModelFlop,
  type RooflineReport,
  rooflineSchema,
} from '../../src/analysis/roofline/roofline-schema';
import { ProblemLog } from '../../src/analysis/timeline/problem';
import { CORPUS, withCorpus } from './corpus-folder';

const LIMITS = { maxEvents: 5_000_000, maxEventBytes: 1 << 22, maxStringBytes: 256 << 20 };

async function factsOf(run: string): Promise<RunFacts> {
  const folder = join(CORPUS, 'h200', run);
  const problems = new ProblemLog();
  const read: ReadArtifact[] = [];
  for (const path of readdirSync(folder).filter((f) => /trace\.json\.gz$|^step_times\.|^meta\./.test(f))) {
    const open = (): NodeJS.ReadableStream & AsyncIterable<Uint8Array> => {
      const file = createReadStream(join(folder, path));
      return path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
    };
    read.push(await readArtifact({ path, open }, LIMITS, problems));
  }
  const ranks = assignRanks(read, problems).map(({ rank, timeline }) =>
    attributeRank(rank, timeline, problems),
  );
  const stepTimes = read.flatMap(({ content }) =>
    content?.kind === 'step-times' ? [content.stepTimes] : [],
  );
  const metadata = read.flatMap(({ content }) =>
    content?.kind === 'run-metadata' ? [content.metadata] : [],
  );
  return gatherFacts(ranks, stepTimes, metadata, problems);
}

const known = new Map<string, Promise<RooflineReport>>();
function rooflineOf(run: string): Promise<RooflineReport> {
  let report = known.get(run);
  if (!report) {
    report = factsOf(run).then((facts) => rooflineSchema.parse(computeRoofline(facts)));
    known.set(run, report);
  }
  return report;
}

function fromShapes({ utilization }: RooflineReport): ModelFlop {
  const estimate = utilization.estimates.find((e) => e.from === 'op-shapes');
  if (!estimate) throw new Error('no op has shapes');
  return estimate;
}

withCorpus(() => {
  const EAGER = [
    'healthy',
    'ladder0',
    'ladder2',
    'low_intensity',
    'recompute_all',
    'ddp_healthy',
    'launch_bound',
  ];
  const OTHERS = [
    'ladder1',
    'ladder4',
    'ladder5',
    'ladder6',
    'launch_graphed',
    'fsdp_big_batch',
    'recompute_all__fixed',
  ];

  test.each([...EAGER, ...OTHERS])('%s: every part of compute time has its place', async (run) => {
    const { totals, gpu } = await rooflineOf(run);
    const { windowComputeNs, computeNs, computeRoofNs, memoryRoofNs, withoutPeakNs, withoutModelNs } = totals;
    expect(computeRoofNs + memoryRoofNs + withoutPeakNs + withoutModelNs).toBe(computeNs);
    expect(withoutPeakNs).toBe(0);
    expect(windowComputeNs).toBeGreaterThan(0);
    expect(gpu.specId).toBe('h200-sxm5-141gb');
  });

  test.each(EAGER)('%s: eager PyTorch has a model for nearly all of its compute', async (run) => {
    const { totals } = await rooflineOf(run);
    expect(totals.withoutModelNs / totals.computeNs).toBeLessThan(0.01);
  });

  test.each([...EAGER, ...OTHERS])('%s: nothing is faster than its roof without a cause', async (run) => {
    const { anomalies } = await rooflineOf(run);
    expect(anomalies.filter((a) => a.likelyCause === 'unknown')).toEqual([]);
  });

  test('healthy: flop by op shapes are 6 × tokens × matrix parameters, and attention by its formula', async () => {
    const [layers, width, sequence, batch, vocabulary] = [16, 2048, 2048, 16, 32_000];
    const tokens = batch * sequence;
    const shapes = fromShapes(await rooflineOf('healthy'));
    const attention = shapes.attentionFlopPerStep ?? NaN;
    const matrixParameters = layers * 12 * width ** 2 + vocabulary * width;
    expect(shapes.flopPerStep - attention).toBe(6 * tokens * matrixParameters);
    const inFull = 12 * layers * width * sequence * tokens;
    expect(attention).toBe(shapes.upperBound ? inFull : (inFull * (sequence + 1)) / (2 * sequence));
  });

  test('op shapes and 6 × parameters × tokens agree to what embeddings and attention make up', async () => {
    for (const run of ['healthy', 'ladder0', 'ladder2', 'recompute_all', 'ddp_healthy', 'fsdp_big_batch']) {
      const { utilization } = await rooflineOf(run);
      const byParameters = utilization.estimates.find((e) => e.from === 'parameters-and-tokens');
      const ratio = fromShapes(await rooflineOf(run)).flopPerStep / (byParameters?.flopPerStep ?? NaN);
      expect([run, ratio > 0.9 && ratio < 1.12]).toEqual([run, true]);
    }
  });

  test('each format against its own peak: FP32 without TF32 is near its low peak, bf16 far below its high one', async () => {
    const [fp32, bf16] = [await rooflineOf('ladder0'), await rooflineOf('ladder1')];
    expect(fp32.utilization.denominator?.dtype).toBe('fp32');
    expect(bf16.utilization.denominator?.dtype).toBe('bf16');
    expect(fp32.utilization.mfu.value).toBeGreaterThan(0.6);
    expect(bf16.utilization.mfu.value).toBeLessThan(0.25);
    expect(fp32.totals.tensorCoreNs).toBe(0);
  });

  test('recompute raises HFU and not MFU', async () => {
    const [repeated, plain] = [await rooflineOf('recompute_all'), await rooflineOf('recompute_all__fixed')];
    const ratio = ({ utilization }: RooflineReport): number =>
      (utilization.hfu.value ?? NaN) / (utilization.mfu.value ?? NaN);
    expect(ratio(repeated)).toBeGreaterThan(1.2);
    expect(ratio(plain)).toBeLessThan(1.05);
    expect(fromShapes(repeated).flopPerStep).toBe(fromShapes(plain).flopPerStep);
  });

  test.each(['ladder5', 'ladder6', 'launch_graphed'])(
    '%s: behind graph replays only parameters tell',
    async (run) => {
      const { utilization, withoutModel } = await rooflineOf(run);
      // Kernels of a replay that was launched before the recording began have no launch in it.
      expect(['graph-replay', 'launch-not-recorded']).toContain(withoutModel[0].reason);
      expect(utilization.numerator).toBe('parameters-and-tokens');
      expect(utilization.hfu.source).toBe('notMeasurable');
      expect(utilization.mfu.value).toBeGreaterThan(0);
    },
  );

  test('ladder1: an optimizer whose lists the profiler left out is modelled all the same', async () => {
    const { ops } = await rooflineOf('ladder1');
    const foreach = ops.filter((op) => op.op.startsWith('aten::_foreach_') && op.deviceNs > 1e6);
    expect(foreach.length).toBeGreaterThanOrEqual(6);
    for (const op of foreach) expect(op.efficiencyRatio).toBeLessThan(1.1);
  });
});
