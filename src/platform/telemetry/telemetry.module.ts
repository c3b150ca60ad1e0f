import { type DynamicModule, Global, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { type Logger } from 'pino';
import { Metrics } from './metrics';
import { NestLogger } from './nest-logger';
import { type ProcessKind } from './process-kind';

/** Log and metrics of a process. */
@Global()
@Module({})
export class TelemetryModule {
  static forProcess(kind: ProcessKind, logger: Logger): DynamicModule {
    return {
      module: TelemetryModule,
      imports: [LoggerModule.forRoot({ pinoHttp: { logger }, useExisting: true })],
      providers: [{ provide: Metrics, useFactory: () => new Metrics(kind) }, NestLogger],
      exports: [Metrics, NestLogger],
    };
  }
}
