import { judgeRun, type RunJudgement } from '../../analysis';
import { type TeamScope } from '../../platform/database';
import { byMetric, type HistoryPoint, listHistory } from './history.repository';
import { atStepTime, type MetricSensitivity, STEP_TIME } from './sensitivity';
import { baselineOf } from './series-levels';
import { loadLevels, saveVerdicts, type TrackedRun } from './series-state.repository';
import { listWaitingRuns } from './waiting-verdicts.repository';

/** Branches whose runs a young branch is judged by, the first that has runs. */
const MAIN_BRANCHES = ['main', 'master'];
/** A branch with fewer is a young one. */
const FEW_RUNS = 60;

/**
 * The runs of the lane after one that came late whose verdict waits for more runs before them: judged again in the metrics
 * where it waits.
 */
export async function judgeLaterRuns(
  scope: TeamScope,
  run: TrackedRun,
  sensitivities: readonly MetricSensitivity[],
): Promise<void> {
  for (const { metricIds, ...later } of await listWaitingRuns(scope, run))
    await judgeInLane(scope, { ...run, ...later }, sensitivities, metricIds);
}

/** Judges a run by the runs before it; of the metrics given, all unless told otherwise. */
export async function judgeInLane(
  scope: TeamScope,
  run: TrackedRun,
  sensitivities: readonly MetricSensitivity[],
  metricIds?: readonly string[],
): Promise<void> {
  const levels = await loadLevels(scope, run);
  const own = await listHistory(scope, run, levels.bad);
  const values = new Map(
    own.filter(({ runId }) => runId === run.runId).map((one) => [one.metricId, one.value]),
  );
  const past = byMetric(own.filter(({ runId }) => runId !== run.runId));
  const fallback = await mainHistory(scope, run, past);
  const verdicts: { metricId: string; judgement: RunJudgement }[] = [];
  for (const { metric, rules } of atStepTime(sensitivities, values.get(STEP_TIME))) {
    const value = values.get(metric.id);
    if (value === undefined || metricIds?.includes(metric.id) === false) continue;
    const ownPast = baselineOf(past.get(metric.id) ?? [], levels.segments, levels.bad, run.at);
    const isYoung = ownPast.length < rules.minBaselineRuns;
    const baseline = isYoung ? [...(fallback.get(metric.id) ?? []), ...ownPast] : ownPast;
    const judgement = judgeRun(baseline, { value, commit: run.commit }, metric.direction, rules);
    verdicts.push({ metricId: metric.id, judgement });
  }
  await saveVerdicts(scope, run.runId, verdicts, metricIds);
}

/** The good runs of the main branch before the run, for a branch that has few of its own. */
async function mainHistory(
  scope: TeamScope,
  run: TrackedRun,
  own: ReadonlyMap<string, HistoryPoint[]>,
): Promise<Map<string, HistoryPoint[]>> {
  const longest = Math.max(0, ...[...own.values()].map(({ length }) => length));
  if (longest >= FEW_RUNS || MAIN_BRANCHES.includes(run.branch)) return new Map();
  for (const branch of MAIN_BRANCHES) {
    const lane = { seriesId: run.seriesId, branch };
    const { segments, bad } = await loadLevels(scope, lane);
    const position = { ...lane, at: run.at, runId: run.runId };
    const history = byMetric(await listHistory(scope, position, bad));
    if (history.size === 0) continue;
    return new Map([...history].map(([id, points]) => [id, baselineOf(points, segments, bad, run.at)]));
  }
  return new Map();
}
