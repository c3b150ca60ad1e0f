import { type CommunicationReport, type Operation } from '../report-schema';
import { type RankAttribution } from './attribute-rank';
import { meanPerStepNs } from './cross-rank';
import { type RunFacts } from './run-facts';
import { summarizeCollectives } from './summarize-collectives';

export interface Straggler {
  rank: number;
  /** Exposed waiting of the rank that waits most, ns per step: what the late rank costs the run. */
  costNs: number;
  /** Exposed waiting of the late rank itself, ns per step. */
  ownWaitNs: number;
}

/** The late rank waits for nobody: less than this share of what the others wait. */
const OWN_WAIT_SHARE = 0.25;
/** Waiting below this share of the step is ordinary jitter between ranks. */
const MIN_WAIT_SHARE = 0.1;

/** At least this share of the others' waiting must be explained by what the late rank does and they do not. */
const EXPLAINED_SHARE = 0.5;

/**
 * The rank that the others wait for inside collectives: it waits least, clearly less than the others, and it does
 * something that they do not: its compute takes longer, or its device is idle for its loader, user code or allocator.
 * A rank that merely launches the same work later is no straggler: whose host happens to be last changes with every run.
 */
export function findStraggler({ crossRank, deviceRanks, step, stepByRank }: RunFacts): Straggler | null {
  if (!crossRank || !step || deviceRanks.length < 2) return null;
  const steps = deviceRanks.flatMap((r) => {
    const ofRank = stepByRank.get(r.rank);
    return ofRank ? [{ rank: r.rank, step: ofRank, ownWorkNs: ownWorkNs(r) }] : [];
  });
  const least = steps.reduce((a, b) => (b.step.exposedWaitNs < a.step.exposedWaitNs ? b : a));
  const most = steps.reduce((a, b) => (b.step.exposedWaitNs > a.step.exposedWaitNs ? b : a));
  const waitNs = most.step.exposedWaitNs;
  if (waitNs < MIN_WAIT_SHARE * step.wallNs || least.step.exposedWaitNs > OWN_WAIT_SHARE * waitNs)
    return null;
  if (least.ownWorkNs - most.ownWorkNs < EXPLAINED_SHARE * waitNs) return null;
  return { rank: least.rank, costNs: Math.round(waitNs), ownWaitNs: Math.round(least.step.exposedWaitNs) };
}

/** Time of the mean counted step that depends on what a rank does, not on how fast its host launches it. */
function ownWorkNs({ steps }: RankAttribution): number {
  const counted = steps.filter((s) => s.excluded === null);
  const own = (s: RankAttribution['steps'][number]): number =>
    s.computeNs + s.idle.hostOtherNs + s.idle.inputWaitNs + s.idle.allocatorNs;
  return counted.length > 0 ? counted.reduce((sum, s) => sum + own(s), 0) / counted.length : 0;
}

const MAX_OPERATIONS = 5;

/** Collective kernels of all ranks by total time. */
export function communicationOperations({ kernels }: RunFacts): Operation[] {
  return kernels.byName
    .filter((k) => k.class === 'collective')
    .slice(0, MAX_OPERATIONS)
    .map((k) => ({ name: k.name, kind: 'collective', count: k.count, totalNs: k.totalNs, rank: null }));
}

/** The communication part of the report; null when the run has no collectives. */
export function reportCommunication(facts: RunFacts): CommunicationReport | null {
  if (!facts.deviceRanks.some((r) => (r.device?.activity.communication.count ?? 0) > 0)) return null;
  const { crossRank } = facts;
  if (!crossRank) {
    return {
      matchedBy: 'none',
      reason: facts.crossRankReason,
      collectives: [],
      perRank: [],
      clockOffsets: [],
      stragglerRank: null,
    };
  }
  const lateness = meanLatenessNs(facts);
  return {
    matchedBy: crossRank.matchedBy,
    reason: null,
    ...summarizeCollectives(facts),
    perRank: facts.deviceRanks.map((r) => ({
      rank: r.rank,
      transferNs: meanPerStepNs(r, crossRank.exposedTransfer.get(r.rank)),
      waitNs: meanPerStepNs(r, crossRank.exposedWait.get(r.rank)),
      latenessNs: lateness.get(r.rank) ?? 0,
    })),
    clockOffsets: crossRank.clockOffsets,
    stragglerRank: findStraggler(facts)?.rank ?? null,
  };
}

/** How much later than the first rank each one enters its collectives, on one clock, mean per collective. */
export function meanLatenessNs({ crossRank, deviceRanks }: RunFacts): Map<number, number> {
  const originNs = deviceRanks[0].timeline.originNs;
  const offsets = new Map(crossRank?.clockOffsets.map((o) => [o.rank, o.offsetNs]) ?? []);
  const shift = new Map(
    deviceRanks.map((r) => [r.rank, Number(r.timeline.originNs - originNs) + (offsets.get(r.rank) ?? 0)]),
  );
  const sums = new Map(deviceRanks.map((r) => [r.rank, { lateNs: 0, count: 0 }]));
  for (const { onRanks } of crossRank?.collectives ?? []) {
    const arrivals = onRanks.map((c) => c.startNs + (shift.get(c.rank) ?? 0));
    const firstNs = arrivals.reduce((a, b) => Math.min(a, b), Infinity);
    onRanks.forEach(({ rank }, i) => {
      const sum = sums.get(rank);
      if (!sum) return;
      sum.lateNs += arrivals[i] - firstNs;
      sum.count++;
    });
  }
  return new Map(
    [...sums].map(([rank, { lateNs, count }]) => [rank, count > 0 ? Math.round(lateNs / count) : 0]),
  );
}
