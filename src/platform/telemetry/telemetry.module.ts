import { type DynamicModule, Global, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { type Logger } from 'pino';
import { Metrics } from './metrics';
import { NestLogger } from './nest-logger';
import { MetricsController } from './metrics.controller';

/** Log and metrics of a process. */
@Global()
@Module({})
export class TelemetryModule {
  /** With `GET /metrics` and the request's fields in every log line written while it is served. */
  static forApi(logger: Logger): DynamicModule {
    return {
      ...TelemetryModule.forProcess(logger),
      controllers: [MetricsController],
    };
  }

  /** For processes without HTTP routes of their own. */
  static forProcess(logger: Logger): DynamicModule {
    return {
      module: TelemetryModule,
      imports: [LoggerModule.forRoot({ pinoHttp: { logger }, useExisting: true })],
      providers: [Metrics, NestLogger],
      exports: [Metrics, NestLogger],
    };
  }
}
