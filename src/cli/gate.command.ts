import { type Command, InvalidArgumentError, Option } from 'commander';
import { type GateEvaluation } from '../presentation';
import { ApiClient, type GateQuestion } from './client/api-client';
import { askGate } from './client/ask-gate';
import { GATE_FORMATS, type GateFormat, gateFormatOf, renderGate, writeGateFile } from './gate-output';
import { listFiles } from './list-artifacts';
import { readJsonFile } from './read-json-file';
import { addRunFlags, type RunFlags, uploadFiles } from './run-flags';
import { addServerFlags, explainRefusals, type ServerFlags } from './server-flags';
import { onTerminalOnly } from './upload-progress';
import { UsageError } from './usage-error';
import { write } from './write';

interface GateFlags extends ServerFlags, Partial<RunFlags> {
  run?: string;
  upload?: string[];
  policy?: string;
  policyFile?: string;
  format: GateFormat;
  output: string[];
  wait: number;
}

/** Answers of a gate; 2 is a refusal. */
const EXIT_CODES: Readonly<Record<GateEvaluation['outcome'], number>> = { pass: 0, fail: 1, inconclusive: 3 };
const DEFAULT_WAIT_S = 900;

/** `stallscope gate`: may this run pass? Exit codes 0 pass, 1 fail, 3 inconclusive. */
export function addGateCommand(program: Command): void {
  const command = program
    .command('gate')
    .description(
      'judge a run by a policy: exit code 0 pass, 1 fail, 3 inconclusive, 2 not asked (usage, refusal)',
    );
  addServerFlags(command, 'gates:evaluate (with --upload also runs:write)')
    .option('--run <id>', 'a run that the server has')
    .option('--upload <path...>', 'a trace, several, or a folder: uploaded as a new run, which is judged')
    .option('--policy <name>', 'policy of the team, as name or name@revision')
    .option('--policy-file <file>', 'a policy of your own, as JSON')
    .addOption(new Option('--format <format>', 'what to print').choices(GATE_FORMATS).default('text'))
    .option(
      '--output <file>',
      'also write a file, in the format that its ending says: .txt, .json, .md, .xml (JUnit); may be repeated',
      (file: string, files: string[]) => [...files, file],
      [],
    )
    .option('--wait <seconds>', 'how long to wait for the analysis', parseSeconds, DEFAULT_WAIT_S)
    .option('--model <name>', 'of the upload: model that was trained')
    .option('--cluster <name>', 'of the upload: cluster that it was trained on');
  addRunFlags(command).action(runGate);
}

async function runGate(flags: GateFlags): Promise<void> {
  const { server, token, run, upload, policy, policyFile, format, output, wait, ...runFlags } = flags;
  // Before anything is sent: a wrong ending found after the analysis would cost its answer.
  const files = output.map((path) => ({ path, format: gateFormatOf(path) }));
  const by = await readPolicy(policy, policyFile);
  if ((run === undefined) === (upload === undefined)) throw new UsageError('give either --run or --upload.');
  const client = new ApiClient(server, token);
  const evaluation = await explainRefusals(server, async () => {
    const runId = run ?? (await uploadRun(client, upload ?? [], runFlags));
    return askGate(client, { runId, ...by }, wait, (text) => process.stderr.write(`stallscope: ${text}\n`));
  });
  const exitCode = EXIT_CODES[evaluation.outcome] as number | undefined;
  if (exitCode === undefined)
    throw new UsageError(`the server answers ${evaluation.outcome}, which this release does not know.`);
  // Set first: whoever stops reading the answer must not turn it into a pass.
  process.exitCode = exitCode;
  for (const file of files) await writeGateFile(file.path, renderGate(evaluation, file.format));
  await write(renderGate(evaluation, format));
}

async function readPolicy(
  policy: string | undefined,
  file: string | undefined,
): Promise<Omit<GateQuestion, 'runId'>> {
  if ((policy === undefined) === (file === undefined))
    throw new UsageError('give either --policy or --policy-file.');
  return file === undefined
    ? { policy }
    : { inlinePolicy: await readJsonFile(file, 'that is a gate policy') };
}

/** Gives the id of the run. A run of the same files that failed is for the gate to say. */
async function uploadRun(
  client: ApiClient,
  paths: readonly string[],
  { model, cluster, ...flags }: Partial<RunFlags>,
): Promise<string> {
  if (model === undefined || cluster === undefined)
    throw new UsageError('--upload needs --model and --cluster.');
  const files = (await Promise.all(paths.map(listFiles))).flat();
  const names = new Set<string>();
  for (const { name, path } of files) {
    if (names.has(name)) throw new UsageError(`${path}: another file of the upload is called ${name} too.`);
    names.add(name);
  }
  return (await uploadFiles(client, paths.join(' '), files, { ...flags, model, cluster }, onTerminalOnly()))
    .id;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds > 86_400)
    throw new InvalidArgumentError('It must be whole seconds, a day at most.');
  return seconds;
}
