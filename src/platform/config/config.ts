import { type z } from 'zod';
import { type apiEnvironmentSchema, type workerEnvironmentSchema } from './environment';
import { type quotaVariables } from './quota-variables';

type ApiEnvironment = z.output<typeof apiEnvironmentSchema>;
type Environment = z.output<typeof workerEnvironmentSchema>;
type QuotaVariables = { [Name in keyof typeof quotaVariables]: z.output<(typeof quotaVariables)[Name]> };

/** How jobs travel: Redis, or the Postgres database for installations without Redis. */
export type QueueConfig =
  | { backend: 'redis'; redisUrl: string; prefix: string }
  | { backend: 'postgres'; databaseUrl: string; prefix: string };

/** The first team of an empty installation. */
export interface BootstrapConfig {
  teamSlug: string;
  ownerEmail: string;
  ownerPassword: string;
}

/** The OpenID provider whose accounts may sign in. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** Where the provider sends people back to: PUBLIC_URL, without a slash at the end. */
  publicUrl: string;
  /** The team that people join who are in none. */
  autoJoin: { teamSlug: string; role: 'viewer' | 'member' | 'admin' } | undefined;
}

/** What every process is told from outside. Read once at start, and injected. */
export type Config = ReturnType<typeof toConfig>;
/** What the API is told: also secrets that no worker needs. Code that runs in workers too must take `Config`. */
export type ApiConfig = ReturnType<typeof toApiConfig>;
export type DatabaseConfig = Config['database'];
export type HttpConfig = Config['http'];

/** Groups what the API reads by the part of the product that it is for. */
export function toApiConfig(env: ApiEnvironment) {
  return {
    ...toConfig(env),
    auth: {
      jwtSecret: env.JWT_SECRET,
      jwtTtlS: env.JWT_TTL_S,
      refreshTtlS: env.REFRESH_TTL_S,
      sessionMaxS: env.SESSION_MAX_S,
      bootstrap: toBootstrapConfig(env),
      oidc: toOidcConfig(env),
    },
    teams: { allowCreation: env.ALLOW_TEAM_CREATION },
  };
}

/** Groups what every process reads by the part of the product that it is for. */
export function toConfig(env: Environment) {
  return {
    http: {
      host: env.HOST,
      port: env.PORT,
      publicUrl: env.PUBLIC_URL,
      trustProxyHops: env.TRUST_PROXY_HOPS,
      requestBodyBytes: env.REQUEST_BODY_BYTES,
      corsOrigins: env.CORS_ORIGINS,
    },
    eventStreams: { perTeam: env.EVENT_STREAMS_PER_TEAM, perProcess: env.EVENT_STREAMS_PER_PROCESS },
    downloads: { perTeam: env.DOWNLOADS_PER_TEAM, perProcess: env.DOWNLOADS_PER_PROCESS },
    log: { level: env.LOG_LEVEL },
    tracing: { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, sampleRatio: env.TRACE_SAMPLE_RATIO },
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    queue: toQueueConfig(env),
    objectStore: {
      endpoint: env.S3_ENDPOINT,
      publicEndpoint: env.S3_PUBLIC_ENDPOINT,
      region: env.S3_REGION,
      bucket: env.S3_BUCKET,
      accessKeyId: env.S3_ACCESS_KEY_ID,
      secretAccessKey: env.S3_SECRET_ACCESS_KEY,
      forcePathStyle: env.S3_FORCE_PATH_STYLE,
    },
    uploads: {
      maxArtifactBytes: env.MAX_ARTIFACT_BYTES,
      maxRunBytes: env.MAX_RUN_BYTES,
      maxArtifactsPerRun: env.MAX_ARTIFACTS_PER_RUN,
      partBytes: env.UPLOAD_PART_BYTES,
      urlTtlS: env.UPLOAD_URL_TTL_S,
      expiryS: env.UPLOAD_EXPIRY_S,
      lateArtifactsS: env.LATE_ARTIFACTS_S,
      ingestMaxBytes: env.INGEST_MAX_BYTES,
    },
    quotas: toQuotasConfig(env),
    requestsPerMinute: {
      team: env.REQUESTS_PER_MINUTE_PER_TEAM,
      credential: env.REQUESTS_PER_MINUTE_PER_CREDENTIAL,
      address: env.REQUESTS_PER_MINUTE_PER_ADDRESS,
    },
    analysis: {
      timeoutS: env.ANALYSIS_TIMEOUT_S,
      memoryMib: env.ANALYSIS_MEMORY_MB,
      maxDecompressedBytes: env.ANALYSIS_MAX_DECOMPRESSED_BYTES,
      maxCompressionRatio: env.ANALYSIS_MAX_COMPRESSION_RATIO,
      maxEvents: env.ANALYSIS_MAX_EVENTS,
      maxScratchBytes: env.ANALYSIS_MAX_SCRATCH_BYTES,
    },
    api: { shutdownDelayS: env.SHUTDOWN_DELAY_S, metricsPort: env.METRICS_PORT },
    worker: {
      concurrency: env.WORKER_CONCURRENCY,
      reconcileIntervalS: env.RECONCILE_INTERVAL_S,
      stalledAfterS: env.STALLED_AFTER_S,
      analysisAttempts: env.ANALYSIS_ATTEMPTS,
      graceS: env.WORKER_GRACE_S,
      metricsPort: env.WORKER_METRICS_PORT,
    },
    webhooks: {
      key: env.WEBHOOK_KEY,
      allowHttp: env.WEBHOOK_ALLOW_HTTP,
      allowedPrivateHosts: env.WEBHOOK_ALLOWED_PRIVATE_HOSTS,
      pollS: env.WEBHOOK_POLL_S,
      attempts: env.WEBHOOK_ATTEMPTS,
      retryBaseS: env.WEBHOOK_RETRY_BASE_S,
      concurrency: env.WEBHOOK_CONCURRENCY,
      keepDays: env.WEBHOOK_KEEP_DAYS,
    },
  };
}

/** What a team may use that has no limits of its own. */
export function toQuotasConfig(env: QuotaVariables) {
  return {
    storedBytes: env.QUOTA_STORED_BYTES,
    runsPerDay: env.QUOTA_RUNS_PER_DAY,
    queuedRuns: env.QUOTA_QUEUED_RUNS,
    concurrentAnalyses: env.QUOTA_CONCURRENT_ANALYSES,
    /** Of finished runs. */
    retentionDays: env.RETENTION_DAYS,
  };
}

function toQueueConfig(env: Environment): QueueConfig {
  return env.REDIS_URL !== undefined
    ? { backend: 'redis', redisUrl: env.REDIS_URL, prefix: env.QUEUE_PREFIX }
    : { backend: 'postgres', databaseUrl: env.DATABASE_URL, prefix: env.QUEUE_PREFIX };
}

function toBootstrapConfig(env: ApiEnvironment): BootstrapConfig | undefined {
  const { BOOTSTRAP_TEAM_SLUG, BOOTSTRAP_OWNER_EMAIL, BOOTSTRAP_OWNER_PASSWORD } = env;
  if (!BOOTSTRAP_TEAM_SLUG || !BOOTSTRAP_OWNER_EMAIL || !BOOTSTRAP_OWNER_PASSWORD) return undefined;
  return {
    teamSlug: BOOTSTRAP_TEAM_SLUG,
    ownerEmail: BOOTSTRAP_OWNER_EMAIL,
    ownerPassword: BOOTSTRAP_OWNER_PASSWORD,
  };
}

function toOidcConfig(env: ApiEnvironment): OidcConfig | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_AUTO_JOIN_TEAM, PUBLIC_URL } = env;
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET || !PUBLIC_URL) return undefined;
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    scopes: env.OIDC_SCOPES,
    publicUrl: PUBLIC_URL.replace(/\/+$/, ''),
    autoJoin:
      OIDC_AUTO_JOIN_TEAM === undefined
        ? undefined
        : { teamSlug: OIDC_AUTO_JOIN_TEAM, role: env.OIDC_AUTO_JOIN_ROLE },
  };
}
