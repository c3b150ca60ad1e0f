import { analyzeRunJob, ExpireUploads, ReconcileRuns } from '../src/modules/ingestion';
import {
  DeleteObjects,
  DeleteTeams,
  ExpireRuns,
  ForgetHistory,
  SweepOrphans,
} from '../src/modules/retention';
import { deliverWebhookJob, DispatchWebhooks, ForgetDeliveries } from '../src/modules/notifications';
import {
  ExplainRegressions,
  KeepPointStorage,
  RecordTrends,
  ResolveUnfounded,
  RollUpPoints,
} from '../src/modules/trends';
import { ExpireSessions } from '../src/modules/teams';
import { AnalyzeRunWorker } from './analyze-run.worker';
import { DeliverWebhookWorker } from './deliver-webhook.worker';

/** Every kind of job of the product: one line each. */
export const jobs = [analyzeRunJob, deliverWebhookJob];

/** Who does them: one line each. Start-up refuses a job without a worker and a worker without a job. */
export const workerClasses = [AnalyzeRunWorker, DeliverWebhookWorker];

/** What every worker process does again and again: one line each. */
export const choreClasses = [
  ReconcileRuns,
  ExpireUploads,
  DeleteObjects,
  DeleteTeams,
  ExpireRuns,
  ForgetHistory,
  SweepOrphans,
  DispatchWebhooks,
  ForgetDeliveries,
  ExpireSessions,
  RecordTrends,
  ExplainRegressions,
  ResolveUnfounded,
  RollUpPoints,
  KeepPointStorage,
];
