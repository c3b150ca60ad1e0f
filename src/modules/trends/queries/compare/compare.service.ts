import { Injectable } from '@nestjs/common';
import {
  ALERT_METRICS,
  compareGroups,
  diffConfiguration,
  explainChange,
  median,
  METRIC_CATALOG,
} from '../../../../analysis';
import { Database, type TeamScope } from '../../../../platform/database';
import { ProblemError } from '../../../../platform/errors';
import { type RunLimits } from '../../../teams';
import { ExplanationsRepository } from '../../explanations.repository';
import { type HistoryPoint, listHistory } from '../../history.repository';
import { atStepTime, sensitivities, STEP_TIME } from '../../sensitivity';
import { sinceLastChange } from '../../series-levels';
import { loadLevels, loadSettings } from '../../series-state.repository';
import { type ComparedSide, type compareRequestSchema } from './compare-schemas';
import { type ComparedRun, findMatching, findNamed, listValues } from './compared-runs.repository';
import { differencesOf, nearestToMedian } from './compared-sides';
import { type z } from 'zod';

type CompareRequest = z.output<typeof compareRequestSchema>;

/** Reports that an explanation stands on, of each side; one may have megabytes. */
const REPRESENTATIVES = 3;

interface Side {
  /** With a report, in order of time. */
  runs: (ComparedRun & { analysisId: string })[];
  isTruncated: boolean;
  withoutReport: string[];
}

/** Compares two groups of runs. */
@Injectable()
export class CompareService {
  constructor(
    private readonly database: Database,
    private readonly explanations: ExplanationsRepository,
  ) {}

  /** `limits` are those of the credential. Throws `run-not-found`, `comparison-empty`. */
  async compare(teamId: string, request: CompareRequest, limits: RunLimits | undefined) {
    const { before, after, metrics, middle } = await this.database.forTeam(teamId, async (scope) => {
      const before = await findSide(scope, 'before', request.before, limits);
      const after = await findSide(scope, 'after', request.after, limits);
      return { before, after, ...(await compareMetrics(scope, before, after)) };
    });
    const [old, recent] = [
      await this.explanations.loadGroup(teamId, middle.before),
      await this.explanations.loadGroup(teamId, middle.after),
    ];
    const differences = differencesOf(before.runs, after.runs);
    const explanation = explainChange(old, recent);
    return {
      before: toAnswer(before),
      after: toAnswer(after),
      comparable: differences.length === 0,
      differences,
      metrics,
      representatives: middle,
      // Reports without steps tell nothing of the configuration either.
      configuration: explanation?.configuration ?? diffConfiguration(old.configuration, recent.configuration),
      explanation,
    };
  }
}

function toAnswer({ runs, isTruncated, withoutReport }: Side) {
  return { runs: runs.length, runIds: runs.map(({ id }) => id), isTruncated, withoutReport };
}

async function findSide(
  scope: TeamScope,
  name: 'before' | 'after',
  { runIds, filter }: ComparedSide,
  limits: RunLimits | undefined,
): Promise<Side> {
  const wanted = [...new Set(runIds)];
  const found = filter ? await findMatching(scope, filter, limits) : await findNamed(scope, wanted, limits);
  const missing = wanted.filter((runId) => !found.some(({ id }) => id === runId));
  if (missing.length > 0)
    throw new ProblemError('run-not-found', `Your team has no run ${missing[0]}, named in ${name}.`);
  const isTruncated = filter !== undefined && found.length > filter.limit;
  const runs = (isTruncated ? found.slice(1) : found).flatMap(({ analysisId, ...run }) =>
    analysisId === null ? [] : [{ ...run, analysisId }],
  );
  if (runs.length === 0) throw new ProblemError('comparison-empty', `No run of ${name} has a report.`);
  const withoutReport = found.filter(({ analysisId }) => analysisId === null).map(({ id }) => id);
  return { runs, isTruncated, withoutReport };
}

async function compareMetrics(scope: TeamScope, before: Side, after: Side) {
  const values = await listValues(
    scope,
    [...before.runs, ...after.runs].map(({ analysisId }) => analysisId),
  );
  const valuesOf = ({ runs }: Side, metricId: string) =>
    runs.flatMap(({ analysisId }) => values.get(metricId)?.get(analysisId) ?? []);
  const history = await historyBefore(scope, before);
  const steps = valuesOf(before, STEP_TIME);
  const stepNs = steps.length > 0 ? median(steps) : undefined;
  const known = atStepTime(sensitivities(await loadSettings(scope)), stepNs);
  const rules = new Map(known.map((one) => [one.metric.id, one.rules]));
  const metrics = METRIC_CATALOG.map((metric) => {
    const [old, recent] = [valuesOf(before, metric.id), valuesOf(after, metric.id)];
    const counts = { ...metric, beforeRuns: old.length, afterRuns: recent.length };
    const ofMetric = rules.get(metric.id);
    if (old.length === 0 || recent.length === 0 || !ofMetric) return { ...counts, ...NOT_COMPARED };
    const past = history.filter(({ metricId }) => metricId === metric.id).map(({ value }) => value);
    return { ...counts, ...compareGroups(old, recent, metric.direction, ofMetric, past) };
  });
  const telling = ALERT_METRICS.map((id) => values.get(id)).find((ofMetric) => ofMetric !== undefined);
  const middle = {
    before: nearestToMedian(before.runs, telling, REPRESENTATIVES),
    after: nearestToMedian(after.runs, telling, REPRESENTATIVES),
  };
  return { metrics, middle };
}

const NOT_COMPARED = {
  ...{ before: null, after: null, changeRatio: null, score: null, noiseFrom: null, verdict: null },
};

/** What the level of the series was like up to then, where the side has one series: how noisy single runs are. */
async function historyBefore(scope: TeamScope, { runs }: Side): Promise<HistoryPoint[]> {
  const last = runs[runs.length - 1];
  const isOne = runs.every(({ seriesId, branch }) => seriesId === last.seriesId && branch === last.branch);
  if (last.seriesId === null || !isOne) return [];
  const { seriesId, branch, at, id: runId } = last;
  const { segments } = await loadLevels(scope, { seriesId, branch });
  return sinceLastChange(await listHistory(scope, { seriesId, branch, at, runId }), segments, at);
}
