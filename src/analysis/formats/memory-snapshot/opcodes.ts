/**
 * The pickle opcodes that plain dicts, lists, tuples, strings, numbers, booleans and None need (protocols 2 to 5). No other
 * is read: whatever names a class or a function, or calls one, is not in this list and never will be.
 */
export const Opcode = {
  proto: 0x80,
  frame: 0x95,
  stop: 0x2e,
  mark: 0x28,
  none: 0x4e,
  newTrue: 0x88,
  newFalse: 0x89,
  binInt: 0x4a,
  binInt1: 0x4b,
  binInt2: 0x4d,
  long1: 0x8a,
  binFloat: 0x47,
  shortBinUnicode: 0x8c,
  binUnicode: 0x58,
  binUnicode8: 0x8d,
  emptyDict: 0x7d,
  setItem: 0x73,
  setItems: 0x75,
  emptyList: 0x5d,
  append: 0x61,
  appends: 0x65,
  emptyTuple: 0x29,
  tuple: 0x74,
  tuple1: 0x85,
  tuple2: 0x86,
  tuple3: 0x87,
  memoize: 0x94,
  binPut: 0x71,
  longBinPut: 0x72,
  binGet: 0x68,
  longBinGet: 0x6a,
} as const;

/** Bytes that follow an opcode before any text or digits whose length they give; 255 for opcodes that are not read. */
export const ARGUMENT_BYTES = new Uint8Array(256).fill(255);
for (const code of Object.values(Opcode)) ARGUMENT_BYTES[code] = 0;
for (const code of [Opcode.proto, Opcode.binInt1, Opcode.long1, Opcode.shortBinUnicode])
  ARGUMENT_BYTES[code] = 1;
for (const code of [Opcode.binPut, Opcode.binGet]) ARGUMENT_BYTES[code] = 1;
ARGUMENT_BYTES[Opcode.binInt2] = 2;
for (const code of [Opcode.binInt, Opcode.binUnicode, Opcode.longBinPut, Opcode.longBinGet])
  ARGUMENT_BYTES[code] = 4;
for (const code of [Opcode.frame, Opcode.binFloat, Opcode.binUnicode8]) ARGUMENT_BYTES[code] = 8;

/** Opcodes that people should be told by name when a file is refused for them. */
export const REFUSED_NAMES: Readonly<Record<number, string>> = {
  0x63: 'GLOBAL',
  0x93: 'STACK_GLOBAL',
  0x52: 'REDUCE',
  0x62: 'BUILD',
  0x69: 'INST',
  0x6f: 'OBJ',
  0x81: 'NEWOBJ',
  0x92: 'NEWOBJ_EX',
  0x82: 'EXT1',
  0x83: 'EXT2',
  0x84: 'EXT4',
  0x50: 'PERSID',
  0x51: 'BINPERSID',
};
