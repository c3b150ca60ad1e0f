import { mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { lockFolder } from './folder-lock';
import { processIdentity } from './process-identity';

describe('lockFolder', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'folder-lock-'));
    file = join(folder, 'stack.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('refuses while the holder lives, and names it', () => {
    const lock = lockFolder(folder, 'stack');
    expect(() => lockFolder(folder, 'stack')).toThrow(`process ${process.pid} holds stack.lock`);
    lockFolder(folder, 'postgres').release();
    lock.release();
    lockFolder(folder, 'stack').release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['of a process that is gone', () => `${spawnSync(process.execPath, ['--version']).pid} x/1\n`],
    ['of a process whose id another one has got', () => `${process.pid} ${processIdentity(process.pid)}0\n`],
    ['that names a process and not its start', () => `${process.pid}\n`],
    ['that is empty, because its writer was killed', () => ''],
  ])('takes over a lock %s', (_, content) => {
    writeFileSync(file, content());
    const minuteAgoS = Date.now() / 1000 - 60;
    utimesSync(file, minuteAgoS, minuteAgoS);
    const lock = lockFolder(folder, 'stack');
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not take a lock that is being written', () => {
    writeFileSync(file, '');
    expect(() => lockFolder(folder, 'stack')).toThrow('already in use');
  });

  it('leaves a lock alone that somebody else has got meanwhile', () => {
    const lock = lockFolder(folder, 'stack');
    writeFileSync(file, '1 another\n');
    lock.release();
    expect(readFileSync(file, 'utf8')).toBe('1 another\n');
  });
});
