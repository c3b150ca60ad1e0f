import { type Command } from 'commander';
import { estimate } from '../analysis';
import { renderEstimate } from '../presentation';
import { addEstimateFlags, type EstimateFlags, readEstimateRequest } from './estimate-flags';

/** `stallscope estimate`: floors of communication, memory and compute, without any trace. */
export function addEstimateCommand(program: Command): void {
  const command = program
    .command('estimate')
    .description(
      'say from first principles what a run must communicate, hold in memory and compute; needs no trace',
    );
  addEstimateFlags(command)
    .option('--json', 'print the whole estimate as JSON')
    .action(async ({ json, ...flags }: EstimateFlags & { json?: boolean }) => {
      const result = estimate(readEstimateRequest(flags));
      const text = json
        ? `${JSON.stringify(result, null, 1)}\n`
        : renderEstimate(result, { color: process.stdout.isTTY === true });
      await new Promise<void>((resolve, reject) =>
        process.stdout.write(text, (error) => (error ? reject(error) : resolve())),
      );
    });
}
