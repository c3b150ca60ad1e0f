export { accessLog } from './access-log';
export { createLogger } from './logger';
export { Metrics } from './metrics';
export { NestLogger } from './nest-logger';
export { type Check, type ProcessServer, serveProcess } from './process-server';
export { scrubSecrets } from './scrub-secrets';
export { TelemetryModule } from './telemetry.module';
export { continueTrace, type ContinuedWork, currentTraceParent, inSpan } from './trace-context';
export { startTracing } from './tracing';
