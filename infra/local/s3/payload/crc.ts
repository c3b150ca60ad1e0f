// Own tables: node:zlib has crc32 only from Node 20.15, and never CRC-32C or CRC-64/NVME.

/** A running CRC; `digest` gives its bytes in network order. */
export interface Crc {
  update(data: Uint8Array): void;
  digest(): Buffer;
}

function table32(reversedPolynomial: number): Uint32Array {
  const table = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ reversedPolynomial : value >>> 1;
    table[byte] = value >>> 0;
  }
  return table;
}

// Reversed polynomials: CRC-32 of ISO 3309, CRC-32C of RFC 3720.
const CRC32_TABLE = table32(0xedb88320);
const CRC32C_TABLE = table32(0x82f63b78);

function crcOf32Bits(table: Uint32Array): Crc {
  let crc = 0xffffffff;
  return {
    update(data) {
      for (let i = 0; i < data.length; i++) {
        crc = table[(crc ^ data[i]) & 0xff] ^ (crc >>> 8);
      }
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
      return bytes;
    },
  };
}

// Reversed polynomial of CRC-64/NVME (NVM Express base specification), as high and low halves.
const NVME_HIGH = 0x9a6c9329;
const NVME_LOW = 0xac4bc9b5;

function tables64(): [Uint32Array, Uint32Array] {
  const highs = new Uint32Array(256);
  const lows = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let [high, low] = [0, byte];
    for (let bit = 0; bit < 8; bit++) {
      const odd = low & 1;
      low = (low >>> 1) | ((high & 1) << 31);
      high >>>= 1;
      if (odd) [high, low] = [high ^ NVME_HIGH, low ^ NVME_LOW];
    }
    highs[byte] = high >>> 0;
    lows[byte] = low >>> 0;
  }
  return [highs, lows];
}

const [CRC64_HIGHS, CRC64_LOWS] = tables64();

export function crc32(): Crc {
  return crcOf32Bits(CRC32_TABLE);
}

export function crc32c(): Crc {
  return crcOf32Bits(CRC32C_TABLE);
}

/** CRC-64/NVME in two 32-bit halves: BigInt would be some fifty times slower. */
export function crc64Nvme(): Crc {
  let [high, low] = [0xffffffff, 0xffffffff];
  return {
    update(data) {
      for (let i = 0; i < data.length; i++) {
        const index = (low ^ data[i]) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ CRC64_LOWS[index];
        high = (high >>> 8) ^ CRC64_HIGHS[index];
      }
    },
    digest() {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt32BE(~high >>> 0, 0);
      bytes.writeUInt32BE(~low >>> 0, 4);
      return bytes;
    },
  };
}
