import { answer } from './answer';
import { type Explanation } from './explanation';

const none: Explanation = {
  ...{ clock: 'traced', beforeNs: 1e8, afterNs: 2e8, changeNs: 1e8, parts: [] },
  ...{ kernelClasses: [], kernels: [], ops: [], collectives: [], ranks: [] },
  ...{ stragglerRank: { before: null, after: null }, configuration: [], explainedByConfiguration: false },
};
const part = (changeNs: number) => ({ part: 'inputWait' as const, beforeNs: 0, afterNs: changeNs, changeNs });
const difference = (name: string, mayExplain: boolean) => {
  return { name, kind: 'loader', before: '8', after: null, mayExplain };
};

it('says how much of the change the largest part is', () => {
  expect(answer({ ...none, parts: [part(9e7)] })).toBe('90.0 ms of the 100 ms are waiting for input.');
  expect(answer({ ...none, parts: [part(1.2e8)] })).toBe(
    'The step changed by +100 ms; most of it is waiting for input, +120 ms.',
  );
});

it('names what may explain it', () => {
  const configuration = [difference('a', false), ...['b', 'c', 'd'].map((name) => difference(name, true))];
  expect(answer({ ...none, parts: [part(9e7)], configuration })).toMatch(
    /input\. b \(8 → not said\), c \(8 → not said\) and 1 more may explain it\.$/,
  );
});
