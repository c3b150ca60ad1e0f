import { type Database } from '../../src/platform/database';
import { sampleRun, type TeamClient } from './pipeline-bench';
import { noisy } from './seed-history';
import { addAnalysedRun, type AnalysedRun, trendChores } from './trend-runs';
import { until } from './until';

const HOUR_MS = 3_600_000;
const GOOD_RUNS = 10;
const BAD_RUNS = 3;

interface Page {
  items: { id: string }[];
}

/** Uploads the nightly runs of a model, the last of which lost their data loader; gives the id of the explained regression. */
export async function uploadSlowerRuns(client: TeamClient, model = 'gpt-136m'): Promise<string> {
  const runIds: string[] = [];
  for (let n = 0; n < GOOD_RUNS + BAD_RUNS; n++) {
    const isGood = n < GOOD_RUNS;
    const metadata = {
      ...{ model, cluster: 'h200', branch: 'main', commit: `night-${n}`, dtype: 'bf16' },
      ...{ loader: { numWorkers: isGood ? 8 : 0 }, worldSize: 1, durationS: 3_600 },
      startedAt: new Date(Date.now() - (40 - n) * HOUR_MS).toISOString(),
    };
    runIds.push(await client.upload(sampleRun(isGood ? 'data_starved__fixed' : 'data_starved'), metadata));
  }
  for (const runId of runIds) await client.waitFor(runId, ['done'], 120_000);
  const find = async () => {
    const { body } = await client.call<Page>('GET', `/v1/regressions?model=${model}`);
    return body.items.at(0)?.id;
  };
  await until(async () => (await find()) !== undefined, `the regression of ${model} is found`, 60_000);
  const id = (await find()) ?? '';
  await untilExplained(client, id);
  return id;
}

/** Waits until somebody has looked for where the time went. */
export async function untilExplained(client: TeamClient, id: string): Promise<void> {
  await until(
    async () => {
      const { body } = await client.call<{ explainedAt: string | null }>('GET', `/v1/regressions/${id}`);
      return body.explainedAt !== null;
    },
    `the regression ${id} is explained`,
    60_000,
  );
}

/** Runs whose last three are a tenth slower, with reports that say nothing of why; gives the id of the regression. */
export async function addSlowerRuns(
  database: Database,
  client: TeamClient,
  place: Partial<AnalysedRun> & { model: string },
): Promise<string> {
  const startMs = Date.now() - 100 * HOUR_MS;
  for (let n = 0; n < 12 + BAD_RUNS; n++) {
    const metrics = { 'step-time': noisy(n, n < 12 ? 100e6 : 110e6) };
    const at = new Date(startMs + n * HOUR_MS);
    await addAnalysedRun(database, client.teamId, { at, commit: `commit-${n}`, metrics, ...place });
  }
  await trendChores(database).record();
  const path = `/v1/regressions?limit=1&model=${encodeURIComponent(place.model)}`;
  const { body } = await client.call<Page>('GET', path);
  return body.items[0].id;
}
