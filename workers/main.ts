import 'reflect-metadata';
import { loadWorkerConfig } from '../src/platform/config';
import { exitWithParent } from '../src/platform/config/exit-with-parent';
import { createLogger, startTracing } from '../src/platform/telemetry';

/** Runs until SIGTERM, SIGINT or the end of the process that started it. */
async function main(): Promise<void> {
  const config = loadWorkerConfig();
  const logger = createLogger(config.log);
  const tracing = await startTracing(config.tracing, 'worker', logger);
  // Not before: tracing wraps what this loads.
  const { runWorkers } = await import('./run-workers');
  const workers = await runWorkers(config, logger);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= workers.stop().finally(() => tracing.stop()));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, 'stopping');
      void stop().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'The worker did not stop cleanly.');
          process.exit(1);
        },
      );
    });
  }
  exitWithParent(stop);
  logger.info({ concurrency: config.worker.concurrency, metricsPort: workers.metricsPort }, 'taking jobs');
}

main().catch((error: unknown) => {
  // Messages of our own errors say what to do; a stack trace would bury them.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
