import { type Command, InvalidArgumentError, Option } from 'commander';
import { ApiError } from './client/api-error';
import { isConnectionFailure } from './client/retries';
import { UsageError } from './usage-error';

/** Which server a command talks to, and as whom. */
export interface ServerFlags {
  server: string;
  token: string;
}

/** Adds `--server` and `--token`. */
export function addServerFlags(command: Command, scopes: string): Command {
  return command
    .addOption(
      new Option('--server <url>', 'address of the server, for example https://stallscope.example')
        .env('STALLSCOPE_SERVER')
        .argParser(parseServer)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--token <token>', `API token with the scope ${scopes}`)
        .env('STALLSCOPE_TOKEN')
        .argParser(parseToken)
        .makeOptionMandatory(),
    );
}

/** Runs what talks to the server; refusals, and a server that is away, become a UsageError. */
export async function explainRefusals<T>(server: string, talk: () => Promise<T>): Promise<T> {
  try {
    return await talk();
  } catch (error) {
    if (error instanceof ApiError) throw new UsageError(`${error.code}: ${error.message}`);
    if (isConnectionFailure(error))
      throw new UsageError(`${server}: the server cannot be reached; check the address, and that it is up.`);
    throw error;
  }
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
