import {
  baselineFor,
  type BaselineRun,
  differingConditions,
  type GateBaseline,
  type GateEvidence,
  type GatePolicy,
  METRIC_CATALOG,
  type SeriesIdentity,
} from '../../analysis';
import { type TeamScope } from '../../platform/database';
import { isWithinLimits, type RunLimits } from '../teams';
import { baselineOf } from '../trends';
import {
  type BranchLevels,
  findOtherSeries,
  listPast,
  loadLevelsOf,
  type PastPoint,
} from './gate-baselines.repository';
import {
  findGateRun,
  type GateFigure,
  type GateRun,
  listFigures,
  listRepeats,
  seriesOf,
} from './gate-runs.repository';

type Baseline = Pick<GateEvidence, 'baseline' | 'fault' | 'unlike'>;
const NOTHING: Baseline = { baseline: [], fault: null };

/** What is known for each rule of a policy about a finished run, by the runs before it. */
export async function gatherEvidence(
  scope: TeamScope,
  run: GateRun,
  policy: GatePolicy,
  limits: RunLimits | undefined,
): Promise<GateEvidence[]> {
  const metricIds = [...new Set(policy.rules.map(({ metric }) => metric))];
  const figures = new Map((await listFigures(scope, run.id, metricIds)).map((one) => [one.metricId, one]));
  const repeats = await listRepeats(scope, run, metricIds);
  const past = new PastOfRun(scope, run, metricIds, limits);
  const evidence: GateEvidence[] = [];
  for (const rule of policy.rules) {
    const own = figures.get(rule.metric);
    const wanted = rule.maxWorseRatio === undefined ? undefined : baselineFor(rule, policy);
    evidence.push({
      direction: METRIC_CATALOG.find(({ id }) => id === rule.metric)?.direction,
      values:
        own?.value == null
          ? []
          : [own.value, ...repeats.filter((one) => one.metricId === rule.metric).map(({ value }) => value)],
      notMeasured: own?.reason ?? null,
      ...(wanted ? await past.baselineOf(wanted, rule.metric) : NOTHING),
    });
  }
  return evidence;
}

/** The runs that a run may be compared with; each baseline is read once, for all rules. */
class PastOfRun {
  private readonly points = new Map<string, PastPoint[]>();
  private readonly pinned = new Map<string, PinnedRun>();
  private levels: Map<string, BranchLevels> | undefined;
  private readonly unlike = new Map<string, string | null>();

  constructor(
    private readonly scope: TeamScope,
    private readonly run: GateRun,
    private readonly metricIds: readonly string[],
    private readonly limits: RunLimits | undefined,
  ) {}

  async baselineOf(wanted: GateBaseline, metricId: string): Promise<Baseline> {
    const { run } = this;
    if (run.seriesId === null)
      return { baseline: [], fault: { reason: 'run-not-in-a-series', detail: null } };
    const levels = (this.levels ??= await loadLevelsOf(this.scope, run.seriesId));
    if (wanted.kind === 'run') return toBaseline(await this.readPinned(wanted.runId, levels), metricId);
    const key = JSON.stringify([wanted.kind, wanted.kind === 'branch' ? wanted.branch : wanted.tag]);
    const points = this.points.get(key) ?? (await listPast(this.scope, run, wanted, this.metricIds, levels));
    this.points.set(key, points);
    const own = points.filter((point) => point.metricId === metricId && isGood(point, levels, run.at));
    if (points.length > 0 || wanted.kind !== 'branch')
      return { baseline: own.map(toBaselineRun), fault: null };
    return { ...NOTHING, unlike: await this.readUnlike(wanted.branch) };
  }

  /** In what the latest runs of the branch with this model and cluster differ, which are in another series. */
  private async readUnlike(branch: string): Promise<string | null> {
    const known = this.unlike.get(branch);
    if (known !== undefined) return known;
    const [ours, theirs] = [seriesOf(this.run), await findOtherSeries(this.scope, this.run, branch)];
    const differing = ours && theirs ? describeDifferences(ours, theirs) : null;
    const unlike = differing && `of those of ${branch}, ${differing}`;
    this.unlike.set(branch, unlike);
    return unlike;
  }

  private async readPinned(runId: string, levels: ReadonlyMap<string, BranchLevels>): Promise<PinnedRun> {
    const known = this.pinned.get(runId);
    if (known) return known;
    const found = await findGateRun(this.scope, runId);
    // Of other teams and outside of the limits of the credential there is nothing.
    const visible = found && isWithinLimits(this.limits, found) ? found : null;
    const fault = faultOf(visible, this.run, levels);
    const figures = visible && !fault ? await listFigures(this.scope, visible.id, this.metricIds) : [];
    const pinned = { run: visible, fault, figures };
    this.pinned.set(runId, pinned);
    return pinned;
  }
}

interface PinnedRun {
  run: GateRun | null;
  fault: GateEvidence['fault'];
  figures: GateFigure[];
}

function faultOf(
  pinned: GateRun | null,
  run: GateRun,
  levels: ReadonlyMap<string, BranchLevels>,
): GateEvidence['fault'] {
  const fault = (reason: NonNullable<GateEvidence['fault']>['reason'], detail: string | null = null) => ({
    reason,
    detail,
  });
  if (!pinned) return fault('baseline-run-missing');
  if (pinned.id === run.id || (run.commit !== null && pinned.commit === run.commit))
    return fault('baseline-run-same-commit');
  const [ours, theirs] = [seriesOf(run), seriesOf(pinned)];
  if (!theirs) return fault('baseline-run-not-measured', `it is ${pinned.state}, and in no series`);
  if (ours && pinned.seriesId !== run.seriesId)
    return fault('baseline-run-not-comparable', describeDifferences(ours, theirs));
  if (pinned.at > run.at) return fault('baseline-run-later');
  if (!isGood({ at: pinned.at, branch: pinned.branch ?? '' }, levels, run.at, 'pinned'))
    return fault('baseline-run-regressed');
  return null;
}

function describeDifferences(ours: SeriesIdentity, theirs: SeriesIdentity): string {
  const told = (value: string | null) => value ?? 'not told';
  return differingConditions(ours, theirs)
    .map((one) => `${one.name} is ${told(one.ours)} here and ${told(one.theirs)} there`)
    .join('; ');
}

/** Whether a run is of the accepted level and of no regression. A pinned run may be of an earlier level. */
function isGood(
  point: { at: Date; branch: string },
  levels: ReadonlyMap<string, BranchLevels>,
  asOf: Date,
  kind: 'past' | 'pinned' = 'past',
): boolean {
  const known = levels.get(point.branch);
  return !known || baselineOf([point], kind === 'pinned' ? [] : known.segments, known.bad, asOf).length === 1;
}

function toBaseline({ run, fault, figures }: PinnedRun, metricId: string): Baseline {
  if (fault || !run) return { baseline: [], fault };
  const figure = figures.find((one) => one.metricId === metricId);
  if (figure?.value == null) {
    return { baseline: [], fault: { reason: 'baseline-run-not-measured', detail: figure?.reason ?? null } };
  }
  return { baseline: [toBaselineRun({ ...run, runId: run.id, value: figure.value })], fault: null };
}

function toBaselineRun({ runId, at, value, commit }: Omit<PastPoint, 'metricId' | 'branch'>): BaselineRun {
  return { runId, at: at.toISOString(), value, commit };
}
