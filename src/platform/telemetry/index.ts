export { accessLog } from './access-log';
export { createLogger } from './logger';
export { Metrics } from './metrics';
export { NestLogger } from './nest-logger';
export { scrubSecrets } from './scrub-secrets';
export { TelemetryModule } from './telemetry.module';
