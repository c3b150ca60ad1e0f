import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adviseRun } from '../../src/analysis/advice/advise-run';
import { type Advice, type OptionId } from '../../src/analysis/advice';
import { assignRanks } from '../../src/analysis/assign-ranks';
import { attributeRank } from '../../src/analysis/attribution/attribute-rank';
import { gatherFacts } from '../../src/analysis/attribution/run-facts';
import { readArtifact, type ReadArtifact } from '../../src/analysis/read-artifact';
import { ProblemLog } from '../../src/analysis/timeline/problem';
import { openArtifactBytes } from '../../src/platform/decompression';
import { presentAdvice, presentedAdviceSchema } from '../../src/presentation/present-advice';
import { CORPUS, withCorpus } from './corpus-folder';

const RUNS = join(CORPUS, 'h200');
const LIMITS = { maxEvents: 5e6, maxEventBytes: 1 << 24, maxStringBytes: 1 << 28 };
const DECOMPRESSION = { maxBytes: 2 ** 32, maxRatio: 500, minBytesBeforeRatio: 2 ** 26 };

const advised = new Map<string, Promise<Advice>>();

/** Read once per run, however many tests ask. */
function advise(run: string): Promise<Advice> {
  const known = advised.get(run) ?? adviseOnce(run);
  advised.set(run, known);
  return known;
}

async function adviseOnce(run: string): Promise<Advice> {
  const problems = new ProblemLog();
  const read: ReadArtifact[] = [];
  for (const path of readdirSync(join(RUNS, run))
    .filter((f) => /^(rank|meta|step_times)/.test(f))
    .sort()) {
    const open = () => openArtifactBytes(createReadStream(join(RUNS, run, path)), DECOMPRESSION);
    read.push(await readArtifact({ path, open }, LIMITS, problems));
  }
  const contents = read.flatMap(({ content }) => content ?? []);
  const ranks = assignRanks(read, problems).map(({ rank, timeline }) =>
    attributeRank(rank, timeline, problems),
  );
  const stepTimes = contents.flatMap((c) => (c.kind === 'step-times' ? [c.stepTimes] : []));
  const metadata = contents.flatMap((c) => (c.kind === 'run-metadata' ? [c.metadata] : []));
  return adviseRun(gatherFacts(ranks, stepTimes, metadata, problems), {
    formats: new Set(read.map((r) => r.format)),
  });
}

/** What each run was recorded with; the advisor must not know it from the name. */
const TRUTH: Record<string, Partial<Record<OptionId, string>>> = {
  healthy: {
    'mixed-precision': 'on bf16 autocast',
    'flash-attention': 'on cudnn',
    compile: 'off',
    'fused-optimizer': 'on fused',
  },
  low_intensity: {
    'mixed-precision': 'off fp32',
    'flash-attention': 'off eager',
    tf32: 'off',
    compile: 'off',
  },
  ladder1: {
    'flash-attention': 'off eager',
    'fused-optimizer': 'off foreach',
    'mixed-precision': 'on bf16 autocast',
  },
  ladder6: {
    compile: 'on reduce-overhead',
    'cuda-graphs': 'on',
    'fused-optimizer': 'on fused',
    'mixed-precision': 'on bf16',
  },
  recompute_all: { 'activation-checkpointing': 'on all', 'cuda-graphs': 'off' },
  recompute_all__fixed: { 'activation-checkpointing': 'off' },
  fsdp_full: { sharding: 'on zero3', 'gradient-accumulation': 'off' },
  ddp_healthy: { sharding: 'off', 'grad-scaler': 'off' },
  h2d_pageable: { 'flash-attention': 'not-visible', lora: 'not-visible', quantisation: 'off' },
};

/** GPU-Util as nvidia-smi logged it beside the run without the profiler, mean of the samples, percent. */
function loggedGpuUtil(run: string): number {
  const lines = readFileSync(join(RUNS, run, 'dmon.log'), 'utf8').split('\n');
  const rows = lines.filter((l) => l.trim() !== '' && !l.startsWith('#')).map((l) => l.trim().split(/\s+/));
  const ofRank0 = rows.filter((r) => r[2] === '0').map((r) => Number(r[6]));
  return ofRank0.reduce((a, b) => a + b, 0) / ofRank0.length;
}

withCorpus(() => {
  test.each(Object.keys(TRUTH))('%s: options are as recorded, and floors hold', async (run) => {
    const advice = await advise(run);
    const states = Object.fromEntries(
      advice.options.map((o) => [o.option, `${o.state} ${o.form ?? ''}`.trim()]),
    );
    expect(states).toMatchObject(TRUTH[run]);
    expect(presentedAdviceSchema.parse(presentAdvice(advice)).options).toHaveLength(advice.options.length);

    const meta = JSON.parse(readFileSync(join(RUNS, run, 'meta.rank0.json'), 'utf8')) as { peak_mem: number };
    const stateBytes = advice.estimate?.figures.find((f) => f.id === 'memory-model-states')?.value ?? NaN;
    expect(stateBytes).toBeLessThanOrEqual(meta.peak_mem);
    const step = advice.estimate?.request.stepTimeS ?? 0;
    const least = advice.estimate?.figures.find((f) => f.id === 'least-step-time')?.value ?? 0;
    expect(least / 1e9).toBeLessThan(step);
  });

  test.each([
    'healthy',
    'low_intensity',
    'recompute_all',
    'ddp_healthy',
    'h2d_pageable',
    'ladder6',
    'launch_bound',
  ])('%s: GPU-Util agrees with nvidia-smi to ten points', async (run) => {
    expect(existsSync(join(RUNS, run, 'dmon.log'))).toBe(true);
    const { utilisation } = await advise(run);
    const modelled = utilisation.figures.find((f) => f.id === 'gpu-util-unprofiled')?.value ?? NaN;
    expect(Math.abs(100 * modelled - loggedGpuUtil(run))).toBeLessThan(10);
  });
});
