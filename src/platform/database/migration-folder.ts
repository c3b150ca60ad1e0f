import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationError } from './migration-error';

/** One `prisma/migrations/<name>/migration.sql`. */
export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file, 64 hexadecimal digits, as Prisma stores it. */
  checksum: string;
}

/**
 * The migrations of a folder in the order they apply, which is that of their names. Plain files beside the
 * migration folders (migration_lock.toml) are passed over.
 */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new MigrationError(
      'migrations_unreadable',
      `The migrations folder ${folder} cannot be read.`,
      'Install the package again: the folder belongs to it.',
      { cause },
    );
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readMigration(folder, name)));
}

/** True when the text has this checksum with its own line ends, or with those of another operating system. */
export function matchesChecksum(migration: Migration, stored: string): boolean {
  const lf = migration.sql.replaceAll('\r\n', '\n');
  return [migration.sql, lf, lf.replaceAll('\n', '\r\n')].some((text) => sha256(text) === stored);
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const file = join(folder, name, 'migration.sql');
  try {
    const sql = await readFile(file, 'utf8');
    return { name, sql, checksum: sha256(sql) };
  } catch (cause) {
    throw new MigrationError(
      'migration_file_missing',
      `${file} cannot be read.`,
      'Restore the file, or remove its folder if that migration was never released.',
      { cause },
    );
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
