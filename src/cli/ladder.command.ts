import { basename, resolve } from 'node:path';
import { type Command } from 'commander';
import { analyzeRun, buildLadder, rungReportOf, type RungInput } from '../analysis';
import { presentLadder, renderLadder } from '../presentation';
import { ANALYZE_OPTIONS, DECOMPRESSION } from './analyze.command';
import { listArtifacts } from './list-artifacts';
import { UsageError } from './usage-error';

/** `stallscope ladder PATH PATH…`: the table of runs that change one thing at a time, no server needed. */
export function addLadderCommand(program: Command): void {
  program
    .command('ladder')
    .description('compare runs that change one thing at a time, the baseline first')
    .argument('<paths...>', "two or more runs' folders, in order")
    .option('--json', 'print the ladder as JSON')
    .action(async (paths: string[], { json }: { json?: boolean }) => {
      if (paths.length < 2)
        throw new UsageError('a ladder has two runs or more: give their folders, the baseline first.');
      const rungs: RungInput[] = [];
      // One after the other: the memory of one analysis is enough.
      for (const path of paths) {
        const analysis = await analyzeRun(await listArtifacts(path, DECOMPRESSION), ANALYZE_OPTIONS);
        const label = basename(resolve(path));
        rungs.push({ label, report: rungReportOf(analysis), configuration: analysis.metadata ?? {} });
      }
      const ladder = presentLadder(buildLadder(rungs));
      process.stdout.write(json ? `${JSON.stringify(ladder, null, 1)}\n` : renderLadder(ladder));
    });
}
