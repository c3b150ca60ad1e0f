import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { SUPERUSER } from '../../infra/local/postgres-cluster';
import { testStack } from './test-stack';

/**
 * The connection string as a superuser of the same server: the given one when its role is a superuser (a server that the
 * environment named), else that of the server that this run started.
 */
export async function superuserUrlOf(ownerUrl: string): Promise<string> {
  if (await isSuperuser(ownerUrl)) return ownerUrl;
  const secrets = JSON.parse(readFileSync(join(testStack().dataDir, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  >;
  const url = new URL(ownerUrl);
  url.username = SUPERUSER;
  url.password = secrets.postgresSuperuserPassword;
  return url.toString();
}

async function isSuperuser(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ yes: boolean }>(
      'SELECT rolsuper AS yes FROM pg_roles WHERE rolname = current_user',
    );
    return rows[0].yes;
  } finally {
    await client.end();
  }
}
