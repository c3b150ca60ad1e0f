import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import { databaseUrl, withAdmin } from './admin-connection';
import { testStack } from './test-stack';

export interface TestDatabase {
  /** Connection string of the database's owner: no superuser, may create roles. */
  ownerUrl: string;
  /** Ends all connections to the database and removes it. */
  drop(): Promise<void>;
}

/** A database of its own with all migrations applied, cloned from the run's template (about 50 ms). */
export async function createTestDatabase(): Promise<TestDatabase> {
  return create(`TEMPLATE ${testStack().templateDatabase}`);
}

/** A database of its own with nothing in it. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return create('TEMPLATE template0');
}

async function create(clause: string): Promise<TestDatabase> {
  const stack = testStack();
  const name = `${stack.runId}${randomBytes(6).toString('hex')}`;
  await withAdmin(stack, (client) => client.query(`CREATE DATABASE ${name} ${clause}`));
  return {
    ownerUrl: databaseUrl(stack, name),
    drop: async () => {
      await withAdmin(stack, (client) => dropDatabase(client, name));
    },
  };
}

const INSUFFICIENT_PRIVILEGE = '42501';
const ATTEMPTS = 120;
const PAUSE_MS = 250;

/** A superuser's process in the database, such as autovacuum, may not be terminated by its owner; it is soon done. */
async function dropDatabase(client: Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      const isBusy = error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
      if (!isBusy || attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
