import { Client } from 'pg';
import { type TestStack } from './test-stack';

/** Connection string of another database of the run's server, as the owner. */
export function databaseUrl(stack: TestStack, database: string): string {
  const url = new URL(stack.env.DATABASE_URL);
  url.pathname = `/${database}`;
  return url.toString();
}

/** Runs `work` on a connection to the database that DATABASE_URL names, for statements about databases. */
export async function withAdmin<T>(stack: TestStack, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: stack.env.DATABASE_URL });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
