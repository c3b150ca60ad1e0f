import { type Command, Option } from 'commander';
import { ApiClient, type Run } from './client/api-client';
import { ApiError } from './client/api-error';
import { joinRun } from './client/upload-run';
import { listFiles } from './list-artifacts';
import { addRunFlags, refuseFailed, type RunFlags, uploadFiles } from './run-flags';
import { addServerFlags, explainRefusals, type ServerFlags } from './server-flags';
import { readSpool, type SpoolContent } from './spool-recordings';
import { uploadProgress } from './upload-progress';
import { UsageError } from './usage-error';

interface UploadFlags extends ServerFlags, Partial<RunFlags> {
  runKey?: string;
  quiet?: boolean;
}

/** `stallscope upload PATH`: what the post-hook does, by hand. */
export function addUploadCommand(program: Command): void {
  const command = program
    .command('upload')
    .description(
      "upload a trace, a run's folder, or what the post-hook left in its spool, and queue its analysis; again after a " +
        'failure, and it goes on where it was cut',
    )
    .argument('<path>', "a trace, a run's folder, a spool of the post-hook or a recording in it");
  addServerFlags(command, 'runs:write')
    .option('--model <name>', 'model that was trained; a spool says it itself')
    .option('--cluster <name>', 'cluster that it was trained on; a spool says it itself')
    .addOption(
      new Option(
        '--run-key <word>',
        'one word for all uploads that are one run, as of the nodes of a job: each brings its files, in any order, with the ' +
          'same flags, within a day',
      )
        .env('STALLSCOPE_RUN_KEY')
        .conflicts('idempotencyKey'),
    )
    .option('--quiet', 'say nothing of how far it is');
  addRunFlags(command).action(upload);
}

async function upload(path: string, { server, token, ...flags }: UploadFlags): Promise<void> {
  const client = new ApiClient(server, token);
  const spool = await readSpool(path);
  await explainRefusals(server, async () => {
    if (spool) await uploadSpool(client, path, spool, flags);
    else await uploadFolder(client, path, flags);
  });
}

async function uploadFolder(
  client: ApiClient,
  path: string,
  { model, cluster, runKey, quiet = false, ...flags }: Omit<UploadFlags, keyof ServerFlags>,
): Promise<void> {
  if (model === undefined || cluster === undefined)
    throw new UsageError('give --model and --cluster, within which runs are compared.');
  const files = await listFiles(path);
  const said = { ...flags, model, cluster };
  printRun(client, await uploadFiles(client, path, files, said, uploadProgress(quiet), runKey));
}

/** Each run as the ranks would have sent it themselves. What was sent stays where it is: `stallscope flush` deletes it. */
async function uploadSpool(
  client: ApiClient,
  path: string,
  { runs, unfinished }: SpoolContent,
  { quiet = false, ...flags }: Omit<UploadFlags, keyof ServerFlags>,
): Promise<void> {
  // The run key may be in the environment for the hook; it is in the recordings already.
  const [flag] = Object.keys(flags).filter((name) => name !== 'runKey');
  if (flag !== undefined)
    throw new UsageError(
      `${path}: recordings of the post-hook say themselves what was run; leave out the flag for ${flag}.`,
    );
  const problems = unfinished.map(
    (folder) =>
      `${folder}: its job goes on, or was killed before its trace was packed; stallscope flush of the Python client sends it then.`,
  );
  for (const { key, body, files } of runs) {
    const progress = uploadProgress(quiet);
    try {
      printRun(client, await joinRun(client, body, files, key, progress.show).finally(progress.end));
    } catch (error) {
      // Of this run; the others may be fine.
      if (!(error instanceof ApiError || error instanceof UsageError)) throw error;
      problems.push(`${files[0].path}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new UsageError(`${problems[0]}${others(problems.length - 1)}`);
}

function others(count: number): string {
  return count === 0 ? '' : ` (And ${count} more.)`;
}

function printRun(client: ApiClient, run: Run): void {
  refuseFailed(run);
  process.stdout.write(`${client.reportUrl(run.id)}\n`);
}
