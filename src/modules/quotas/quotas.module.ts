import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IngestQuotasRepository } from './ingest-quotas.repository';
import { RequestLimitsGuard } from './request-limits.guard';
import { RunQuotasRepository } from './run-quotas.repository';
import { StoredBytes } from './stored-bytes';
import { StoredBytesRepository } from './stored-bytes.repository';
import { UsageController } from './usage.controller';
import { UsageRepository } from './usage.repository';

/**
 * What teams may use and what they used. Its guard counts requests, and stands behind the guard of TeamsModule, which says
 * whose they are: import that one first.
 */
@Module({
  controllers: [UsageController],
  providers: [
    IngestQuotasRepository,
    RunQuotasRepository,
    StoredBytes,
    StoredBytesRepository,
    UsageRepository,
    { provide: APP_GUARD, useClass: RequestLimitsGuard },
  ],
  exports: [IngestQuotasRepository, RunQuotasRepository, StoredBytes],
})
export class QuotasModule {}
