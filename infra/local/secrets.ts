import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { errorCode, LocalStackError } from './local-stack-error';

/**
 * The named secrets out of a JSON file that only its owner may read; the ones it does not hold yet are generated
 * (48 hexadecimal digits, safe in URLs and configuration files) and added.
 */
export function readOrCreateSecrets<Name extends string>(
  file: string,
  names: readonly Name[],
): Record<Name, string> {
  const stored = readSecrets(file);
  const missing = names.filter((name) => stored[name] === undefined);
  for (const name of missing) stored[name] = randomBytes(24).toString('hex');
  if (missing.length > 0) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  }
  return Object.fromEntries(names.map((name) => [name, stored[name]])) as Record<Name, string>;
}

function readSecrets(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new LocalStackError(
      'secrets_unreadable',
      `${file} cannot be read.`,
      'It holds the passwords of the local servers: restore it, or delete the whole data folder to start anew.',
      { cause: error },
    );
  }
}
