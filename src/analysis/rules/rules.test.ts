import { drawTimeline, type DrawOptions } from '../../../test/builders/draw-timeline';
import { optionsInUse } from '../advice/options-in-use';
import { attributeRank } from '../attribution/attribute-rank';
import { gatherFacts, type RunFacts } from '../attribution/run-facts';
import { type StepTimes } from '../formats/artifact-format';
import { type RuleOutcome } from '../report-schema';
import { ProblemLog } from '../timeline/problem';
import { stepTimesOf } from '../../../test/builders/step-times';
import { applyRules } from './index';

/** Columns of 100 µs: longer than the Python between two operators only from four columns on. */
const UNIT_NS = 100_000;

function facts(
  drawings: readonly string[],
  options: DrawOptions = {},
  stepTimes: StepTimes[] = [],
): RunFacts {
  const ranks = drawings.map((drawing, rank) =>
    attributeRank(
      rank,
      drawTimeline(drawing, { unitNs: UNIT_NS, rank, worldSize: drawings.length, ...options }),
      new ProblemLog(),
    ),
  );
  return gatherFacts(ranks, stepTimes, [], new ProblemLog());
}

function outcomes(run: RunFacts): Record<string, RuleOutcome['outcome']> {
  return Object.fromEntries(
    applyRules(run, optionsInUse([]), new ProblemLog()).outcomes.map((o) => [o.rule, o.outcome]),
  );
}

const first = (run: RunFacts): string | undefined =>
  applyRules(run, optionsInUse([]), new ProblemLog()).findings.at(0)?.rule;

const BUSY = `
  step    1.......................................
  op      oooooooooooooooooooooooooooooooooooooooo
  launch  a
  kernel  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`;

test('a busy device has no bottleneck outside itself, however much the host does', () => {
  const hidden = BUSY.replace(
    'op      oooooooooooooooooooooooooooooooooooooooo',
    'load     llllllllllllllllllllllllllllllllllll   ',
  );
  expect(first(facts([BUSY]))).toBeUndefined();
  expect(first(facts([hidden]))).toBeUndefined();
});

test('input-pipeline-starvation: from five per cent of the step on', () => {
  const starved = `
    step    1.......................................
    load    lll
    op         ooooooooooooooooooooooooooooooooooooo
    launch     a
    kernel     aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`;
  expect(first(facts([starved]))).toBe('input-pipeline-starvation');
  const nearly = starved
    .replace('load    lll', 'load    l  ')
    .replace('launch     a', 'launch   a  ')
    .replace('kernel     aa', 'kernel   aaaa')
    .replace('op         oo', 'op       oooo');
  expect(outcomes(facts([nearly]))['input-pipeline-starvation']).toBe('absent');
});

test('host-cpu-bound: a long stretch of user code with an empty device', () => {
  const bound = `
    step    1.......................................
    op      oo                  oooooooooooooooooooo
    launch  a                   b
    kernel  aaaa                bbbbbbbbbbbbbbbbbbbb`;
  expect(first(facts([bound]))).toBe('host-cpu-bound');
  expect(
    outcomes(
      facts([
        bound
          .replace('kernel  aaaa  ', 'kernel  aaaaaa')
          .replace('aaaaaa              ', 'aaaaaaaaaaaaaaaaaaaa'),
      ]),
    )['host-cpu-bound'],
  ).toBe('absent');
});

test('host-cpu-bound: a profile of the host names functions, and the fix of the dominant activity comes first', () => {
  const bound = `
    step      1.......................................
    tokenise     tttttttttttttttt
    op        oo                  oooooooooooooooooooo
    launch    a                   b
    kernel    aaaa                bbbbbbbbbbbbbbbbbbbb`;
  const [finding] = applyRules(facts([bound]), optionsInUse([]), new ProblemLog()).findings;
  expect(finding).toMatchObject({ rule: 'host-cpu-bound', confidence: 'high' });
  expect(finding.evidence.host).toMatchObject({
    ...{ source: 'trace', role: 'main', unit: 'ns' },
    activities: [{ activity: 'tokenisation', share: 1 }],
    functions: [{ name: 'encode_batch', file: 'tokenizers/__init__.py', selfShare: 1 }],
  });
  expect(finding.fixes.map((f) => f.id).slice(0, 2)).toEqual([
    'tokenise-ahead',
    'move-host-work-off-the-loop',
  ]);
});

test('launch-overhead: framework work between short kernels', () => {
  const bound = `
    step    1.......................................
    op      oooooooooooooooooooooooooooooooooooooooo
    launch  a       b       c       d       e
    kernel  aa      bb      cc      dd      eeeeeeee`;
  expect(first(facts([bound]))).toBe('launch-overhead');
});

test('allocator-churn: driver calls of the allocator with an empty device', () => {
  const churn = `
    step    1.......................................
    op      oooooooooooooooooooooooooooooooooooooooo
    launch  a             b
    alloc      mmmmmmmmmmm
    kernel  aaa           bbbbbbbbbbbbbbbbbbbbbbbbbb`;
  expect(first(facts([churn]))).toBe('allocator-churn');
});

const EXPOSED = `
  step    1.......................................
  op      oooooooooooooooooooooooooooooooooooooooo
  launch  ab
  kernel  aaaaaaaaaa
  comm              bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb`;

test('exposed-communication: high confidence with all ranks, low with one, and says what cannot be known', () => {
  const both = applyRules(facts([EXPOSED, EXPOSED]), optionsInUse([]), new ProblemLog()).findings[0];
  expect([both.rule, both.confidence]).toEqual(['exposed-communication', 'high']);
  const one = applyRules(facts([EXPOSED], { worldSize: 2 }), optionsInUse([]), new ProblemLog());
  expect([one.findings[0].rule, one.findings[0].confidence]).toEqual(['exposed-communication', 'low']);
  expect(one.findings[0].evidence.figures).toContainEqual(
    expect.objectContaining({ id: 'exposed-transfer', value: null }),
  );
  expect(one.outcomes.find((o) => o.rule === 'straggler')?.outcome).toBe('not-measurable');
});

test('communication that compute covers is not worth a finding', () => {
  const covered = EXPOSED.replace('kernel  aaaaaaaaaa', 'kernel  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  expect(outcomes(facts([covered, covered]))['exposed-communication']).toBe('absent');
});

test('straggler: the others wait for user code of one rank', () => {
  const late = `
    step    1.......................................
    op      oo                              oooooooo
    launch  a                               b
    kernel  aaaaaaaaaa
    comm                                    bbbbbbbb`;
  const run = applyRules(facts([EXPOSED, late]), optionsInUse([]), new ProblemLog());
  expect(run.findings[0]).toMatchObject({ rule: 'straggler', evidence: { ranks: [1] } });
});

test('step-jitter: needs step times, and is told by mean against median', () => {
  const series = (values: number[]): StepTimes[] => [stepTimesOf(values.map((v) => v * UNIT_NS))];
  expect(outcomes(facts([BUSY]))['step-jitter']).toBe('not-measurable');
  expect(outcomes(facts([BUSY], {}, series([40, 40, 40, 41, 40, 39, 40, 40, 40, 41])))['step-jitter']).toBe(
    'absent',
  );
  expect(first(facts([BUSY], {}, series([40, 40, 40, 40, 40, 400, 40, 40, 40, 400])))).toBe('step-jitter');
});

test('without any device activity nothing about the device is claimed', () => {
  const answers = outcomes(facts(['step    1.........\nop      oooo']));
  for (const [rule, outcome] of Object.entries(answers))
    expect([rule, outcome]).toEqual([rule, 'not-measurable']);
});

test('costs never exceed the step, and the findings come costliest first', () => {
  for (const drawing of [EXPOSED, BUSY]) {
    const { findings } = applyRules(facts([drawing, drawing]), optionsInUse([]), new ProblemLog());
    for (const { costNs, expectedStepNs } of findings) {
      expect(costNs).toBeGreaterThan(0);
      expect(expectedStepNs).toBeGreaterThanOrEqual(0);
    }
  }
});
