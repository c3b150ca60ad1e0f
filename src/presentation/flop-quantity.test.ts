import { formatCount, formatFlop } from './flop-quantity';

test.each([
  [185_008_669_065_216, 'flop', '185 Tflop'],
  [989.4e12, 'flopPerSec', '989 Tflop/s'],
  [1.5e27, 'flop', '1.50e+3 Yflop'],
  [0, 'flop', '0 flop'],
] as const)('%d %s is %s', (value, unit, text) => expect(formatFlop(value, unit)).toBe(text));

test.each([
  [7e9, '7.00 G'],
  [32768, '32.8 k'],
  [8192, '8192'],
  [0.5, '0.500'],
])('%d is %s', (value, text) => expect(formatCount(value)).toBe(text));
