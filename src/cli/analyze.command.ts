import { type Command } from 'commander';
import { analyzeRun } from '../analysis';
import { fileScratch } from '../platform/scratch';
import { presentReport, renderMarkdown, renderTerminal } from '../presentation';
import { listArtifacts } from './list-artifacts';
import { write } from './write';

interface AnalyzeFlags {
  json?: boolean;
  markdown?: boolean;
  full?: boolean;
}

/** A person at a terminal may open larger files than a tenant may upload; the bounds only stop bombs. */
export const DECOMPRESSION = { maxBytes: 64 * 2 ** 30, maxRatio: 200, minBytesBeforeRatio: 64 * 2 ** 20 };
const LIMITS = { maxEvents: 60_000_000, maxEventBytes: 16 * 2 ** 20, maxStringBytes: 512 * 2 ** 20 };
/** How the command line analyses local files. */
export const ANALYZE_OPTIONS = { limits: LIMITS, openScratch: () => fileScratch(DECOMPRESSION.maxBytes) };

/** `stallscope analyze PATH`: the analysis core on local files, no server needed. */
export function addAnalyzeCommand(program: Command): void {
  program
    .command('analyze')
    .description('analyse a profiler trace, or a folder with all files of one run')
    .argument('<path>', "a trace (.json, .json.gz, .sqlite) or a run's folder")
    .option('--json', 'print the whole report as JSON')
    .option('--markdown', 'print the report as Markdown')
    .option('--full', 'also print symptoms, options in use and what to record next')
    .action(async (path: string, flags: AnalyzeFlags) => {
      const artifacts = await listArtifacts(path, DECOMPRESSION);
      const report = presentReport(await analyzeRun(artifacts, ANALYZE_OPTIONS));
      const text = flags.json
        ? `${JSON.stringify(report, null, 1)}\n`
        : flags.markdown
          ? renderMarkdown(report)
          : renderTerminal(report, { color: process.stdout.isTTY === true, full: flags.full });
      await write(text);
    });
}
