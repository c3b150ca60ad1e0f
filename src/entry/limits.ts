import { type OwnLimits, TeamLimitsRepository } from '../modules/quotas';
import { loadDatabaseConfig, loadQuotasConfig, longestRetentionDays } from '../platform/config';
import { integer, sizeBytes } from '../platform/config/variable-types';
import { Database } from '../platform/database';

/** What the command was told on its command line; each is a number, or `default`. */
export interface LimitsFlags {
  team: string;
  runsPerDay?: string;
  storedBytes?: string;
  concurrentAnalyses?: string;
  retentionDays?: string;
}

const largestInteger = 2_147_483_647;

/**
 * Sets limits of one team, and prints those that hold as one line of JSON; without flags it only prints. Throws Error when
 * there is no such team, or a value is none.
 */
export async function limits(flags: LimitsFlags): Promise<void> {
  const changes = readChanges(flags);
  const database = new Database(loadDatabaseConfig());
  try {
    await database.onModuleInit();
    const shown = await new TeamLimitsRepository(database, loadQuotasConfig()).change(flags.team, changes);
    if (!shown) throw new Error(`There is no team with the slug ${JSON.stringify(flags.team)}.`);
    console.log(JSON.stringify({ team: flags.team, ...shown }));
  } finally {
    await database.close();
  }
}

function readChanges(flags: LimitsFlags): Partial<OwnLimits> {
  const count = (flag: string, text: string, max: number) => read(flag, text, integer(1, max));
  const { runsPerDay, storedBytes, concurrentAnalyses, retentionDays } = flags;
  const changes: Partial<OwnLimits> = {};
  if (runsPerDay !== undefined) changes.maxRunsPerDay = count('--runs-per-day', runsPerDay, largestInteger);
  if (concurrentAnalyses !== undefined)
    changes.maxConcurrentAnalyses = count('--concurrent-analyses', concurrentAnalyses, largestInteger);
  if (retentionDays !== undefined)
    changes.retentionDays = count('--retention-days', retentionDays, longestRetentionDays);
  if (storedBytes !== undefined) {
    const bytes = read('--stored-bytes', storedBytes, sizeBytes());
    changes.maxStoredBytes = bytes === null ? null : BigInt(bytes);
  }
  return changes;
}

function read(flag: string, text: string, schema: ReturnType<typeof integer>): number | null {
  if (text === 'default') return null;
  const result = schema.safeParse(text);
  if (result.success) return result.data;
  throw new Error(`${flag} ${result.error.issues[0].message}, or default.`);
}
