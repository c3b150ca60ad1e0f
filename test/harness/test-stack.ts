/** What the global setup started, for the test files. */
export interface TestStack {
  /** The product's variables for the servers of this run: DATABASE_URL (owner), REDIS_URL or STALLSCOPE_QUEUE, S3_*. */
  env: Record<string, string>;
  /** Begins every name this run makes in those servers, so that the teardown finds them: letters and digits. */
  runId: string;
  /** Database with all migrations applied; cloned for each test, never connected to. */
  templateDatabase: string;
  /** Temporary folder of the run, for logs and scratch files; removed by the teardown. */
  dataDir: string;
}

const VARIABLE = 'STALLSCOPE_TEST_STACK';

/** The stack of this Jest run. Throws outside of the `integration` project, whose global setup starts it. */
export function testStack(): TestStack {
  const value = process.env[VARIABLE];
  if (!value) throw new Error('No test stack: run this file with `npx jest --selectProjects integration`.');
  return JSON.parse(value) as TestStack;
}

/**
 * Hands the stack to the test files: Jest's workers inherit the environment of the process that ran the global
 * setup. DATABASE_URL, REDIS_URL and S3_* are set too, for tests that need a server and no migrated database.
 */
export function publishTestStack(stack: TestStack): void {
  Object.assign(process.env, stack.env, { [VARIABLE]: JSON.stringify(stack) });
}

/** Undoes `publishTestStack`, so that another run in this process (watch mode) does not take our servers for given. */
export function withdrawTestStack(stack: TestStack, given: NodeJS.ProcessEnv): void {
  for (const name of [...Object.keys(stack.env), VARIABLE]) {
    if (given[name] === undefined) delete process.env[name];
    else process.env[name] = given[name];
  }
}
