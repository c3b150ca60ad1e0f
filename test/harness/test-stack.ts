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

/** Jest's workers inherit the environment of the process that ran the global setup. */
export function publishTestStack(stack: TestStack): void {
  process.env[VARIABLE] = JSON.stringify(stack);
}
