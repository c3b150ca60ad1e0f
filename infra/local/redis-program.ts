import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** BullMQ needs commands of Redis 6.2; every Valkey has them. */
const OLDEST_REDIS = [6, 2] as const;

export interface RedisProgram {
  path: string;
  name: 'redis-server' | 'valkey-server';
}

/** The first usable server program on the PATH, and what spoke against those that are not. */
export function findRedisServer(path: string | undefined): { program?: RedisProgram; refused: string[] } {
  const refused: string[] = [];
  for (const name of ['redis-server', 'valkey-server'] as const) {
    const file = findProgram(name, path);
    if (!file) continue;
    const problem = refusal(file);
    if (problem === undefined) return { program: { path: file, name }, refused };
    refused.push(`${file} ${problem}`);
  }
  return { refused };
}

/** The absolute path of an executable file, found as a shell would. */
export function findProgram(name: string, path: string | undefined): string | undefined {
  const candidates = (path ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

function refusal(file: string): string | undefined {
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  const version = /\bv=(\d+)\.(\d+)/.exec(stdout ?? '');
  if (status !== 0 || !version) return 'does not say its version';
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const [oldestMajor, oldestMinor] = OLDEST_REDIS;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `is version ${major}.${minor}, older than ${OLDEST_REDIS.join('.')}`;
}
