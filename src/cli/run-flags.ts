import { type Command, InvalidArgumentError } from 'commander';
import { type ApiClient, type Run } from './client/api-client';
import { type LocalFile } from './client/local-file';
import { joinRun, keyOf, uploadRun } from './client/upload-run';
import { readRunFile } from './read-run-file';
import { refuseUnknownFiles } from './refuse-unknown-files';
import { type ProgressDisplay } from './upload-progress';
import { UsageError } from './usage-error';

/** What a command that uploads is told of the run. */
export interface RunFlags {
  model: string;
  cluster: string;
  workload?: string;
  branch?: string;
  commit?: string;
  startedAt?: string;
  comparability?: string;
  worldSize?: number;
  durationS?: number;
  tag?: string[];
  metadata?: string;
  idempotencyKey?: string;
}

/** Adds the flags that say what was run; without `--model` and `--cluster`, which are not needed everywhere. */
export function addRunFlags(command: Command): Command {
  return command
    .option('--workload <name>')
    .option('--branch <name>')
    .option('--commit <sha>')
    .option('--started-at <time>', 'when the training ran, RFC 3339; default: now')
    .option('--comparability <word>', 'compare with the runs that share this word')
    .option('--world-size <n>', 'number of ranks', parseCount)
    .option('--duration-s <n>', 'how long the job ran, whole seconds; it gives GPU-hours', parseCount)
    .option('--tag <tag...>')
    .option(
      '--metadata <file>',
      'JSON object with further fields of POST /v1/runs, such as hardware, framework, batch; flags go before it',
    )
    .option(
      '--idempotency-key <key>',
      'the same key never makes a second run; default: made from metadata, names and content of the files, so that the ' +
        'same upload goes on where it was cut. A run that failed stays failed: give another key to upload it anew',
    );
}

/** Uploads the files as one run, which may have failed. `path`: what to call them; `runKey`: see `joinRun`. */
export async function uploadFiles(
  client: ApiClient,
  path: string,
  files: readonly LocalFile[],
  { tag, metadata, idempotencyKey, ...named }: RunFlags,
  progress: ProgressDisplay,
  runKey?: string,
): Promise<Run> {
  await refuseUnknownFiles(path, files);
  const described = metadata === undefined ? {} : await readRunFile(metadata);
  const request = { tags: [], ...described, ...named, ...(tag ? { tags: tag } : {}) };
  const upload =
    runKey === undefined
      ? uploadRun(client, request, files, idempotencyKey, progress.show)
      : joinRun(client, request, files, keyOf(request, runKey), progress.show);
  return upload.finally(progress.end);
}

/** Throws UsageError when the run that an upload led to failed before. */
export function refuseFailed({ id, state, failure }: Run): void {
  if (state !== 'failed') return;
  throw new UsageError(
    `the run ${id} of exactly these files and metadata failed: ${failure?.code ?? 'unknown'}: ${failure?.reason ?? ''} ` +
      'To upload them as a new run all the same, give another --idempotency-key.',
  );
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number above zero.');
  return count;
}
