import { type Analysis } from '../report-schema';

/** Something with a name that takes part of a step: a kernel, an operator, a collective. */
export interface NamedChange {
  name: string;
  /** `unknown`: the side without it lists its longest only, and it may be among those that were left out. */
  status: 'added' | 'gone' | 'slower' | 'faster' | 'unknown';
  /** Time of the mean step of one rank, ns; null on the side where it was not seen. */
  beforeNs: number | null;
  afterNs: number | null;
  changeNs: number;
  /** Calls of the mean step of one rank. */
  beforeCalls: number | null;
  afterCalls: number | null;
}

/** Time and calls by name, of the mean step of one rank. */
export interface NamedTimes {
  times: Map<string, { ns: number; calls: number }>;
  /** What takes longer than this would be in the list; 0 when everything is. */
  unlistedBelowNs: number;
}

/** Changes shown of each kind. */
const MOST_SHOWN = 20;
/** Smaller changes, as a share of the step, are noise of the recording. */
const LEAST_SHOWN_RATIO = 0.001;
/** What may be hidden below the end of a list is neglected when it is less than this share of what is seen. */
const NEGLECTED_SHARE = 0.05;

/** What differs by name, the largest change first. `stepNs`: the step before. */
export function diffNamed(before: NamedTimes, after: NamedTimes, stepNs: number): NamedChange[] {
  return [...new Set([...before.times.keys(), ...after.times.keys()])]
    .map((name): NamedChange => {
      const [old, recent] = [before.times.get(name), after.times.get(name)];
      const changeNs = (recent?.ns ?? 0) - (old?.ns ?? 0);
      const hiddenNs = old ? (recent ? 0 : after.unlistedBelowNs) : before.unlistedBelowNs;
      const isHidden = hiddenNs > NEGLECTED_SHARE * Math.abs(changeNs);
      const seenOnBoth = changeNs > 0 ? 'slower' : 'faster';
      const seenOnOne = isHidden ? 'unknown' : old ? 'gone' : 'added';
      return {
        name,
        status: old && recent ? seenOnBoth : seenOnOne,
        ...{ beforeNs: old?.ns ?? null, afterNs: recent?.ns ?? null, changeNs },
        ...{ beforeCalls: old?.calls ?? null, afterCalls: recent?.calls ?? null },
      };
    })
    .filter(({ changeNs }) => changeNs !== 0 && Math.abs(changeNs) >= LEAST_SHOWN_RATIO * stepNs)
    .sort((a, b) => Math.abs(b.changeNs) - Math.abs(a.changeNs))
    .slice(0, MOST_SHOWN);
}

/** The mean over the reports of one side. */
export function meanTimes(reports: readonly NamedTimes[]): NamedTimes {
  const times: NamedTimes['times'] = new Map();
  for (const report of reports) {
    for (const [name, { ns, calls }] of report.times) {
      const sum = times.get(name) ?? { ns: 0, calls: 0 };
      times.set(name, { ns: sum.ns + ns / reports.length, calls: sum.calls + calls / reports.length });
    }
  }
  return { times, unlistedBelowNs: Math.max(0, ...reports.map(({ unlistedBelowNs }) => unlistedBelowNs)) };
}

type Entry = readonly [name: string, totalNs: number, calls: number];

/** Totals over all counted steps of all ranks, as those of the mean step of one rank. */
function perStep(steps: number, entries: readonly Entry[], isWhole: boolean): NamedTimes {
  const times: NamedTimes['times'] = new Map();
  for (const [name, totalNs, calls] of entries) {
    const sum = times.get(name) ?? { ns: 0, calls: 0 };
    times.set(name, { ns: sum.ns + totalNs / steps, calls: sum.calls + calls / steps });
  }
  const shortestNs = entries.reduce((least, [, ns]) => Math.min(least, ns), Infinity);
  return { times, unlistedBelowNs: isWhole || entries.length === 0 ? 0 : shortestNs / steps };
}

/** Counted steps over all ranks: what totals of a report are sums over. */
function countedSteps({ ranks }: Analysis): number {
  const steps = ranks.flatMap((rank) => rank.steps.filter(({ excluded }) => excluded === null));
  return Math.max(1, steps.length);
}

export function kernelClassTimes(analysis: Analysis): NamedTimes {
  const entries = analysis.kernelClasses.map((one): Entry => [one.class, one.totalNs, one.count]);
  return perStep(countedSteps(analysis), entries, true);
}

export function kernelTimes(analysis: Analysis): NamedTimes {
  const { topKernels, kernelClasses } = analysis;
  const total = (all: readonly { totalNs: number }[]) => all.reduce((sum, { totalNs }) => sum + totalNs, 0);
  const entries = topKernels.map(({ name, totalNs, count }): Entry => [name, totalNs, count]);
  return perStep(countedSteps(analysis), entries, total(topKernels) >= total(kernelClasses));
}

/** Operators by the device time of their kernels; those without a cost model are in it with their part of the compute time. */
export function opTimes({ roofline }: Analysis): NamedTimes {
  if (!roofline) return { times: new Map(), unlistedBelowNs: 0 };
  const { ops, withoutModel, opsLeftOut, stepCount } = roofline;
  const entries = [
    ...ops.map(({ op, deviceNs, calls }): Entry => [op, deviceNs, calls]),
    ...withoutModel.flatMap(({ op, shareNs, kernels }): Entry[] =>
      op === null ? [] : [[op, shareNs, kernels]],
    ),
  ];
  return perStep(Math.max(1, stepCount), entries, opsLeftOut.groups === 0);
}

/** Collectives by the time in which data moved: waiting for late ranks is no part of it. */
export function collectiveTimes(analysis: Analysis): NamedTimes {
  const entries = (analysis.communication?.collectives ?? []).map(
    ({ name, dtype, count, transferNs }): Entry => [
      dtype === null ? name : `${name} (${dtype})`,
      transferNs * count,
      count,
    ],
  );
  const isAll = !analysis.communication?.collectivesLeftOut;
  return perStep(countedSteps(analysis), entries, isAll);
}
