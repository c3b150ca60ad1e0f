/** After this the process ends whether or not its clean stop has finished. */
const DEFAULT_BOUND_MS = 10_000;

/**
 * Ends this process when the one that started it is gone, even by kill -9: the IPC channel between them closes.
 * `stop` is the same clean stop as on SIGTERM. Does nothing when the process was not started with such a channel.
 */
export function exitWithParent(stop: () => Promise<void>, boundMs: number = DEFAULT_BOUND_MS): void {
  if (!process.channel) return;
  process.once('disconnect', () => {
    // Not unref'd: a stop that waits on nothing must not end the process before its time.
    setTimeout(() => process.exit(1), boundMs);
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  // The listener alone would keep the process up after its own clean stop.
  process.channel.unref();
}
