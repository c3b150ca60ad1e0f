import { detectChange, type MetricHistory } from './detect-change';
import { DEFAULT_SHIFT_RULES } from './level-shift';

const history = (metricId: string, before: number, after: number, alerts = false): MetricHistory => ({
  ...{ metricId, alerts, direction: 'lower-is-better', rules: { ...DEFAULT_SHIFT_RULES, minChange: 0.5 } },
  points: [...Array<number>(20).fill(before), after, after, after].map((value, i) => ({
    value,
    commit: `c${i}`,
  })),
});

describe('detectChange', () => {
  it('tells what moved with the change, also from nothing, and leaves out what is nothing beside it', () => {
    const found = detectChange([
      history('step-time', 100, 150, true),
      history('input-wait', 0, 49),
      history('sync-wait', 0, 0.1),
      history('compute-time', 90, 90.1),
    ]);
    expect(found).toMatchObject({ metricId: 'step-time', kind: 'worse', firstIndex: 20 });
    expect(found?.moved).toEqual([
      { metricId: 'step-time', before: 100, after: 150, changeRatio: 0.5 },
      { metricId: 'input-wait', before: 0, after: 49, changeRatio: 0 },
    ]);
  });
});
