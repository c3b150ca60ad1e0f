import * as fc from 'fast-check';
import { ParsedTime, parseNumber, parseTime } from './number-parsing';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const numberOf = (text: string) => parseNumber(bytesOf(text), 0, bytesOf(text).length);

function timeOf(text: string): [us: number, ns: number] {
  const time = new ParsedTime();
  parseTime(bytesOf(text), 0, bytesOf(text).length, time);
  return [time.us, time.ns];
}

describe('parseTime', () => {
  it.each([
    ['0', 0, 0],
    ['-0', 0, 0],
    ['123', 123, 0],
    ['123.4', 123, 400],
    ['123.456', 123, 456],
    ['123.4564', 123, 456],
    ['123.4565', 123, 457],
    ['123.9995', 124, 0],
    ['123.99949999', 123, 999],
    ['-5.123', -6, 877],
    ['-0.001', -1, 999],
    ['-5', -5, 0],
    ['.5', 0, 500],
    ['5.', 5, 0],
    [' 1699.123\t', 1699, 123],
    ['1790857026000123.456', 1790857026000123, 456],
    ['1.790857026000123456e15', 1790857026000123, 456],
    ['1.790857026000123456E+15', 1790857026000123, 456],
    ['12345e-1', 1234, 500],
    ['12345e-9', 0, 0],
    ['1e-99', 0, 0],
    ['-1.5e1', -15, 0],
  ])('reads %s', (text, us, ns) => {
    expect(timeOf(text)).toEqual([us, ns]);
  });

  it.each(['', 'N/A', 'nan', 'null', '12a', '1.2.3', '-', '.', 'e5', '0x10', '9'.repeat(70) + 'e1'])(
    'refuses %s',
    (text) => {
      expect(timeOf(text)[0]).toBeNaN();
    },
  );

  it.each(['inf', '-Infinity', '1e99'])('reads %s as endless', (text) => {
    expect(Math.abs(timeOf(text)[0])).toBe(Infinity);
  });

  it('keeps every nanosecond of a time since 1970', () => {
    const moments = fc.tuple(
      fc.boolean(),
      fc.integer({ min: 0, max: 2 ** 52 }),
      fc.integer({ min: 0, max: 999 }),
    );
    fc.assert(
      fc.property(moments, ([negative, us, ns]) => {
        const text = `${negative ? '-' : ''}${us}.${String(ns).padStart(3, '0')}`;
        const time = timeOf(text);
        const total = BigInt(time[0]) * 1000n + BigInt(time[1]);
        expect(total).toBe((BigInt(us) * 1000n + BigInt(ns)) * (negative ? -1n : 1n));
      }),
    );
  });
});

describe('parseNumber', () => {
  it('agrees with JSON.parse', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })), (value) => {
        expect(numberOf(JSON.stringify(value))).toBe(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    ['10159970886766084423', Number('10159970886766084423')],
    ['inf', Infinity],
    ['-inf', -Infinity],
    ['Infinity', Infinity],
  ])('reads %s', (text, value) => {
    expect(numberOf(text)).toBe(value);
  });

  it.each(['', 'N/A', 'nan', 'true', '1 2', '1,2', '-', '9'.repeat(99)])('refuses %s', (text) => {
    expect(numberOf(text)).toBeNaN();
  });
});
