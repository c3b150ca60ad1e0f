import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { preparePostgresBinaries } from '../../../infra/local/postgres-binaries';
import { choosePostgresPlace, type PostgresPlace } from '../../../infra/local/postgres-place';
import { temporaryFolder } from './temporary-folder';

const asRoot = process.getuid?.() === 0;
const folder = temporaryFolder();
const elsewhere: string[] = [];

function choose(dataDir: string): { place: PostgresPlace; lines: string[] } {
  const lines: string[] = [];
  const place = choosePostgresPlace(dataDir, (line) => lines.push(line));
  if (place.folder !== dataDir) elsewhere.push(place.folder);
  return { place, lines };
}

const readOnly: string[] = [];

afterAll(() => {
  for (const path of readOnly) chmodSync(path, 0o755);
  for (const path of elsewhere) rmSync(path, { recursive: true, force: true });
  folder.remove();
});

describe('the place of the database cluster', () => {
  it('is the data folder itself when the account of Postgres can enter it', () => {
    const { place, lines } = choose(folder.path);
    expect(place.folder).toBe(folder.path);
    expect(lines).toEqual([]);
    expect(place.account === undefined).toBe(!asRoot);
  });

  it('is elsewhere when a parent shuts that account out, and is found again', () => {
    const dataDir = join(folder.path, 'private', 'postgres');
    mkdirSync(dataDir, { recursive: true });
    chmodSync(dirname(dataDir), 0o700);
    const { place, lines } = choose(dataDir);
    // An ordinary user's Postgres runs under his own account, which can enter his private folders.
    expect(place.folder === dataDir).toBe(!asRoot);
    expect(lines).toHaveLength(asRoot ? 1 : 0);
    expect(choose(dataDir).place.folder).toBe(place.folder);
  });

  it('refuses to begin anew when the recorded place is gone', () => {
    const dataDir = join(folder.path, 'moved');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'location.json'), JSON.stringify({ folder: join(folder.path, 'nowhere') }));
    expect(() => choose(dataDir)).toThrow(
      expect.objectContaining({ code: 'postgres_folder_missing' }) as Error,
    );
  });

  it('runs an existing cluster under the account that owns it', () => {
    const dataDir = join(folder.path, 'existing');
    mkdirSync(join(dataDir, 'cluster'), { recursive: true });
    if (!asRoot) {
      expect(choose(dataDir).place.account).toBeUndefined();
      return;
    }
    const { place } = choose(folder.path);
    const { uid, gid } = place.account ?? { uid: -1, gid: -1 };
    expect(uid).toBeGreaterThan(0);
    expect(statSync(join(dataDir, 'cluster')).uid).toBe(0);
    expect(choose(dataDir).place.account).toEqual({ uid, gid });
  });
});

describe('the Postgres programs', () => {
  const { place } = choose(folder.path);

  function expectLinks(native: string): void {
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    expect(links.length).toBeGreaterThan(0);
    for (const { target } of links) expect(lstatSync(join(native, '..', target)).isSymbolicLink()).toBe(true);
  }

  it('run from node_modules, where the links that npm cannot hold are made', async () => {
    const binaries = await preparePostgresBinaries(place.account, folder.path, () => undefined);
    expect(binaries.postgres).toContain('node_modules');
    expectLinks(dirname(dirname(binaries.postgres)));
  });

  it('run from a copy when their account cannot reach or complete the package', async () => {
    const installed = dirname(
      dirname((await preparePostgresBinaries(undefined, folder.path, () => undefined)).initdb),
    );
    const native = join(folder.path, 'package', 'native');
    cpSync(installed, native, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
    // Shuts out the account of a Postgres that root starts, and keeps an ordinary user from making links.
    chmodSync(dirname(native), 0o700);
    chmodSync(join(native, 'lib'), 0o555);
    readOnly.push(join(native, 'lib'));
    const lines: string[] = [];
    const prepare = () =>
      preparePostgresBinaries(place.account, folder.path, (line) => lines.push(line), {
        native,
        version: '1',
      });
    const binaries = await prepare();
    expect(binaries.postgres.startsWith(join(folder.path, 'postgres-binaries-1'))).toBe(true);
    expectLinks(dirname(dirname(binaries.postgres)));
    expect(await prepare()).toEqual(binaries);
    expect(lines.filter((line) => line.includes('copying'))).toHaveLength(1);
  });
});
