import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORPUS } from '../corpus/corpus-folder';
import { type TeamClient, type UploadFile } from './pipeline-bench';
import { until } from './until';

const FILES = /^(rank0\.pt\.trace\.json\.gz|step_times\.rank0\.jsonl|meta\.rank0\.json)$/;
const HOUR_MS = 3_600_000;
const FIRST_MS = Date.UTC(2026, 4, 1);
const UPLOADS_AT_ONCE = 4;
/** Another seventh of the steps is left out of every repeat, so that repeats differ as true ones do. */
const LEFT_OUT = 7;

/** A run of the history: a recording, where it stands, and what it belongs to. */
export interface HistoryRun {
  recording: string;
  model: string;
  hour: number;
}

/** The files of a recording; of its step times another part for every `hour`. */
function filesOf({ recording, hour }: HistoryRun): UploadFile[] {
  const folder = join(CORPUS, 'h200', recording);
  const names = readdirSync(folder).filter((name) => FILES.test(name));
  return names.map((name) => {
    const bytes = readFileSync(join(folder, name));
    if (!name.startsWith('step_times')) return { name, bytes };
    const lines = bytes.toString().trim().split('\n');
    const kept = lines.filter((_, step) => lines.length < 20 || step % LEFT_OUT !== hour % LEFT_OUT);
    return { name, bytes: Buffer.from(`${kept.join('\n')}\n`) };
  });
}

/** Uploads runs as a training job would, and waits until each is analysed and judged; gives their ids in the same order. */
export async function uploadHistory(client: TeamClient, runs: readonly HistoryRun[]): Promise<string[]> {
  const ids: string[] = [];
  const waiting = runs.map((run, i) => ({ run, i }));
  const uploadNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { run, i } = next;
      ids[i] = await client.upload(filesOf(run), {
        ...{ model: run.model, cluster: 'h200', branch: 'main', commit: `c${run.hour}`, worldSize: 1 },
        startedAt: new Date(FIRST_MS + run.hour * HOUR_MS).toISOString(),
      });
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, uploadNext));
  for (const id of ids) await client.waitFor(id, ['done'], 120_000);
  for (const id of ids)
    await until(
      async () => {
        const { body } = await client.call<{ trend: object[] | null }>('GET', `/v1/runs/${id}`);
        return body.trend !== null;
      },
      `run ${id} is judged`,
      60_000,
    );
  return ids;
}
