import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { findFreePort } from '../../infra/local/free-port';
import { type NodeProcess, superviseProcesses } from '../../infra/local/processes';
import { testStack } from './test-stack';

/** What the provider says of somebody. */
export interface ProviderAccount {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface TestProvider {
  issuer: string;
  /** The product's variables, for an API whose PUBLIC_URL is one of those given. */
  env: Record<string, string>;
  process: NodeProcess;
}

/** Starts a real OpenID provider that knows the accounts, by subject, and lets an API at `publicUrl` use it. */
export async function startOidcProvider(
  publicUrls: readonly string[],
  accounts: Record<string, ProviderAccount>,
): Promise<TestProvider> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const clientId = 'stallscope';
  const clientSecret = randomBytes(24).toString('base64url');
  const redirectUris = publicUrls.map((url) => `${url}/v1/auth/oidc/callback`);
  const settings = { port, clientId, clientSecret, redirectUris, accounts };
  const supervisor = superviseProcesses(testStack().dataDir, (line) => process.stderr.write(`${line}\n`));
  const started = await supervisor.start({
    name: `oidc-${randomBytes(4).toString('hex')}`,
    entry: join(__dirname, 'oidc-provider.mjs'),
    env: { PATH: process.env.PATH ?? '', OIDC_SETTINGS: JSON.stringify(settings) },
    readyWhen: { output: /the provider listens/ },
  });
  const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  return { issuer, env, process: started };
}
