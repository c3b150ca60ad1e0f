import { formatChange, formatChangeRatio, movement } from './change-words';

it('says how a figure moved', () => {
  const step = { metricId: 'step-time', unit: 'ns', before: 1e8, after: 1.2e8, changeRatio: 0.2 };
  expect(movement(step)).toBe('rose from 100 ms to 120 ms');
  expect(movement({ ...step, metricId: 'mfu', unit: 'ratio', before: 0.4, after: 0.31 })).toBe(
    'fell from 40 % to 31 %',
  );
});

it('gives changes a sign, and nothing none', () => {
  expect([2e7, -2e7, 0, 0.2].map(formatChange)).toEqual(['+20.0 ms', '−20.0 ms', '0', '+0.20 ns']);
  expect([2.4, -0.05, 0, 1e-6, null].map(formatChangeRatio)).toEqual([
    '+240 %',
    '−5.0 %',
    '0 %',
    '0.0 %',
    '',
  ]);
});
