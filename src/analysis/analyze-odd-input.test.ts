import {
  analyzeTexts as analyze,
  type Artifact,
  traceOfRank as trace,
} from '../../test/builders/analyze-texts';
import { hostEvent, kernelEvent, runtimeEvent, TEST_LIMITS } from '../../test/builders/kineto-trace';
import { analyzeRun } from './analyze-run';

const marker = (name: string, ts: number, dur: number) =>
  hostEvent(name, ts, dur, { cat: 'user_annotation' });
const kernelAt = (ts: number, dur: number, id: number) => [
  runtimeEvent('cudaLaunchKernel', ts - 5, 2, id),
  kernelEvent('gemm', ts, dur, id),
];

/** Input that once gave a negative step, NaN or a lost step. */
describe('hostile and odd input gives finite numbers and steps that sum', () => {
  const cases: [string, Artifact[]][] = [
    [
      'nested optimizer ranges',
      [
        trace([
          marker('Optimizer.step#A', 100, 900),
          marker('Optimizer.step#A', 200, 100),
          marker('Optimizer.step#A', 3000, 500),
          ...kernelAt(400, 50, 1),
        ]),
      ],
    ],
    ['a step of no length', [trace([marker('ProfilerStep#3', 500, 0), ...kernelAt(100, 50, 1)])]],
    [
      'a step number of 400 digits',
      [trace([marker(`ProfilerStep#${'9'.repeat(400)}`, 0, 500), ...kernelAt(100, 50, 1)])],
    ],
    [
      'a step time of almost nothing',
      [
        trace([marker('ProfilerStep#3', 0, 500), ...kernelAt(100, 50, 1)]),
        {
          path: 'meta.json',
          text: '{"median_step_s": 1e-10, "world_size": 1e300, "batch_size": 1, "rank": 1.5}',
        },
      ],
    ],
    [
      'step times beyond all bounds',
      [
        trace([marker('ProfilerStep#3', 0, 500), ...kernelAt(100, 50, 1)]),
        {
          path: 'step_times.rank0.jsonl',
          text: Array.from(
            { length: 12 },
            (_, i) => `{"step": ${i}, "host_s": ${i % 3 === 0 ? '1e300' : '1e12'}}`,
          ).join('\n'),
        },
      ],
    ],
    [
      'ranks beyond all bounds',
      [
        {
          path: 'x.json',
          text: `{"distributedInfo": {"rank": 3000000000, "world_size": 4000000000}, "traceEvents": [${[marker('ProfilerStep#3', 0, 500), ...kernelAt(100, 50, 1)].join(',')}]}`,
        },
      ],
    ],
  ];
  test.each(cases)('%s', async (_, artifacts) => {
    const report = await analyze(artifacts);
    for (const number of numbersIn(report)) expect(Number.isFinite(number)).toBe(true);
    for (const step of report.ranks.flatMap((r) => r.steps)) {
      expect(step.wallNs).toBeGreaterThan(0);
      expect(step.computeNs + step.exposedCommunicationNs + step.exposedMemcpyNs + step.idleNs).toBe(
        step.wallNs,
      );
    }
    for (const { rank } of report.ranks) expect(rank).toBeLessThan(2 ** 31);
  });

  test('step numbers that come again are steps of their own', async () => {
    const events = [1, 2, 1, 2].flatMap((n, i) => [
      marker(`ProfilerStep#${n}`, 1000 * i, 1000),
      ...kernelAt(1000 * i + 100, 500, i + 1),
    ]);
    const { ranks, problems } = await analyze([trace(events)]);
    expect(ranks[0].steps.map((s) => s.index)).toEqual([0, 1, 2, 3]);
    expect(problems.find((p) => p.kind === 'step-numbers-repeat')?.count).toBe(2);
  });
});

function* numbersIn(value: unknown): Generator<number> {
  if (typeof value === 'number') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) yield* numbersIn(part);
}

describe('ranks without distributedInfo', () => {
  const events = [marker('ProfilerStep#1', 0, 100), ...kernelAt(20, 50, 1)];
  const bare = (path: string): Artifact => ({ path, text: `{"traceEvents": [${events.join(',')}]}` });
  const ranksOf = async (...paths: string[]) =>
    (await analyze(paths.map(bare))).ranks.map((r) => [r.rank, r.path]);

  test('come from the folder where the file name says nothing', async () => {
    expect(await ranksOf('rank10/trace.json', 'rank2/trace.json', 'rank0/trace.json')).toEqual([
      [0, 'rank0/trace.json'],
      [2, 'rank2/trace.json'],
      [10, 'rank10/trace.json'],
    ]);
  });

  test('are never taken from a host name, and nobody is dropped for a name that two share', async () => {
    expect(await ranksOf('job-worker-0_1.pt.trace.json', 'job-worker-0_2.pt.trace.json')).toHaveLength(2);
    expect(await ranksOf('a/rank1.json', 'b/rank1.json')).toHaveLength(2);
  });
});

test('a source is closed however the reading ends', async () => {
  let closed = 0;
  const source = (text: string) => ({
    path: 'x.json',
    open: async function* () {
      try {
        for (let i = 0; i < 100; i++) yield new TextEncoder().encode(text);
      } finally {
        closed++;
      }
    },
  });
  await analyzeRun([source('remember the milk\n'.repeat(5000))], { limits: TEST_LIMITS }).catch(
    () => undefined,
  );
  await analyzeRun([source('{"traceEvents": []} ')], { limits: TEST_LIMITS }).catch(() => undefined);
  expect(closed).toBe(2);
});

test('measured peaks of the user win over the catalogue, and unusable ones are a problem', async () => {
  const gpu =
    '"deviceProperties": [{"id": 0, "name": "NVIDIA H200", "totalGlobalMem": 150109880320, "numSms": 132}]';
  const events = [marker('ProfilerStep#1', 0, 100), ...kernelAt(20, 50, 1)];
  const traced = { path: 'rank0.json', text: `{${gpu}, "traceEvents": [${events.join(',')}]}` };
  const meta = (override: string) => ({
    path: 'meta.json',
    text: `{"world_size": 1, "batch_size": 1, "gpu_override": ${override}}`,
  });
  const given = await analyze([traced, meta('{"memoryBandwidthBytesPerSec": 4.3e12}')]);
  expect(given.roofline?.gpu).toMatchObject({
    memoryBytesPerSec: 4.3e12,
    memorySource: expect.stringContaining('user') as string,
  });
  const broken = await analyze([traced, meta('{"memoryBandwith": 4800}')]);
  expect(broken.roofline?.gpu.memoryBytesPerSec).toBe(4.8e12);
  expect(broken.problems.map((p) => p.kind)).toContain('gpu-override-invalid');
});
