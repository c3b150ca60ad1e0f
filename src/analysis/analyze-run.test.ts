import fc from 'fast-check';
import { analyzeTexts as analyze, traceOfRank as trace } from '../../test/builders/analyze-texts';
import { hostEvent, kernelEvent, runtimeEvent } from '../../test/builders/kineto-trace';
import { optionsInUse } from './advice/options-in-use';
import { type Analysis } from './report-schema';
import { InputRefused } from './timeline/input-refused';

const STEP_US = 1000;

/** Events of one rank: steps of 1 ms with random ops, launches, kernels and an all-reduce. */
const rankEvents = fc
  .array(
    fc.record({
      step: fc.nat(2),
      at: fc.integer({ min: 1, max: 900 }),
      length: fc.integer({ min: 1, max: 200 }),
      kind: fc.constantFrom('kernel', 'all-reduce', 'op', 'load', 'sync'),
    }),
    { minLength: 3, maxLength: 25 },
  )
  .map((items) => [
    ...[0, 1, 2].map((n) =>
      hostEvent(`ProfilerStep#${n}`, 100 + n * STEP_US, STEP_US, { cat: 'user_annotation' }),
    ),
    ...items.flatMap(({ step, at, length, kind }, i) => {
      const ts = 100 + step * STEP_US + at;
      switch (kind) {
        case 'kernel':
          return [runtimeEvent('cudaLaunchKernel', ts, 2, i + 1), kernelEvent('gemm', ts + 5, length, i + 1)];
        case 'all-reduce':
          return [
            runtimeEvent('cudaLaunchKernel', ts, 2, i + 1),
            kernelEvent('ncclDevKernel_AllReduce', ts + 5, length, i + 1),
          ];
        case 'op':
          return [hostEvent('aten::add', ts, length)];
        case 'load':
          return [
            hostEvent('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', ts, length, {
              cat: 'user_annotation',
            }),
          ];
        case 'sync':
          return [runtimeEvent('cudaStreamSynchronize', ts, length, 1000 + i)];
      }
    }),
  ]);

/** What must not depend on how the input was laid out; problems keep an example of whatever came first. */
const essence = ({ verdict, ranks, findings, metrics, communication }: Analysis) => ({
  verdict,
  ranks,
  findings,
  metrics,
  communication,
});

test('the order of events, the size of chunks and the order of artifacts change nothing', async () => {
  const input = fc.tuple(rankEvents, rankEvents).chain(([a, b]) =>
    fc.record({
      events: fc.constant([a, b] as const),
      shuffled: fc.tuple(shuffled(a), shuffled(b)),
      chunkBytes: fc.integer({ min: 1, max: 400 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(input, async ({ events: [a, b], shuffled: [c, d], chunkBytes }) => {
      const expected = essence(await analyze([trace(a, 0), trace(b, 1)]));
      expect(essence(await analyze([trace(d, 1), trace(c, 0)], chunkBytes))).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

function shuffled(events: readonly string[]): fc.Arbitrary<string[]> {
  return fc.shuffledSubarray([...events], { minLength: events.length, maxLength: events.length });
}

test('a trace cut anywhere is a report with a problem, or a refusal with a reason, never anything else', async () => {
  await fc.assert(
    fc.asyncProperty(rankEvents, fc.double({ min: 0, max: 0.999, noNaN: true }), async (events, share) => {
      const whole = trace(events);
      const cut = { ...whole, text: whole.text.slice(0, Math.floor(share * whole.text.length)) };
      try {
        const { problems } = await analyze([cut]);
        expect(problems.map((p) => p.kind)).toContain('truncated-file');
      } catch (error) {
        expect(error).toBeInstanceOf(InputRefused);
      }
    }),
  );
});

test('one bad file does not cost the run its report; only bad files do', async () => {
  const good = trace([
    hostEvent('ProfilerStep#1', 0, 100, { cat: 'user_annotation' }),
    runtimeEvent('cudaLaunchKernel', 1, 1, 1),
    kernelEvent('k', 5, 50, 1),
  ]);
  const bad = { path: 'notes.txt', text: 'remember the milk' };
  const { artifacts, problems } = await analyze([bad, good]);
  expect(artifacts.map((a) => a.format)).toEqual(['unknown', 'kineto']);
  expect(problems.find((p) => p.kind === 'unrecognized-artifact')).toMatchObject({
    count: 1,
    paths: ['notes.txt'],
  });
  await expect(analyze([bad])).rejects.toMatchObject({ code: 'unknown-format' });
  await expect(analyze([])).rejects.toMatchObject({ code: 'nothing-to-read' });
});

test('two traces that claim one rank: the first counts, and the report says so', async () => {
  const events = [
    hostEvent('ProfilerStep#1', 0, 100, { cat: 'user_annotation' }),
    runtimeEvent('cudaLaunchKernel', 1, 1, 1),
    kernelEvent('k', 5, 50, 1),
  ];
  const { ranks, problems } = await analyze([trace(events, 0), { ...trace(events, 0), path: 'again.json' }]);
  expect(ranks).toHaveLength(1);
  expect(problems.find((p) => p.kind === 'duplicate-rank')).toMatchObject({ paths: ['again.json'] });
});

test('a rule that breaks costs only itself', async () => {
  const { applyRules, RULES } = await import('./rules');
  const { gatherFacts } = await import('./attribution/run-facts');
  const { ProblemLog } = await import('./timeline/problem');
  const problems = new ProblemLog();
  const broken = {
    ...RULES[0],
    id: 'broken',
    diagnose: () => {
      throw new Error('defect');
    },
  };
  const { outcomes } = applyRules(gatherFacts([], [], [], problems), optionsInUse([]), problems, [
    broken,
    ...RULES,
  ]);
  expect(outcomes[0]).toEqual({ rule: 'broken', outcome: 'failed', reason: 'Error: defect' });
  expect(outcomes).toHaveLength(RULES.length + 1);
  expect(problems.count('rule-failed')).toBe(1);
});
