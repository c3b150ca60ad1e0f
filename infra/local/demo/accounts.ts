import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../local-stack-error';
import { readOrCreateSecrets } from '../secrets';

export interface DemoAccounts {
  team: string;
  ownerEmail: string;
  ownerPassword: string;
  viewerEmail: string;
  viewerPassword: string;
  /** API token with all scopes. */
  token: string;
}

const TEAM = 'demo';
const OWNER_EMAIL = 'owner@demo.test';
const VIEWER_EMAIL = 'viewer@demo.test';
const TOKEN_NAME = 'demonstration';

/**
 * Creates the team, its owner, a viewer and an API token with the product's own `bootstrap` command, or finds those of an earlier
 * start again. The token is kept in `<dataDir>/demo-token`, readable by its owner only: the product stores a hash of it.
 */
export async function createAccounts(
  entry: string,
  dataDir: string,
  env: NodeJS.ProcessEnv,
): Promise<DemoAccounts> {
  const secrets = readOrCreateSecrets(join(dataDir, 'secrets.json'), [
    'demoOwnerPassword',
    'demoViewerPassword',
  ]);
  const tokenFile = join(dataDir, 'demo-token');
  const kept = readIfThere(tokenFile);
  const args = ['bootstrap', '--team', TEAM, '--owner-email', OWNER_EMAIL, '--token-name', TOKEN_NAME];
  args.push('--member-email', VIEWER_EMAIL, '--member-role', 'viewer');
  // A token file that was lost cannot be restored from the database: a new token takes its place.
  if (kept === null) args.push('--new-token');
  const { stdout } = await promisify(execFile)(process.execPath, [entry, ...args], {
    env: {
      ...env,
      BOOTSTRAP_OWNER_PASSWORD: secrets.demoOwnerPassword,
      BOOTSTRAP_MEMBER_PASSWORD: secrets.demoViewerPassword,
    },
  });
  const { token } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as { token: string | null };
  if (token !== null) writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
  return {
    team: TEAM,
    ownerEmail: OWNER_EMAIL,
    ownerPassword: secrets.demoOwnerPassword,
    viewerEmail: VIEWER_EMAIL,
    viewerPassword: secrets.demoViewerPassword,
    token: token ?? kept ?? '',
  };
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
