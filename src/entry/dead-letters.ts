import { DeadLettersRepository, RunDispatcher } from '../modules/ingestion';
import { operator } from '../platform/audit';
import { type Config, loadWorkerConfig } from '../platform/config';
import { Database, type DeadLetter } from '../platform/database';
import { createQueueBackend, JobQueue } from '../platform/queue';

/** Most dead letters that are listed, or retried by one command. */
const AT_ONCE = 10_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Prints the runs that failed because of the service, the latest first: a line each, or one JSON array. */
export async function listDeadLetters({ json = false }: { json?: boolean }): Promise<void> {
  await withLetters(async (letters) => {
    const found = await letters.list(AT_ONCE);
    if (json) return console.log(JSON.stringify(found));
    if (found.length === 0) return console.log('There are no dead letters.');
    for (const letter of found) console.log(toLine(letter));
  });
}

/**
 * Queues one dead letter again, or all, and prints which as one line of JSON. Throws Error when it is told neither or
 * both, or when the run is no dead letter.
 */
export async function retryDeadLetters(
  runId: string | undefined,
  { all = false }: { all?: boolean },
): Promise<void> {
  if ((runId === undefined) !== all) throw new Error('Name one run, or give --all.');
  if (runId !== undefined && !UUID.test(runId))
    throw new Error(`${JSON.stringify(runId)} is no id of a run.`);
  await withLetters(async (letters, config) => {
    const queue = new JobQueue(createQueueBackend(config.queue));
    try {
      const dispatcher = new RunDispatcher(queue);
      const retried: { runId: string; generation: number }[] = [];
      for (const id of runId === undefined ? (await letters.list(AT_ONCE)).map(({ id }) => id) : [runId]) {
        const run = await letters.retry(id, operator);
        // Somebody else was faster, when all are retried.
        if (!run) continue;
        await dispatcher.dispatch(run.teamId, { id, generation: run.generation });
        retried.push({ runId: id, generation: run.generation });
      }
      if (runId !== undefined && retried.length === 0) throw new Error(`The run ${runId} is no dead letter.`);
      console.log(JSON.stringify({ retried }));
    } finally {
      await queue.close();
    }
  });
}

async function withLetters(
  work: (letters: DeadLettersRepository, config: Config) => Promise<void>,
): Promise<void> {
  const config = loadWorkerConfig();
  const database = new Database(config.database);
  try {
    await database.onModuleInit();
    await work(new DeadLettersRepository(database), config);
  } finally {
    await database.close();
  }
}

function toLine({ id, teamSlug, failureCode, failureReason, failedAt, generation }: DeadLetter): string {
  return `${failedAt.toISOString()} ${teamSlug} ${id} generation ${generation} ${failureCode}: ${failureReason}`;
}
