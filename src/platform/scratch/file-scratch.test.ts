import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileScratch } from '.';

let folder: string;
const { TMPDIR } = process.env;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scratch-test-'));
  process.env.TMPDIR = folder;
});

afterEach(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(folder, { recursive: true });
});

test('what was written is read anywhere, and nothing has a name', () => {
  const scratch = fileScratch(1000);
  scratch.append(Uint8Array.of(1, 2, 3));
  scratch.append(Uint8Array.of(4, 5));
  const into = new Uint8Array(3);
  scratch.read(1, into);
  expect([...into]).toEqual([2, 3, 4]);
  expect(readdirSync(folder)).toEqual([]);
  scratch.close();
});

test('more than the bound is refused with what to do; what was not written is not read', () => {
  const scratch = fileScratch(4);
  scratch.append(Uint8Array.of(1, 2, 3, 4));
  expect(() => scratch.append(Uint8Array.of(5))).toThrow(
    expect.objectContaining({ code: 'INPUT_TOO_LARGE', message: expect.stringContaining('Record less') }),
  );
  expect(() => scratch.read(2, new Uint8Array(3))).toThrow(RangeError);
  scratch.close();
});
