import { RunQuotasRepository } from '../../src/modules/quotas';

const many = 1_000_000_000;

/** Quotas that no test reaches. */
export const generousQuotas = new RunQuotasRepository({
  quotas: {
    storedBytes: many,
    runsPerDay: many,
    queuedRuns: many,
    concurrentAnalyses: many,
    retentionDays: 36_500,
  },
});
