import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ApiClient, type Run, type RunMetadata } from '../../../src/cli/client/api-client';
import { uploadRun } from '../../../src/cli/client/upload-run';
import { type Log } from '../local-stack-error';
import { listSampleRuns, type SampleRun } from './sample-runs';
import { waitForEnd } from './show-runs';

const TAG = 'repeated-recordings';
const GOOD = 'data_starved__fixed';
const BAD = 'data_starved';
const GOOD_NIGHTS = 14;
const NIGHTS = 19;
const dayMs = 86_400_000;

/**
 * A team has a history, which two recordings are not: uploads them over and over as nightly runs, the good one first, and makes a
 * ladder of the two. Does nothing when an earlier start has done so.
 */
export async function uploadHistory(
  server: string,
  token: string,
  samplesDir: string,
  print: Log,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const known = await fetch(`${server}/v1/runs?tag=${TAG}&limit=1`, { headers });
  if (((await known.json()) as { items: unknown[] }).items.length > 0) return;
  print(
    `Uploading ${NIGHTS} nightly runs, the same two recordings over and over, for trends and regressions …`,
  );
  const client = new ApiClient(server, token);
  const samples = new Map(listSampleRuns(samplesDir).map((sample) => [sample.name, sample]));
  const runs: Run[] = [];
  for (let night = 0; night < NIGHTS; night++) {
    const sample = samples.get(night < GOOD_NIGHTS ? GOOD : BAD);
    if (!sample) throw new Error(`${join(samplesDir, GOOD)} and ${BAD} are missing`);
    runs.push(await uploadRun(client, nightlyMetadata(sample, night), sample.files));
  }
  for (const run of runs) await waitForEnd(client, run, 'nightly', () => undefined);
  await makeLadder(server, headers, [
    { runId: runs[NIGHTS - 1].id, label: 'no loader workers' },
    { runId: runs[0].id, label: '4 loader workers, pinned memory' },
  ]);
  print('The history is there; what regressed is told within seconds.');
}

async function makeLadder(
  server: string,
  headers: Record<string, string>,
  rungs: { runId: string; label: string }[],
): Promise<void> {
  const ask = async (method: string, path: string, body: object) => {
    const response = await fetch(server + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`no ladder: ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const { id } = await ask('POST', '/v1/ladders', { name: 'Loader of gpt-136m' });
  await ask('PUT', `/v1/ladders/${id}/rungs`, { rungs });
}

function nightlyMetadata({ name, metadata }: SampleRun, night: number): RunMetadata {
  const startedAt = new Date(Date.now() - (NIGHTS - 1 - night) * dayMs).toISOString();
  return {
    ...metadata,
    workload: 'nightly',
    branch: 'main',
    commit: createHash('sha1').update(`${name} ${night}`).digest('hex'),
    // The loader's settings are what changes: they would make two series of it.
    comparability: 'nightly',
    startedAt,
    durationS: 8 * 3_600,
    tags: ['demo', TAG],
  };
}
