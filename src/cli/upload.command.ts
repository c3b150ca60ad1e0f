import { type Command } from 'commander';
import { ApiClient } from './client/api-client';
import { listFiles } from './list-artifacts';
import { addRunFlags, refuseFailed, type RunFlags, uploadFiles } from './run-flags';
import { addServerFlags, explainRefusals, type ServerFlags } from './server-flags';

/** `stallscope upload PATH`: what the post-hook does, by hand. */
export function addUploadCommand(program: Command): void {
  const command = program
    .command('upload')
    .description("upload a trace, or a run's folder, to a Stallscope server and queue its analysis")
    .argument('<path>', "a trace or a run's folder");
  addServerFlags(command, 'runs:write')
    .requiredOption('--model <name>', 'model that was trained')
    .requiredOption('--cluster <name>', 'cluster that it was trained on');
  addRunFlags(command).action(async (path: string, { server, token, ...flags }: ServerFlags & RunFlags) => {
    const files = await listFiles(path);
    const client = new ApiClient(server, token);
    const run = await explainRefusals(server, () => uploadFiles(client, path, files, flags));
    refuseFailed(run);
    process.stdout.write(`${client.reportUrl(run.id)}\n`);
  });
}
