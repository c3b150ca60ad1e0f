import fc from 'fast-check';

/** Bytes overwritten, stretches cut out and stretches said twice. */
export const damage = fc.array(
  fc.record({
    kind: fc.constantFrom('overwrite', 'cut', 'repeat'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 1, max: 200 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** The file after these hits. */
export function damaged(file: Buffer, hits: typeof damage extends fc.Arbitrary<infer T> ? T : never): Buffer {
  return hits.reduce((bytes, { kind, at, length, bytes: noise }) => {
    const start = Math.floor(at * bytes.length);
    const [before, after] = [bytes.subarray(0, start), bytes.subarray(start)];
    if (kind === 'cut') return Buffer.concat([before, after.subarray(length)]);
    if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, length), after]);
    return Buffer.concat([before, noise, after.subarray(noise.length)]);
  }, file);
}
