import { analyzeRunJob, ExpireUploads, ReconcileRuns } from '../src/modules/ingestion';
import {
  DeleteObjects,
  DeleteTeams,
  ExpireRuns,
  ForgetHistory,
  SweepOrphans,
} from '../src/modules/retention';
import { AnalyzeRunWorker } from './analyze-run.worker';

/** Every kind of job of the product: one line each. */
export const jobs = [analyzeRunJob];

/** Who does them: one line each. Start-up refuses a job without a worker and a worker without a job. */
export const workerClasses = [AnalyzeRunWorker];

/** What every worker process does again and again: one line each. */
export const choreClasses = [
  ReconcileRuns,
  ExpireUploads,
  DeleteObjects,
  DeleteTeams,
  ExpireRuns,
  ForgetHistory,
  SweepOrphans,
];
