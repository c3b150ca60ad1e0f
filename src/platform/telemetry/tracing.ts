import { type Logger } from 'pino';
import { type Config } from '../config';
import { type Tracing } from './export-traces';
import { type ProcessKind } from './process-kind';

/**
 * Starts to trace when a collector is configured, and loads nothing otherwise. Call it before the HTTP server, the
 * database driver and the object store's client are loaded: their functions are wrapped as they load.
 */
export async function startTracing(
  { endpoint, sampleRatio }: Config['tracing'],
  kind: ProcessKind,
  logger: Logger,
): Promise<Tracing> {
  if (endpoint === undefined) return { stop: async () => undefined };
  const { exportTraces } = await import('./export-traces');
  return exportTraces({ endpoint, sampleRatio, kind, logger });
}
