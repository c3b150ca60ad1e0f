import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeRun, type Analysis } from '../../src/analysis';
import { openArtifactBytes } from '../../src/platform/decompression';

const SAMPLES = join(__dirname, '../../samples');
const LIMITS = { maxEvents: 1_000_000, maxEventBytes: 1 << 20, maxStringBytes: 1 << 24 };
const DECOMPRESSION = { maxBytes: 1 << 30, maxRatio: 200, minBytesBeforeRatio: 1 << 24 };

function analyzeSample(run: string): Promise<Analysis> {
  const folder = join(SAMPLES, run);
  const artifacts = readdirSync(folder).map((name) => ({
    path: name,
    open: () => openArtifactBytes(createReadStream(join(folder, name)), DECOMPRESSION),
  }));
  return analyzeRun(artifacts, { limits: LIMITS });
}

/** What was planted in each run, judged from measured before and after pairs (samples/README.md). */
test.each([
  ['data_starved', ['input-pipeline']],
  ['data_starved__fixed', ['none', 'arithmetic-intensity']],
  ['launch_bound', ['launch-overhead']],
  ['ddp_slow_link', ['communication']],
  ['low_intensity', ['arithmetic-intensity']],
  ['healthy', ['none']],
])('%s is diagnosed as %s, and every step sums to the nanosecond', async (run, accepted) => {
  const { verdict, ranks } = await analyzeSample(run);
  expect(accepted).toContain(verdict.bottleneck);
  const steps = ranks.flatMap((rank) => rank.steps);
  expect(steps.length).toBeGreaterThan(0);
  for (const { wallNs, computeNs, exposedCommunicationNs, exposedMemcpyNs, idleNs, idle } of steps) {
    expect(computeNs + exposedCommunicationNs + exposedMemcpyNs + idleNs).toBe(wallNs);
    expect(Object.values(idle).reduce((a, b) => a + b, 0)).toBe(idleNs);
    for (const part of [computeNs, exposedCommunicationNs, exposedMemcpyNs, ...Object.values(idle)])
      expect(part).toBeGreaterThanOrEqual(0);
  }
});

test('the two ranks of one run become one report, with transfer told from waiting', async () => {
  const { ranks, communication } = await analyzeSample('ddp_slow_link');
  expect(ranks.map((r) => r.rank)).toEqual([0, 1]);
  expect(communication?.stragglerRank).toBeNull();
  const [first] = communication?.perRank ?? [];
  expect(first.transferNs).toBeGreaterThan(100 * first.waitNs);
});
