import { type DestinationStream, type Logger, pino } from 'pino';
import { type Config } from '../config';
import { scrubSecrets } from './scrub-secrets';
import { traceFields } from './trace-context';

/**
 * The log of a process: one JSON object a line on standard output, or readable text when that is a terminal. Fields and
 * texts that are secrets are left out. `destination` is for tests.
 */
export function createLogger({ level }: Config['log'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: traceFields,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: scrubSecrets },
  };
  if (destination) return pino(options, destination);
  if (process.stdout.isTTY)
    return pino({ ...options, transport: { target: 'pino-pretty', options: { singleLine: true } } });
  return pino(options);
}
