import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrCreateSecrets } from './secrets';

describe('readOrCreateSecrets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const file = join(folder, 'secrets.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('generates what is missing, keeps what is there, and lets only the owner read it', () => {
    const { one } = readOrCreateSecrets(file, ['one']);
    expect(one).toMatch(/^[0-9a-f]{48}$/);
    const both = readOrCreateSecrets(file, ['one', 'two']);
    expect(both.one).toBe(one);
    expect(both.two).not.toBe(one);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(both);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });

  it('does not overwrite a file that it cannot read', () => {
    writeFileSync(file, '{"one": "half');
    expect(() => readOrCreateSecrets(file, ['one'])).toThrow(
      expect.objectContaining({ code: 'secrets_unreadable' }) as Error,
    );
    expect(readFileSync(file, 'utf8')).toBe('{"one": "half');
  });
});
