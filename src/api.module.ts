import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { AuditModule } from './modules/audit';
import { CatalogModule } from './modules/catalog';
import { EstimatesModule } from './modules/estimates';
import { GatesModule } from './modules/gates';
import { HealthModule } from './modules/health';
import { IngestionModule } from './modules/ingestion';
import { LaddersModule } from './modules/ladders';
import { NotificationsModule } from './modules/notifications';
import { QuotasModule } from './modules/quotas';
import { ReportsModule } from './modules/reports';
import { RetentionModule } from './modules/retention';
import { RunsModule } from './modules/runs';
import { TeamSettingsModule } from './modules/team-settings';
import { TeamsModule } from './modules/teams';
import { RegressionsModule, TrendQueriesModule } from './modules/trends';
import { type ApiConfig, ConfigModule } from './platform/config';
import { DatabaseModule } from './platform/database';
import { ObjectStoreModule } from './platform/object-store/object-store.module';
import { QueueModule } from './platform/queue';
import { RateLimitModule } from './platform/rate-limit';
import { TelemetryModule } from './platform/telemetry';

/** Paths whose handlers read their body as a stream, whatever its content type. */
export const streamedPaths: readonly string[] = ['/v1/ingest'];

/**
 * The API: adapters, then capabilities. Nothing connects before the application is initialised, so that the OpenAPI
 * document can be made without any server.
 */
@Module({})
export class ApiModule {
  static forRoot(config: ApiConfig, logger: Logger): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ConfigModule.forRoot(config),
        TelemetryModule.forProcess('api', logger),
        DatabaseModule,
        QueueModule.forRoot(),
        RateLimitModule,
        ObjectStoreModule,

        TeamsModule,
        QuotasModule,
        TeamSettingsModule,
        AuditModule,
        IngestionModule,
        RunsModule,
        ReportsModule,
        RegressionsModule,
        RetentionModule,
        EstimatesModule,
        GatesModule,
        LaddersModule,
        NotificationsModule,
        TrendQueriesModule,
        CatalogModule,
        HealthModule,
      ],
    };
  }
}
