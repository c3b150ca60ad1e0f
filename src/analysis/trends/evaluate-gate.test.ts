import { evaluateGate, type GateEvidence } from './evaluate-gate';
import { gatePolicySchema } from './gate-policy';

const policy = (rule: object, rest: object = {}) =>
  gatePolicySchema.parse({ version: 1, rules: [{ metric: 'step-time', ...rule }], ...rest });
const evidence = (given: Partial<GateEvidence>) =>
  new Map([
    [
      'step-time',
      {
        direction: 'lower-is-better' as const,
        candidates: [100],
        reason: null,
        baseline: [100, 101, 99, 100.5, 99.5, 100.2],
        ...given,
      },
    ],
  ]);

describe('evaluateGate', () => {
  it.each([
    [{ maxWorseRatio: 0.03 }, { candidates: [101] }, 'pass', 'within-limits'],
    [{ maxWorseRatio: 0.03 }, { candidates: [110] }, 'fail', 'worse-than-allowed'],
    [{ maxWorseRatio: 0.03 }, { candidates: [50] }, 'pass', 'within-limits'],
    [
      { maxWorseRatio: 0.03 },
      { candidates: [90], direction: 'higher-is-better' },
      'fail',
      'worse-than-allowed',
    ],
    [{ maxWorseRatio: 0.03 }, { candidates: [], reason: 'no steps' }, 'inconclusive', 'not-measured'],
    [{ maxWorseRatio: 0.03 }, { baseline: [100, 101] }, 'inconclusive', 'too-few-baseline-runs'],
    [{ maxWorseRatio: 0.03 }, { baseline: [60, 140, 90, 120, 70] }, 'inconclusive', 'noise-hides-the-limit'],
    [{ maxWorseRatio: 0.03 }, { direction: 'neutral' }, 'inconclusive', 'no-direction'],
    [{ max: 99 }, { baseline: [] }, 'fail', 'above-maximum'],
    [{ max: 101 }, { baseline: [] }, 'pass', 'within-limits'],
    [{ min: 101 }, { baseline: [] }, 'fail', 'below-minimum'],
  ] as [object, Partial<GateEvidence>, string, string][])(
    '%j on %j is %s',
    (rule, given, outcome, reason) => {
      const result = evaluateGate(policy(rule), evidence(given));
      expect(result).toMatchObject({ outcome, rules: [{ outcome, reason }] });
    },
  );

  it('fails clearly even when noise is large', () => {
    const given = { candidates: [300], baseline: [60, 140, 90, 120, 70] };
    expect(evaluateGate(policy({ maxWorseRatio: 0.03 }), evidence(given)).outcome).toBe('fail');
  });

  it('is inconclusive about a metric of which nothing is known, or what the policy says instead', () => {
    const unknown = { metric: 'unheard-of' };
    expect(evaluateGate(policy({ ...unknown, max: 1 }), new Map()).outcome).toBe('inconclusive');
    expect(evaluateGate(policy({ ...unknown, max: 1 }, { onInconclusive: 'fail' }), new Map()).outcome).toBe(
      'fail',
    );
    expect(evaluateGate(policy({ ...unknown, max: 1 }, { onInconclusive: 'pass' }), new Map()).outcome).toBe(
      'pass',
    );
  });

  it('never lets an inconclusive rule hide a failed one', () => {
    const rules = [
      { metric: 'unheard-of', max: 1 },
      { metric: 'step-time', max: 1 },
    ];
    const both = gatePolicySchema.parse({ version: 1, rules, onInconclusive: 'pass' });
    expect(evaluateGate(both, evidence({})).outcome).toBe('fail');
  });

  it('judges against a single pinned run by the plain change', () => {
    const pinned = policy({ maxWorseRatio: 0.03 }, { minimumRuns: 1 });
    expect(evaluateGate(pinned, evidence({ baseline: [100], candidates: [102] })).outcome).toBe('pass');
    expect(evaluateGate(pinned, evidence({ baseline: [100], candidates: [104] })).outcome).toBe('fail');
  });
});

describe('gatePolicySchema', () => {
  it.each([
    {},
    { version: 2, rules: [{ metric: 'm', max: 1 }] },
    { version: 1, rules: [] },
    { version: 1, rules: [{ metric: 'm' }] },
    { version: 1, rules: [{ metric: 'm', maxWorseRatio: -1 }] },
    { version: 1, rules: [{ metric: 'm', max: 1, more: 1 }] },
  ])('refuses %j', (text) => {
    expect(gatePolicySchema.safeParse(text).success).toBe(false);
  });
});
