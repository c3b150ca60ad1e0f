import { axisStart, waterfallBars } from './waterfall-bars';

const change = (part: 'compute' | 'inputWait' | 'launchGap' | 'allocator', changeNs: number) => ({
  ...{ part, beforeNs: 0, afterNs: changeNs, changeNs },
});

describe('the bars of a waterfall', () => {
  it('lead from the step before to the step after without a gap', () => {
    const parts = [change('inputWait', 30), change('compute', -10), change('allocator', 0)];
    expect(waterfallBars({ beforeNs: 100, afterNs: 120, parts })).toEqual([
      { label: 'before', fromNs: 0, toNs: 100, isStep: true },
      { label: 'waiting for input', fromNs: 100, toNs: 130, isStep: false },
      { label: 'compute', fromNs: 130, toNs: 120, isStep: false },
      { label: 'after', fromNs: 0, toNs: 120, isStep: true },
    ]);
  });

  it('put what is too small to see into one, which takes up the rest', () => {
    const parts = [change('inputWait', 1_000), change('compute', 3), change('launchGap', -1)];
    const bars = waterfallBars({ beforeNs: 5_000, afterNs: 6_002, parts });
    expect(bars.map(({ label }) => label)).toEqual(['before', 'waiting for input', 'other parts', 'after']);
    expect(bars[2]).toEqual({ label: 'other parts', fromNs: 6_000, toNs: 6_002, isStep: false });
  });

  it('are two when nothing changed', () => {
    const bars = waterfallBars({ beforeNs: 7, afterNs: 7, parts: [change('compute', 0)] });
    expect(bars.map(({ toNs }) => toNs)).toEqual([7, 7]);
    expect(axisStart(bars)).toBe(0);
  });

  it('begin near the steps where changes are small beside them', () => {
    const ending = (beforeNs: number, afterNs: number) =>
      axisStart(waterfallBars({ beforeNs, afterNs, parts: [change('compute', afterNs - beforeNs)] }));
    expect(ending(100, 200)).toBe(0);
    expect(ending(1_000, 1_012)).toBe(980);
    expect(ending(1_012, 1_000)).toBe(980);
  });
});
