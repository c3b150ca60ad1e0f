import { z } from 'zod';
import { optional, withDefault } from './variable';
import { port, url } from './variable-types';

/** What a process says of itself, and to whom. */
export const telemetryVariables = {
  LOG_LEVEL: withDefault(
    'How much is logged: fatal, error, warn, info, debug, trace or silent.',
    'info',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  ),
  METRICS_PORT: optional(
    'Port on HOST at which the API answers GET /metrics, apart from its public port; none unless given, 0 takes a free one.',
    port(),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'Collector of OpenTelemetry that takes traces over OTLP/HTTP, such as http://collector:4318; no traces unless given.',
    url('http', 'https'),
  ),
  TRACE_SAMPLE_RATIO: withDefault(
    'Which part of all traces is kept, 0 to 1; decided by the trace id, so that a trace is kept as a whole.',
    '1',
    z
      .string()
      .regex(/^(0|1|0?\.\d{1,9}|1\.0+|0\.0+)$/, 'must be a number from 0 to 1, such as 0.05')
      .transform(Number),
  ),
};
