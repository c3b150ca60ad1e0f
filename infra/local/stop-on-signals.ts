import { errorMessage, type Log } from './local-stack-error';

/**
 * For entry points: on SIGINT, SIGTERM, SIGHUP or an uncaught error runs `stop` once and ends the process, with
 * status 0 after a signal and 1 after an error. A second signal ends it at once; guards then stop the children.
 */
export function stopOnSignals(stop: () => Promise<void>, log: Log): void {
  let stopping = false;
  const finish = (status: number, reason: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    log(`Stopping: ${reason}.`);
    stop().then(
      () => process.exit(status),
      (error: unknown) => {
        log(`Stopping failed: ${errorMessage(error)}`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => finish(0, signal));
  process.on('uncaughtException', (error) => finish(1, `uncaught error ${error.stack ?? error.message}`));
}
