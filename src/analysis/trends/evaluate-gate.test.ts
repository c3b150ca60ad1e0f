import { evaluateGate, type GateEvidence } from './evaluate-gate';
import { type BaselineRun } from './gate-baseline';
import { gatePolicySchema } from './gate-policy';

const branch = { kind: 'branch', branch: 'main' };
const policy = (rule: object, rest: object = {}) =>
  gatePolicySchema.parse({
    version: 1,
    rules: [{ metric: 'step-time', ...rule }],
    baseline: branch,
    ...rest,
  });
const subject = { model: 'm', cluster: 'c', workload: '', failure: null };

/** Each value a run of a commit of its own, or of the commit that is given. */
const runs = (...values: (number | [number, string])[]): BaselineRun[] =>
  values.map((one, i) => {
    const [value, commit] = typeof one === 'number' ? [one, `c${i}`] : one;
    return { value, commit, runId: `r${i}`, at: new Date(i * 3_600_000).toISOString() };
  });
const evidence = (given: Partial<GateEvidence> = {}): GateEvidence => ({
  direction: 'lower-is-better',
  values: [100],
  notMeasured: null,
  baseline: runs(100, 101, 99, 100.5, 99.5, 100.2),
  fault: null,
  ...given,
});
const noisy = runs(60, 140, 90, 120, 70);
const threePercent = { maxWorseRatio: 0.03 };
const judge = (rule: object, given: Partial<GateEvidence>, rest: object = {}) =>
  evaluateGate(policy(rule, rest), subject, [evidence(given)]);

describe('evaluateGate', () => {
  it.each([
    [threePercent, { values: [101] }, 'pass', 'within-limits'],
    [threePercent, { values: [110] }, 'fail', 'worse-than-allowed'],
    [threePercent, { values: [50] }, 'pass', 'within-limits'],
    [threePercent, { values: [90], direction: 'higher-is-better' }, 'fail', 'worse-than-allowed'],
    [threePercent, { values: [], notMeasured: 'no steps' }, 'inconclusive', 'not-measured'],
    [threePercent, { baseline: runs(100, 101) }, 'inconclusive', 'too-little-evidence'],
    [threePercent, { baseline: [] }, 'inconclusive', 'too-little-evidence'],
    [threePercent, { baseline: noisy }, 'inconclusive', 'noise-hides-the-limit'],
    [threePercent, { baseline: runs(0, 0, 0, 0, 0) }, 'inconclusive', 'baseline-is-zero'],
    [threePercent, { baseline: runs(0, 0, 0, 0, 0), values: [0] }, 'pass', 'within-limits'],
    [threePercent, { direction: undefined }, 'inconclusive', 'unknown-metric'],
    [{ max: 99 }, { baseline: [] }, 'fail', 'above-maximum'],
    [{ max: 101 }, { baseline: [] }, 'pass', 'within-limits'],
    [{ min: 101 }, { baseline: [] }, 'fail', 'below-minimum'],
    [{ ...threePercent, max: 99 }, { baseline: [] }, 'fail', 'above-maximum'],
    [{ ...threePercent, max: 200 }, { baseline: [] }, 'inconclusive', 'too-little-evidence'],
  ] as [object, Partial<GateEvidence>, string, string][])('%j, case %#', (rule, given, outcome, reason) => {
    expect(judge(rule, given)).toMatchObject({ outcome, rules: [{ outcome, countsAs: outcome, reason }] });
  });

  it('fails clearly even when noise is large', () => {
    expect(judge(threePercent, { values: [300], baseline: noisy }).outcome).toBe('fail');
  });

  it('counts repeats of a commit once, wherever they stand', () => {
    const repeated = runs([100, 'a'], [101, 'b'], [100, 'a'], [99, 'a'], [101, 'b']);
    const { outcome, rules } = judge(threePercent, { baseline: repeated });
    expect(outcome).toBe('inconclusive');
    expect(rules[0].baseline).toMatchObject({ commits: 2, median: 100.5, low: 100, high: 101 });
    expect(rules[0].baseline?.runs).toHaveLength(5);
  });

  it('looks at the latest commits only', () => {
    const old = runs(
      ...Array.from({ length: 10 }, () => 500),
      ...Array.from({ length: 6 }, (_, i) => 100 + i / 10),
    );
    const baseline = { ...branch, commits: 6 };
    expect(judge(threePercent, { baseline: old }, { baseline }).rules[0]).toMatchObject({
      outcome: 'pass',
      baseline: { commits: 6, high: 100.5 },
    });
  });

  it('asks for as many runs as the policy does', () => {
    const minimumEvidence = { commits: 5, runs: 8 };
    expect(judge(threePercent, {}, { minimumEvidence }).rules[0].reason).toBe('too-little-evidence');
    expect(judge(threePercent, {}, { minimumEvidence: { commits: 5, runs: 6 } }).outcome).toBe('pass');
  });

  it('can tell more from repeats of the judged commit', () => {
    const baseline = runs(100, 104, 96, 102, 98, 103, 97, 101, 99, 100);
    const once = judge(threePercent, { baseline, values: [104] }).rules[0];
    const often = judge(threePercent, { baseline, values: Array.from({ length: 20 }, () => 104) }).rules[0];
    expect(often.noiseRatio ?? 1).toBeLessThan(once.noiseRatio ?? 0);
  });

  it('takes the noise of single runs, not of calm medians, for a single run', () => {
    const values = Array.from({ length: 6 }, (_, c) =>
      [90, 100, 110].map((v): [number, string] => [v, `c${c}`]),
    ).flat();
    expect(judge(threePercent, { baseline: runs(...values), values: [108] }).rules[0].reason).toBe(
      'noise-hides-the-limit',
    );
  });

  it('judges against a single pinned run by the plain change', () => {
    const pinned = { baseline: { kind: 'run', runId: '01890a5d-ac96-774b-bcce-b302099a8057' } };
    const against = (value: number) => judge(threePercent, { baseline: runs(100), values: [value] }, pinned);
    expect([against(102).outcome, against(104).outcome]).toEqual(['pass', 'fail']);
    expect(against(102).rules[0].noiseRatio).toBeNull();
  });

  it('says why there is no baseline', () => {
    const fault = { reason: 'baseline-run-later' as const, detail: 'd' };
    expect(judge(threePercent, { baseline: [], fault }).rules[0]).toMatchObject({
      outcome: 'inconclusive',
      ...fault,
    });
  });

  it('is inconclusive about a run that failed, or what the policy, or the rule, says instead', () => {
    const failed = { ...subject, failure: 'f' };
    const outcomeOf = (rule: object, rest: object) =>
      evaluateGate(policy(rule, rest), failed, [evidence()]).outcome;
    expect(outcomeOf({ max: 1 }, {})).toBe('inconclusive');
    expect(outcomeOf({ max: 1 }, { whenInconclusive: 'fail' })).toBe('fail');
    expect(outcomeOf({ max: 1 }, { whenInconclusive: 'pass' })).toBe('pass');
    expect(outcomeOf({ max: 1, whenInconclusive: 'fail' }, { whenInconclusive: 'pass' })).toBe('fail');
  });

  it('leaves out rules of another scope, and passes nothing that it did not judge', () => {
    const scoped = { max: 1, scope: { models: ['other'] } };
    const both = policy(
      {},
      {
        rules: [
          { metric: 'step-time', ...scoped },
          { metric: 'step-time', max: 200 },
        ],
      },
    );
    expect(evaluateGate(both, subject, [evidence(), evidence()])).toMatchObject({
      outcome: 'pass',
      rules: [{ outcome: 'not-applicable', countsAs: null }, { outcome: 'pass' }],
    });
    expect(judge(scoped, {}).outcome).toBe('inconclusive');
    expect(judge({ ...scoped, scope: { models: ['m'], workloads: ['w'] } }, {}).outcome).toBe('inconclusive');
  });

  it('never lets an inconclusive rule hide a failed one', () => {
    const rules = [
      { metric: 'mfu', max: 1 },
      { metric: 'step-time', max: 1 },
    ];
    const both = policy({}, { rules, whenInconclusive: 'pass' });
    expect(evaluateGate(both, subject, [evidence({ values: [] }), evidence()]).outcome).toBe('fail');
  });
});

describe('gatePolicySchema', () => {
  const faults = (given: object) =>
    gatePolicySchema.safeParse({ version: 1, ...given }).error?.issues.map(({ path }) => path.join('.'));
  const rule = (given: object, rest: object = {}) =>
    faults({ rules: [{ metric: 'step-time', ...given }], ...rest });
  it.each([
    ['no rules', faults({}), ['rules']],
    ['none', faults({ rules: [] }), ['rules']],
    ['another version', faults({ version: 2, rules: [{ metric: 'mfu', min: 0 }] }), ['version']],
    ['no bound', rule({}), ['rules.0.metric']],
    ['a metric that is none', rule({ metric: 'speed', max: 1 }), ['rules.0.metric']],
    ['a negative share', rule({ maxWorseRatio: -1 }, { baseline: branch }), ['rules.0.maxWorseRatio']],
    [
      'a change of a metric without direction',
      rule({ metric: 'compute-time', maxWorseRatio: 1 }, { baseline: branch }),
      ['rules.0.maxWorseRatio'],
    ],
    ['bounds that exclude each other', rule({ min: 2, max: 1 }), ['rules.0.min']],
    ['a change without a baseline', rule(threePercent), ['rules.0.baseline']],
    [
      'more evidence than is looked at',
      rule(threePercent, { baseline: { ...branch, commits: 3 } }),
      ['rules.0.minimumEvidence'],
    ],
    [
      'control characters',
      rule(threePercent, { baseline: { ...branch, branch: 'a\u0000' } }),
      ['baseline.branch'],
    ],
    ['an empty scope', rule({ max: 1, scope: {} }), ['rules.0.scope']],
    ['a baseline of its own', rule({ ...threePercent, baseline: branch }), undefined],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});
