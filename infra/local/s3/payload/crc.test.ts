import { type Crc, crc32, crc32c, crc64Nvme } from './crc';

// Check values (the CRC of "123456789") of the catalogue of parametrised CRC algorithms.
const CHECKS: [string, () => Crc, string][] = [
  ['CRC-32', crc32, 'cbf43926'],
  ['CRC-32C', crc32c, 'e3069283'],
  ['CRC-64/NVME', crc64Nvme, 'ae8b14860a799888'],
];

describe.each(CHECKS)('%s', (_, start, check) => {
  it('gives the check value, in one piece or several', () => {
    for (const pieces of [['123456789'], ['1234', '', '56789'], [...'123456789']]) {
      const crc = start();
      for (const piece of pieces) crc.update(Buffer.from(piece));
      expect(crc.digest().toString('hex')).toBe(check);
    }
  });

  it('is zero for nothing', () => {
    expect(Number(`0x${start().digest().toString('hex')}`)).toBe(0);
  });
});
