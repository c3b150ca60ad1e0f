import { loadConfig, loadDatabaseConfig, loadWorkerConfig } from '../../src/platform/config';
import { variableGroups } from '../../src/platform/config/environment';

/** Which part of the product a container runs, told by its command. */
export type Role = 'api' | 'worker' | 'migrate';

const known = new Set(Object.values(variableGroups).flatMap((group) => Object.keys(group)));

/** The role of a command; throws Error for one that is none of ours. */
export function roleOf(command: readonly string[]): Role {
  switch (command.join(' ')) {
    case 'node dist/src/main.js':
      return 'api';
    case 'node dist/workers/main.js':
      return 'worker';
    case 'node dist/src/main.js migrate':
      return 'migrate';
    default:
      throw new Error(`No part of the product runs by: ${command.join(' ')}`);
  }
}

/** What is wrong with the environment of a container: unknown variables, missing ones, bad values. */
export function environmentFaults(role: Role, env: Record<string, string>): string[] {
  const unknown = Object.keys(env)
    .filter((name) => !known.has(name))
    .map((name) => `${name} is no variable of the product`);
  try {
    if (role === 'api') loadConfig(env);
    else if (role === 'worker') loadWorkerConfig(env);
    else loadDatabaseConfig(env);
    return unknown;
  } catch (error) {
    return [...unknown, (error as Error).message];
  }
}
