export { limitColumns, limitsInForce, type OwnLimits } from './team-limits';
export { TeamLimitsRepository } from './team-limits.repository';
export { IngestQuotasRepository } from './ingest-quotas.repository';
export { QuotasModule } from './quotas.module';
export { type Room } from './room';
export { RunQuotasRepository } from './run-quotas.repository';
export { StoredBytes } from './stored-bytes';
export { countAnalysis, countUploadedBytes } from './usage-counters.repository';
