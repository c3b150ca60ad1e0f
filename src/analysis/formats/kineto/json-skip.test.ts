import * as fc from 'fast-check';
import { INCOMPLETE, malformedPosition, MAX_DEPTH, skipValue } from './json-skip';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const skip = (text: string) => skipValue(bytesOf(text), 0, bytesOf(text).length);

/** Values that kineto could write, laid out in any way. */
const values = fc
  .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe('skipValue', () => {
  it('ends where the value ends', () => {
    fc.assert(
      fc.property(values, fc.constantFrom('}', ' }', ',"k":1', '\n, "k":1}'), (value, after) => {
        expect(skip(value + after)).toBe(bytesOf(value).length);
      }),
    );
  });

  it('asks for more at every cut', () => {
    fc.assert(
      fc.property(values, fc.nat(), (value, at) => {
        const bytes = bytesOf(value);
        expect(skipValue(bytes, 0, at % bytes.length)).toBe(
          at % bytes.length === 0 ? skipValue(bytes, 0, 0) : INCOMPLETE,
        );
      }),
    );
  });

  it.each([
    ['"a "quoted" name", "k": 1', 17],
    ['"f("x", 1)", "k": 1', 11],
    ['"path\\q"}', 8],
    ['N/A, "k"', 3],
    ['-inf}', 4],
    ['["a "b" c", 1], ', 14],
  ])('steps over %s', (text, end) => {
    expect(skip(text)).toBe(end);
  });

  it.each(['{"a": 1, {"b": 2}}', '[1, 2}', '{"a": 1]', '[{"a": [}]'])('finds the fault in %s', (text) => {
    const status = skip(text);
    expect(status).toBeLessThan(INCOMPLETE);
    expect(malformedPosition(status)).toBeLessThan(text.length);
  });

  it('follows nesting to its bound and no further', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(skip(nested(MAX_DEPTH))).toBe(2 * MAX_DEPTH);
    expect(skip(nested(MAX_DEPTH + 1))).toBeLessThan(INCOMPLETE);
    expect(skip('['.repeat(1_000_000))).toBeLessThan(INCOMPLETE);
  });
});
