import { amountOf, verdictOf } from './causes';
import { formatGpuHours } from './gpu-hours';

const usage = {
  ...{ runs: 2, runsWithGpuHours: 1, runsWithSteps: 2, gpuHours: 10, gains: [] },
  parts: [
    { part: 'compute' as const, gpuHours: 6, share: 0.6 },
    { part: 'exposedCommunication' as const, gpuHours: null, share: 0.4 },
  ],
  notComputing: { gpuHours: 4, share: 0.4 },
  verdicts: [{ verdict: 'straggler', runs: 1 }],
};

it.each([
  [0, '0'],
  [0.001, '< 0.01'],
  [0.25, '0.25'],
  [12.44, '12.4'],
  [123456.7, '123,457'],
])('writes %s GPU-hours as %s', (hours, text) => {
  expect(formatGpuHours(hours)).toBe(text);
});

it('takes what is not known for nothing else', () => {
  expect(amountOf(usage, 'all')).toEqual({ gpuHours: 4, share: 0.4 });
  expect(amountOf(usage, 'exposedCommunication')).toMatchObject({ gpuHours: null, share: 0.4 });
  expect(amountOf(usage, 'allocator')).toEqual({ gpuHours: null, share: null });
});

it('leads to runs by a verdict that some of them have', () => {
  expect(verdictOf(usage, 'exposedCommunication')).toBe('straggler');
  expect(verdictOf(usage, 'inputWait')).toBeUndefined();
  expect(verdictOf(usage, 'all')).toBeUndefined();
});
