import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { ReadinessProbes } from '../src/modules/health';
import { ProcessingModule } from '../src/modules/ingestion';
import { RetentionChoresModule } from '../src/modules/retention';
import { DeliveringModule } from '../src/modules/notifications';
import { SignInChoresModule } from '../src/modules/teams';
import { TrendRecordingModule } from '../src/modules/trends';
import { ChoreRunner } from '../src/platform/chores';
import { type Config, ConfigModule } from '../src/platform/config';
import { DatabaseModule } from '../src/platform/database';
import { ObjectStoreModule } from '../src/platform/object-store/object-store.module';
import { QueueModule } from '../src/platform/queue';
import { TelemetryModule } from '../src/platform/telemetry';
import { workerClasses } from './index';

/** A worker process: the adapters, what it works on, and its workers. */
@Module({})
export class WorkerModule {
  static forRoot(config: Config, logger: Logger): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.forRoot(config),
        TelemetryModule.forProcess('worker', logger),
        DatabaseModule,
        QueueModule.forRoot(),
        ObjectStoreModule,
        ProcessingModule,
        RetentionChoresModule,
        DeliveringModule,
        SignInChoresModule,
        TrendRecordingModule,
      ],
      providers: [...workerClasses, ChoreRunner, ReadinessProbes],
    };
  }
}
