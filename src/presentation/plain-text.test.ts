import { plainText } from './plain-text';

test.each([
  ['an escape sequence', 'a\u001b[31mb', 'a [31mb'],
  ['one of a single character', 'a\u009b31mb', 'a 31mb'],
  ['a turn of the direction', 'a\u202eb', 'a b'],
  ['line ends', 'a\r\nb', 'a b'],
  ['letters of any script', 'ünï 訓練', 'ünï 訓練'],
])('%s', (_, text, plain) => {
  expect(plainText(text)).toBe(plain);
});
