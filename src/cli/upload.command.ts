import { createHash } from 'node:crypto';
import { type Command } from 'commander';
import { formatBytes } from '../presentation';
import { ApiClient } from './client/api-client';
import { ApiError } from './client/api-error';
import { uploadRun } from './client/upload-run';
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
  worldSize?: number;
  tag?: string[];
  idempotencyKey?: string;
}

/** `stallscope upload PATH`: what the post-hook does, by hand. */
export function addUploadCommand(program: Command): void {
  program
    .command('upload')
    .description("upload a trace, or a run's folder, to a Stallscope server and queue its analysis")
    .argument('<path>', "a trace or a run's folder")
    .requiredOption('--server <url>', 'address of the server, for example https://stallscope.example')
    .requiredOption('--token <token>', 'API token with the scope runs:write')
    .requiredOption('--model <name>', 'model that was trained')
    .requiredOption('--cluster <name>', 'cluster that it was trained on')
    .option('--workload <name>')
    .option('--branch <name>')
    .option('--commit <sha>')
    .option('--world-size <n>', 'number of ranks', Number)
    .option('--tag <tag...>')
    .option(
      '--idempotency-key <key>',
      'the same key never makes a second run; default: made from what is uploaded',
    )
    .action(async (path: string, flags: UploadFlags) => {
      const files = await listFiles(path);
      const { server, token, tag, idempotencyKey, ...metadata } = flags;
      const key =
        idempotencyKey ??
        createHash('sha256')
          .update(JSON.stringify([metadata, tag, files]))
          .digest('hex')
          .slice(0, 40);
      try {
        const run = await uploadRun(
          new ApiClient(server, token),
          { ...metadata, tags: tag ?? [] },
          files,
          key,
          ({ uploadedBytes, totalBytes }) => {
            process.stderr.write(`\ruploaded ${formatBytes(uploadedBytes)} of ${formatBytes(totalBytes)} `);
          },
        );
        process.stderr.write('\n');
        process.stdout.write(`${new URL(`/v1/runs/${run.id}/report`, server).toString()}\n`);
      } catch (error) {
        if (error instanceof ApiError) throw new UsageError(`${error.code}: ${error.message}`);
        throw error;
      }
    });
}
