import { removeLocalStack } from '../../infra/local/stack';
import { removeEverythingOf } from './clean-up';
import { type StartedStack } from './global-setup';
import { withdrawTestStack } from './test-stack';

/** Stops the servers of this run; out of servers that the environment named it removes what the tests made. */
export default async function globalTeardown(): Promise<void> {
  const { startedStack } = globalThis as { startedStack?: StartedStack };
  if (!startedStack) return;
  const { stack, published, given } = startedStack;
  withdrawTestStack(published, given);
  try {
    await removeEverythingOf(published, given);
  } finally {
    await stack.stop();
  }
  if (process.env.STALLSCOPE_TEST_KEEP) {
    process.stderr.write(`Kept ${published.dataDir} (STALLSCOPE_TEST_KEEP).\n`);
    return;
  }
  removeLocalStack(published.dataDir);
}
