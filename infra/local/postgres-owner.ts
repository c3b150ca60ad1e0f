import { Client } from 'pg';

/** Name of the product's database and of the role that owns it. */
const OWNER = 'stallscope';

/** Connection string of the product's database for its owner. */
export function ownerUrl(port: number, ownerPassword: string): string {
  return `postgres://${OWNER}:${ownerPassword}@127.0.0.1:${port}/${OWNER}`;
}

/**
 * Creates the owner role and its database unless they exist, and sets the role's password. The role is what a
 * hosting provider gives: CREATEROLE and CREATEDB, no superuser, so that row-level security means something.
 */
export async function ensureOwner(superuserUrl: string, ownerPassword: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [OWNER]);
    const attributes = `LOGIN CREATEROLE CREATEDB PASSWORD ${client.escapeLiteral(ownerPassword)}`;
    await client.query(`${role.rowCount ? 'ALTER' : 'CREATE'} ROLE ${OWNER} ${attributes}`);
    const database = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [OWNER]);
    if (!database.rowCount) await client.query(`CREATE DATABASE ${OWNER} OWNER ${OWNER}`);
  } finally {
    await client.end();
  }
}
