import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Account, canEnter, postgresAccount } from './account';
import { type Log, LocalStackError } from './local-stack-error';

/** Survives a reboot, unlike the temporary folder, which is tried second. */
const SYSTEM_DATA_DIR = '/var/lib/stallscope';

/** Where the cluster lives, and the account its server runs under (undefined: our own). */
export interface PostgresPlace {
  folder: string;
  clusterDir: string;
  account: Account | undefined;
}

/**
 * The folder for the database cluster: `dataDir`, or, when we are root and the account that Postgres must run
 * under cannot enter it, a folder elsewhere whose path is recorded in `<dataDir>/location.json`.
 */
export function choosePostgresPlace(dataDir: string, log: Log): PostgresPlace {
  const recorded = readLocation(dataDir);
  if (recorded) return recorded;
  const place = placeAt(dataDir);
  if (canEnter(dataDir, place.account)) return place;
  if (existsSync(place.clusterDir)) {
    throw new LocalStackError(
      'postgres_folder_unreachable',
      `The account that owns ${place.clusterDir} can no longer enter it.`,
      'Give it back the right to pass all parent folders (chmod o+x), or move the data folder.',
    );
  }
  const elsewhere = createElsewhere(place.account);
  writeFileSync(join(dataDir, 'location.json'), `${JSON.stringify({ folder: elsewhere })}\n`);
  log(
    `Postgres does not run as root and its account cannot enter ${dataDir}: the database is in ${elsewhere}.`,
  );
  return placeAt(elsewhere);
}

/** Deletes the folder elsewhere that `choosePostgresPlace` made for this data folder, if it made one. */
export function removePostgresElsewhere(dataDir: string): void {
  const folder = recordedFolder(dataDir);
  // The record is a file that anybody may have edited: only what looks like our folder is deleted.
  if (folder && /^postgres-\w{6}$/.test(basename(folder)) && existsSync(join(folder, 'cluster'))) {
    rmSync(folder, { recursive: true, force: true });
  }
}

function recordedFolder(dataDir: string): string | undefined {
  const file = join(dataDir, 'location.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { folder: string }).folder;
}

function readLocation(dataDir: string): PostgresPlace | undefined {
  const folder = recordedFolder(dataDir);
  if (folder === undefined) return undefined;
  if (existsSync(folder)) return placeAt(folder);
  const file = join(dataDir, 'location.json');
  throw new LocalStackError(
    'postgres_folder_missing',
    `${file} says that the database is in ${folder}, which no longer exists.`,
    `Restore that folder, or delete ${file} to begin with an empty database.`,
  );
}

function createElsewhere(account: Account | undefined): string {
  for (const parent of [SYSTEM_DATA_DIR, tmpdir()]) {
    try {
      mkdirSync(parent, { recursive: true, mode: 0o755 });
      const folder = mkdtempSync(join(parent, 'postgres-'));
      chmodSync(folder, 0o711);
      if (canEnter(folder, account)) return folder;
    } catch {
      continue;
    }
  }
  throw new LocalStackError(
    'postgres_folder_unreachable',
    `The account that Postgres must run under can enter neither the data folder nor ${SYSTEM_DATA_DIR} nor ${tmpdir()}.`,
    'Choose a data folder whose parents everybody may pass (chmod o+x), or set DATABASE_URL.',
  );
}

function placeAt(folder: string): PostgresPlace {
  const clusterDir = join(folder, 'cluster');
  return { folder, clusterDir, account: postgresAccount(clusterDir) };
}
