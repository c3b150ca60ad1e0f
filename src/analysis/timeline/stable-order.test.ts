import * as fc from 'fast-check';
import { allRows, stableOrder } from './stable-order';

describe('stableOrder', () => {
  it('orders like a stable comparison sort, whatever runs the input has', () => {
    const runs = fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 90 }), { maxLength: 8 });
    fc.assert(
      fc.property(runs, fc.boolean(), (parts, sortEach) => {
        const values = parts.flatMap((part) => (sortEach ? [...part].sort((a, b) => a - b) : part));
        const expected = values.map((_, row) => row).sort((a, b) => values[a] - values[b] || a - b);
        const order = stableOrder(allRows(values.length), (a, b) => values[a] < values[b]);
        expect(Array.from(order)).toEqual(expected);
      }),
    );
  });

  it('sorts a reversed input in few steps', () => {
    let comparisons = 0;
    const count = 100_000;
    const order = stableOrder(allRows(count), (a, b) => {
      comparisons++;
      return a > b;
    });
    expect(order[0]).toBe(count - 1);
    expect(order[count - 1]).toBe(0);
    expect(comparisons).toBeLessThan(count * 32);
  });
});
