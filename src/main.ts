import 'reflect-metadata';
import { Command } from 'commander';
import { type BootstrapFlags } from './entry/bootstrap';
import { type LimitsFlags } from './entry/limits';
import { renderEnvExample } from './platform/config';
import { renderProblemsDocument } from './platform/errors';

// Commands load what they need when they run: `serve` starts to trace before it loads the rest.

/** Ends the process when all is written, whatever keeps it alive. */
function printAndExit(text: string): void {
  process.stdout.write(text, () => process.exit(0));
}

const program = new Command('stallscope-api')
  .description('The API of Stallscope. Without a command it serves.')
  // Each command takes this over.
  .showHelpAfterError(
    'Run it with --help for the commands, and with --help after a command for what it takes.',
  );

program
  .command('serve')
  .description('serve the API until told to stop')
  .action(async () => (await import('./entry/serve')).serve());
program
  .command('migrate')
  .description('bring the database up to date; DATABASE_URL must own the tables')
  .action(async () => (await import('./entry/migrate')).migrate());
program
  .command('bootstrap')
  .description('create a team with its owner, and a token, where they are missing')
  .option('--team <slug>', 'slug of the team (BOOTSTRAP_TEAM_SLUG)')
  .option('--owner-email <email>', 'its owner (BOOTSTRAP_OWNER_EMAIL)')
  .option('--owner-password <password>', "the owner's password; better given as BOOTSTRAP_OWNER_PASSWORD")
  .option('--token-name <name>', 'also create an API token of this name, unless one works already')
  .option('--scopes <list>', 'scopes of the token, separated by commas; all unless given')
  .option('--member-email <email>', 'also make this person a member, with BOOTSTRAP_MEMBER_PASSWORD')
  .option('--member-role <role>', 'owner, admin, member (unless given) or viewer')
  .option('--existing', 'refuse to create the team')
  .option('--new-token', 'create the token even if one of this name works')
  .action(async (flags: BootstrapFlags) => (await import('./entry/bootstrap')).bootstrap(flags));
program
  .command('limits')
  .description('show the limits of a team, or set some; a value is a number, or default')
  .requiredOption('--team <slug>', 'slug of the team')
  .option('--runs-per-day <n>', 'runs created on one day, in UTC')
  .option('--stored-bytes <bytes>', 'bytes of its artifacts, such as 500GiB')
  .option('--concurrent-analyses <n>', 'analyses at the same time')
  .option('--retention-days <n>', 'days for which a finished run is kept')
  .action(async (flags: LimitsFlags) => (await import('./entry/limits')).limits(flags));
program
  .command('reset-password')
  .description('print a token, good once and for an hour, with which somebody sets a new password')
  .argument('<email>', 'address of the account')
  .action(async (email: string) => (await import('./entry/reset-password')).resetPassword(email));
const deadLetters = program
  .command('dead-letters')
  .description('list the runs that failed because of the service, the latest first')
  .option('--json', 'as one JSON array')
  .action(async (flags: { json?: boolean }) => (await import('./entry/dead-letters')).listDeadLetters(flags));
deadLetters
  .command('retry')
  .description('have one of them analysed again, or all')
  .argument('[runId]', 'id of the run')
  .option('--all', 'all of them')
  .action(async (runId: string | undefined, flags: { all?: boolean }) =>
    (await import('./entry/dead-letters')).retryDeadLetters(runId, flags),
  );
program
  .command('openapi')
  .description('print the OpenAPI document; needs no server')
  .action(async () => {
    const { renderOpenApiDocument } = await import('./entry/openapi-document');
    printAndExit(await renderOpenApiDocument());
  });
program
  .command('env-example')
  .description('print .env.example')
  .action(() => printAndExit(renderEnvExample()));
program
  .command('problems')
  .description('print docs/problems.md')
  .action(() => printAndExit(renderProblemsDocument()));

// Not a default command: that would take a mistyped one for its argument.
const argv = process.argv.length > 2 ? process.argv : [...process.argv, 'serve'];
program.parseAsync(argv).catch((error: unknown) => {
  // Messages of our own errors say what to do; a stack trace would bury them.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
