import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatBytes } from '../presentation';
import { ApiClient, type Run } from './client/api-client';
import { ApiError } from './client/api-error';
import { isConnectionFailure } from './client/retries';
import { type UploadProgress, uploadRun } from './client/upload-run';
import { readRunFile } from './read-run-file';
import { refuseUnknownFiles } from './refuse-unknown-files';
import { listFiles } from './list-artifacts';
import { UsageError } from './usage-error';

interface UploadFlags {
  server: string;
  token: string;
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

/** `stallscope upload PATH`: what the post-hook does, by hand. */
export function addUploadCommand(program: Command): void {
  program
    .command('upload')
    .description("upload a trace, or a run's folder, to a Stallscope server and queue its analysis")
    .argument('<path>', "a trace or a run's folder")
    .addOption(
      new Option('--server <url>', 'address of the server, for example https://stallscope.example')
        .env('STALLSCOPE_SERVER')
        .argParser(parseServer)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--token <token>', 'API token with the scope runs:write')
        .env('STALLSCOPE_TOKEN')
        .argParser(parseToken)
        .makeOptionMandatory(),
    )
    .requiredOption('--model <name>', 'model that was trained')
    .requiredOption('--cluster <name>', 'cluster that it was trained on')
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
    )
    .action(async (path: string, flags: UploadFlags) => {
      const files = await listFiles(path);
      await refuseUnknownFiles(path, files);
      const { server, token, tag, metadata: metadataFile, idempotencyKey, ...named } = flags;
      const described = metadataFile === undefined ? {} : await readRunFile(metadataFile);
      const client = new ApiClient(server, token);
      const progress = progressLine();
      try {
        const run = await uploadRun(
          client,
          { tags: [], ...described, ...named, ...(tag ? { tags: tag } : {}) },
          files,
          idempotencyKey,
          progress.show,
        ).finally(progress.end);
        if (run.state === 'failed') throw new UsageError(failedText(run));
        process.stdout.write(`${client.reportUrl(run.id)}\n`);
      } catch (error) {
        if (error instanceof ApiError) throw new UsageError(`${error.code}: ${error.message}`);
        if (isConnectionFailure(error))
          throw new UsageError(
            `${server}: the server cannot be reached; check the address, and that it is up.`,
          );
        throw error;
      }
    });
}

/** One line on a terminal that is written over and over; nothing where nobody watches. */
function progressLine() {
  let shown = false;
  return {
    show: ({ uploadedBytes, totalBytes }: UploadProgress) => {
      if (!process.stderr.isTTY) return;
      shown = true;
      process.stderr.write(`\ruploaded ${formatBytes(uploadedBytes)} of ${formatBytes(totalBytes)} `);
    },
    end: () => {
      if (shown) process.stderr.write('\n');
    },
  };
}

function failedText({ id, failure }: Run): string {
  return (
    `the run ${id} of exactly these files and metadata failed: ${failure?.code ?? 'unknown'}: ${failure?.reason ?? ''} ` +
    'To upload them as a new run all the same, give another --idempotency-key.'
  );
}

function parseServer(text: string): string {
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) {
    throw new InvalidArgumentError('It must be an http or https address.');
  }
  if (/[?#]/.test(text)) throw new InvalidArgumentError('It must have no query and no fragment.');
  return text;
}

/** Without the text: what is shown here may be in the log of a job. */
function parseToken(text: string): string {
  if (/^[!-~]+$/.test(text)) return text;
  throw new UsageError(
    '--token must be one word of printable ASCII, such as sst_…, as POST /v1/tokens gave it.',
  );
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number above zero.');
  return count;
}
