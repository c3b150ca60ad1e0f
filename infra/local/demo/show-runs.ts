import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, type Run } from '../../../src/cli/client/api-client';
import { uploadRun } from '../../../src/cli/client/upload-run';
import { formatBytes, renderTerminal } from '../../../src/presentation';
import { type Log } from '../local-stack-error';
import { type SampleRun } from './sample-runs';

const POLL_MS = 200;
const PATIENCE_MS = 300_000;

/** Uploads each run through the public API, waits for its analysis, and prints the reports. */
export async function showRuns(client: ApiClient, samples: readonly SampleRun[], print: Log): Promise<void> {
  const runs: { sample: SampleRun; run: Run }[] = [];
  for (const sample of samples) {
    // The key makes a second start find the run of the first one instead of making another.
    const run = await uploadRun(client, sample.metadata, sample.files);
    const bytes = formatBytes(sample.files.reduce((sum, file) => sum + file.sizeBytes, 0));
    print(
      `  ${sample.name.padEnd(22)} ${String(sample.files.length).padStart(2)} files, ${bytes.padStart(8)}   run ${run.id}   ${run.state}`,
    );
    runs.push({ sample, run });
  }
  for (const entry of runs) entry.run = await waitForEnd(client, entry.run, entry.sample.name, print);
  for (const { sample, run } of runs) {
    print(`\n━━━ ${sample.name} ${'━'.repeat(Math.max(0, 104 - sample.name.length))}`);
    if (run.state === 'failed') print(`failed: ${run.failure?.code}: ${run.failure?.reason}`);
    else print(renderTerminal(await client.getReport(run.id), { color: process.stdout.isTTY === true }));
  }
}

/** Asks until the run is done or failed, and prints the states on the way. */
export async function waitForEnd(client: ApiClient, started: Run, name: string, print: Log): Promise<Run> {
  const deadlineMs = Date.now() + PATIENCE_MS;
  let { state } = started;
  for (let run = started; ; run = await client.getRun(run.id)) {
    if (run.state !== state) {
      state = run.state;
      print(`  ${name.padEnd(22)} ${state}`);
    }
    if (run.state === 'done' || run.state === 'failed') return run;
    if (Date.now() > deadlineMs)
      throw new Error(
        `${name} is still ${run.state} after ${PATIENCE_MS / 1000} s; see the logs of the workers.`,
      );
    await sleep(POLL_MS);
  }
}
