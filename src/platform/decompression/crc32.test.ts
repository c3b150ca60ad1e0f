import { gzipSync } from 'node:zlib';
import { crc32, portableCrc32 } from './crc32';

describe.each([
  ['the fastest', crc32],
  ['the portable', portableCrc32],
])('%s CRC-32', (_, implementation) => {
  it('gives the check value of the standard', () => {
    expect(implementation(Buffer.from('123456789'), 0)).toBe(0xcbf43926);
    expect(implementation(Buffer.alloc(0), 0)).toBe(0);
  });

  it('agrees with gzip, and goes on from what came before', () => {
    const data = Buffer.from(Array.from({ length: 10_000 }, (__, i) => (i * 31 + (i >> 3)) & 0xff));
    const expected = gzipSync(data).readUInt32LE(gzipSync(data).length - 8);
    expect(implementation(data, 0)).toBe(expected);
    expect(implementation(data.subarray(333), implementation(data.subarray(0, 333), 0))).toBe(expected);
  });
});
