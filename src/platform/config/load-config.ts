import { z } from 'zod';
import {
  type ApiConfig,
  type BootstrapConfig,
  type Config,
  type DatabaseConfig,
  toApiConfig,
  toConfig,
  toQuotasConfig,
} from './config';
import { apiEnvironmentSchema, workerEnvironmentSchema } from './environment';
import { quotaVariables } from './quota-variables';
import { authVariables, databaseVariables } from './server-variables';

type Env = Record<string, string | undefined>;

/** The environment is not usable. The message names every bad variable and never repeats a value. */
export class ConfigError extends Error {
  constructor(readonly lines: readonly string[]) {
    super(
      `The configuration is not usable:\n${lines.map((line) => `  - ${line}`).join('\n')}\n` +
        'Every variable is explained in .env.example.',
    );
    this.name = 'ConfigError';
  }
}

/** Reads and checks the environment of the API. Throws one `ConfigError` that names every bad variable. */
export function loadConfig(env: Env = process.env): ApiConfig {
  return toApiConfig(read(apiEnvironmentSchema, env));
}

/** The same for a worker, which is not told what only the API needs: it is not even read. */
export function loadWorkerConfig(env: Env = process.env): Config {
  return toConfig(read(workerEnvironmentSchema, env));
}

/** Reads only what is needed to reach Postgres, for commands that need nothing else, such as `migrate`. */
export function loadDatabaseConfig(env: Env = process.env): DatabaseConfig {
  const { DATABASE_URL, DATABASE_POOL_SIZE } = read(z.object(databaseVariables), env);
  return { url: DATABASE_URL, poolSize: DATABASE_POOL_SIZE };
}

/** Reads only the limits of teams that have none of their own, for commands that need nothing else. */
export function loadQuotasConfig(env: Env = process.env): Config['quotas'] {
  return toQuotasConfig(read(z.object(quotaVariables), env));
}

/**
 * The first team as the environment gives it, `given` before the environment. All three are needed here.
 */
export function loadBootstrapConfig(given: Env, env: Env = process.env): BootstrapConfig {
  const names = ['BOOTSTRAP_TEAM_SLUG', 'BOOTSTRAP_OWNER_EMAIL', 'BOOTSTRAP_OWNER_PASSWORD'] as const;
  const merged = Object.fromEntries(names.map((name) => [name, given[name] ?? env[name]]));
  const result = read(
    z.object({
      BOOTSTRAP_TEAM_SLUG: authVariables.BOOTSTRAP_TEAM_SLUG.unwrap(),
      BOOTSTRAP_OWNER_EMAIL: authVariables.BOOTSTRAP_OWNER_EMAIL.unwrap(),
      BOOTSTRAP_OWNER_PASSWORD: authVariables.BOOTSTRAP_OWNER_PASSWORD.unwrap(),
    }),
    merged,
  );
  return {
    teamSlug: result.BOOTSTRAP_TEAM_SLUG,
    ownerEmail: result.BOOTSTRAP_OWNER_EMAIL,
    ownerPassword: result.BOOTSTRAP_OWNER_PASSWORD,
  };
}

/** Password of the person that `bootstrap --member-email` adds; read from the environment, so that no process list shows it. */
export function loadMemberPassword(env: Env = process.env): string {
  return read(z.object({ BOOTSTRAP_MEMBER_PASSWORD: authVariables.BOOTSTRAP_OWNER_PASSWORD.unwrap() }), env)
    .BOOTSTRAP_MEMBER_PASSWORD;
}

function read<T extends z.ZodType>(schema: T, env: Env): z.output<T> {
  // Compose files and charts pass a variable that nobody set as an empty string.
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map((issue) => describe(issue, present)));
}

function describe(issue: z.core.$ZodIssue, env: Env): string {
  const name = String(issue.path[0] ?? 'environment');
  if (issue.code !== 'custom' && env[name] === undefined) return `${name} is required`;
  return `${name} ${issue.message}`;
}
