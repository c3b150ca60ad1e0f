import { Command, CommanderError } from 'commander';
import { addAnalyzeCommand } from './analyze.command';
import { addEstimateCommand } from './estimate.command';
import { addGateCommand } from './gate.command';
import { addLadderCommand } from './ladder.command';
import { addSchemaCommand } from './schema.command';
import { addUploadCommand } from './upload.command';
import { oneLine, UsageError } from './usage-error';
import { InputRefused, ANALYSIS_VERSION } from '../analysis';

/**
 * Exit codes: 0 a report, or a gate that passed; 2 refused input or usage, with one line on standard error; 1 and 3 are
 * answers of a gate, which a defect must not look like.
 */
const EXIT_REFUSED = 2;
const EXIT_DEFECT = 70;

async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('stallscope')
    .description('Says, with evidence, where the step time of a training run goes and what holds it back.')
    .version(ANALYSIS_VERSION)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(`stallscope: ${withHint(oneLine(text.replace(/^error: /, '')))}\n`),
    });
  addAnalyzeCommand(program);
  addEstimateCommand(program);
  addLadderCommand(program);
  addUploadCommand(program);
  addGateCommand(program);
  addSchemaCommand(program);
  if (argv.length <= 2) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_REFUSED;
    if (error instanceof InputRefused || error instanceof UsageError) {
      process.stderr.write(`stallscope: ${oneLine(error.message)}\n`);
      return EXIT_REFUSED;
    }
    throw error;
  }
}

/** What is wrong with the command, and where it says how it is used. */
function withHint(text: string): string {
  return `${text}${/[.?)]$/.test(text) ? '' : '.'} stallscope --help lists the commands, --help after one explains it.`;
}

// A reader that stops early (head, less) closes the pipe: that is not an error, and no pass of a gate that failed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? Number(process.exitCode ?? 0) : EXIT_DEFECT);
});

main(process.argv).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      `stallscope: unexpected error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = EXIT_DEFECT;
  },
);
