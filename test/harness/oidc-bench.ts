import { createTeamsService, type TeamsService } from '../../src/modules/teams';
import { findFreePort } from '../../infra/local/free-port';
import { Database } from '../../src/platform/database';
import { Browser } from './browser';
import { createTestEnvironment, type TestEnvironment } from './environment';
import { type ProviderAccount, startOidcProvider, type TestProvider } from './start-oidc-provider';
import { productProcesses } from './processes';

/** An API and an OpenID provider, both real processes, and a database to look into. */
export interface OidcBench {
  environment: TestEnvironment;
  database: Database;
  teams: TeamsService;
  provider: TestProvider;
  /** Where the API is, without a slash at the end. */
  url: string;
  logText(): string;
  stop(): Promise<void>;
}

/** `overrides`: variables of the API besides those that make it know the provider. */
export async function startOidcBench(
  accounts: Record<string, ProviderAccount>,
  overrides: Record<string, string> = {},
): Promise<OidcBench> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = await startOidcProvider([url], accounts);
  const environment = await createTestEnvironment({
    ...provider.env,
    PORT: String(port),
    PUBLIC_URL: url,
    ...overrides,
  });
  const processes = productProcesses();
  const api = await processes.startApi(environment.env);
  const database = new Database({ url: environment.ownerUrl, poolSize: 3 });
  return {
    environment,
    database,
    teams: createTeamsService(database),
    provider,
    url,
    logText: () => api.output(),
    stop: async () => {
      await processes.stopAll();
      await provider.process.stop();
      await database.close();
      await environment.drop();
    },
  };
}

/** Chooses an account, or cancels without one, where the provider asks. */
export const asAccount = (account?: string) => (url: URL) => {
  if (url.pathname.startsWith('/interaction/') && account !== undefined) {
    url.searchParams.set('account', account);
  }
  return url;
};

const isCallback = (url: URL) => url.pathname === '/v1/auth/oidc/callback';

/** Begins to sign in and goes as far as the provider's way back, which is not taken yet. */
export async function goThroughProvider(
  browser: Browser,
  startUrl: string,
  account?: string,
  change: (url: URL) => URL = (url) => url,
): Promise<URL> {
  const visit = (url: URL) => change(asAccount(account)(url));
  const { url } = await browser.follow(startUrl, { visit, stopAt: isCallback });
  if (!isCallback(url)) throw new Error(`stuck at ${url.href}`);
  return url;
}

/** Signs in with a browser of its own, and gives the last answer. */
export async function signInAs(startUrl: string, account: string): Promise<Response> {
  const { response } = await new Browser().follow(startUrl, { visit: asAccount(account) });
  return response;
}
