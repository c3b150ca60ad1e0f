import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A real file that cases are made of. */
export interface SeedFile {
  path: string;
  bytes: Buffer;
}

/** A run to analyse; the same seed and files always give the same one. */
export interface FuzzCase {
  artifacts: { path: string; bytes: Buffer }[];
  /** What was done to which file, for a person. */
  story: string;
}

/** Longer files are cut: an end in the middle is what a reader must bear anyway, and short ones give more cases a second. */
const MAX_SEED_BYTES = 300_000;

/** Files below `folders`, unpacked, in the order of their names. Notes about them are left out. */
export function collectSeedFiles(folders: readonly string[]): SeedFile[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^(README\.md|expected\.json|.*\.test\.ts)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => {
        const bytes = readFileSync(path);
        const unpacked = extname(path) === '.gz' ? gunzipSync(bytes) : bytes;
        return { path, bytes: unpacked.subarray(0, MAX_SEED_BYTES) };
      })
      .filter(({ bytes }) => bytes.length > 0),
  );
}

/** Random numbers in [0, 1) from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One to three files of a run: the first is damaged, the others may be whole. */
export function fuzzCase(seed: number, files: readonly SeedFile[]): FuzzCase {
  const random = seededRandom(seed);
  const pick = (): SeedFile => files[Math.floor(random() * files.length)];
  const count = random() < 0.6 ? 1 : random() < 0.7 ? 2 : 3;
  const stories: string[] = [];
  const artifacts = Array.from({ length: count }, (_, i) => {
    const file = pick();
    const whole = i > 0 && random() < 0.5;
    const { bytes, story } = whole
      ? { bytes: file.bytes, story: 'whole' }
      : damage(file.bytes, pick().bytes, random);
    stories.push(`${basename(file.path)}: ${story}`);
    return { path: `${i}-${basename(file.path).replace(/\.gz$/, '')}`, bytes };
  });
  return { artifacts, story: stories.join('; ') };
}

/** Numbers and words that readers of numbers trip over. */
const ODD_VALUES = [
  '0', '-0', '-1', '1e308', '1e999', '-1e999', '9007199254740993', '18446744073709551616', '99999999999999999999999999',
  '0.0000000001', 'NaN', 'nan', 'Infinity', '-inf', 'null', 'true', '""', '[]', '{}', '"__proto__"', 'constructor', '1.234,5', '\u0000',
]; // prettier-ignore

const MAX_DAMAGES = 5;

function damage(original: Buffer, other: Buffer, random: () => number): { bytes: Buffer; story: string } {
  const names: string[] = [];
  let bytes = original;
  const times = 1 + Math.floor(random() * MAX_DAMAGES);
  for (let i = 0; i < times && bytes.length > 0; i++) {
    const [name, apply] = DAMAGES[Math.floor(random() * DAMAGES.length)];
    names.push(name);
    bytes = apply(bytes, random, other);
  }
  return { bytes, story: names.join(', ') };
}

type Damage = (bytes: Buffer, random: () => number, other: Buffer) => Buffer;

const at = (bytes: Buffer, random: () => number): number => Math.floor(random() * bytes.length);
/** Mostly short stretches, sometimes most of the file. */
const stretch = (bytes: Buffer, random: () => number): [number, number] => {
  const start = at(bytes, random);
  return [start, start + 1 + Math.floor(random() ** 4 * (bytes.length - start))];
};

const DAMAGES: readonly (readonly [string, Damage])[] = [
  ['bytes flipped', (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let i = 0; i < 1 + random() * 20; i++) copy[at(copy, random)] = Math.floor(random() * 256);
    return copy;
  }],
  ['invalid UTF-8', (bytes, random) => insert(bytes, at(bytes, random), Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0xed, 0xa0, 0x80]))],
  ['cut short', (bytes, random) => bytes.subarray(0, at(bytes, random))],
  ['beginning lost', (bytes, random) => bytes.subarray(at(bytes, random))],
  ['stretch lost', (bytes, random) => {
    const [start, end] = stretch(bytes, random);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  }],
  ['stretch repeated', (bytes, random) => {
    const [start, end] = stretch(bytes, random);
    const copies = 1 + Math.floor(random() ** 3 * Math.min(50, 500_000 / (end - start)));
    return insert(bytes, start, Buffer.concat(Array.from({ length: copies }, () => bytes.subarray(start, end))));
  }],
  ['spliced with another file', (bytes, random, other) => {
    const [start, end] = stretch(other, random);
    return insert(bytes, at(bytes, random), other.subarray(start, end));
  }],
  ['odd numbers', (bytes, random) => replaceNumbers(bytes, random)],
  ['nested deeply', (bytes, random) => insert(bytes, at(bytes, random), Buffer.from((random() < 0.5 ? '[' : '{"a":').repeat(5_000)))],
  ['long line', (bytes, random) => insert(bytes, at(bytes, random), Buffer.alloc(200_000, random() < 0.5 ? 'x' : '"'))],
  ['line ends lost', (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', ' '), 'latin1')],
]; // prettier-ignore

function insert(bytes: Buffer, position: number, added: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, position), added, bytes.subarray(position)]);
}

/** Puts odd values in the place of a few numbers of a text, or of eight bytes where there are none near. */
function replaceNumbers(bytes: Buffer, random: () => number): Buffer {
  let text = bytes.toString('latin1');
  for (let i = 0; i < 1 + random() * 8; i++) {
    const start = Math.floor(random() * text.length);
    const number = /-?\d+(?:\.\d+)?/.exec(text.slice(start, start + 4_000));
    const odd = ODD_VALUES[Math.floor(random() * ODD_VALUES.length)];
    const from = start + (number?.index ?? 0);
    text = text.slice(0, from) + odd + text.slice(from + (number?.[0].length ?? 8));
  }
  return Buffer.from(text, 'latin1');
}
