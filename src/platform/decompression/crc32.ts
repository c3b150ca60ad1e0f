import * as zlib from 'node:zlib';

/** CRC-32 (ISO 3309) of `data`, going on from `previous`. */
export type Crc32 = (data: Uint8Array, previous: number) => number;

function crc32Table(): Uint32Array {
  const table = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    table[byte] = value >>> 0;
  }
  return table;
}

const TABLE = crc32Table();

/** The same in JavaScript, a byte at a time: for Node before 20.15, whose zlib has no `crc32`. */
export const portableCrc32: Crc32 = (data, previous) => {
  let crc = ~previous;
  for (let i = 0; i < data.length; i++) crc = TABLE[(crc ^ data[i]) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
};

/** The fastest CRC-32 that this Node has. */
export const crc32: Crc32 = (zlib as { crc32?: Crc32 }).crc32 ?? portableCrc32;
