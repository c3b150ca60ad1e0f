import { type KernelMeasurements, type MeasuredLaunch } from '../formats/ncu-csv/kernel-measurements';

/** Launches of one kernel that did the same work; figures are means over those that have them, NaN when none has. */
export interface LaunchGroup extends MeasuredLaunch {
  launches: number;
}

/** Launches of one size that are farther apart than this did not do the same: recordings of one kernel vary by less. */
const SAME = { durationNs: 1.15, memoryBytes: 1.25, computeRatio: 1.25 } as const;
const SAME_FLOP = 1.02;
/** Kinds of work of one kernel and size that are told apart; what is beyond goes to the last. */
const MAX_GROUPS = 32;

/**
 * Puts launches together that measured the same work, also from several exports of one recording, where each may hold figures
 * that the others lack.
 */
export function groupLaunches(measurements: readonly KernelMeasurements[]): LaunchGroup[] {
  const byShape = new Map<string, MeasuredLaunch[][]>();
  for (const launch of measurements.flatMap((m) => m.launches)) {
    const shape = `${launch.name}\n${launch.gridSize}\n${launch.blockSize}`;
    const groups = byShape.get(shape) ?? [];
    byShape.set(shape, groups);
    const same =
      groups.find(([first]) => didTheSame(first, launch)) ??
      (groups.length < MAX_GROUPS ? null : groups.at(-1));
    if (same) same.push(launch);
    else groups.push([launch]);
  }
  return [...byShape.values()].flat().map(merge);
}

function didTheSame(a: MeasuredLaunch, b: MeasuredLaunch): boolean {
  const within = (x: number, y: number, factor: number): boolean =>
    Number.isNaN(x) || Number.isNaN(y) || Math.max(x, y) <= factor * Math.min(x, y);
  const flop = (launch: MeasuredLaunch): number =>
    launch.matrix === null ? NaN : launch.matrix.reduce((sum, m) => sum + m.flop, 0);
  const { durationNs, memoryBytes, computeRatio } = SAME;
  return (
    within(a.durationNs, b.durationNs, durationNs) &&
    within(a.memoryBytes, b.memoryBytes, memoryBytes) &&
    within(a.computeRatio, b.computeRatio, computeRatio) &&
    within(flop(a), flop(b), SAME_FLOP)
  );
}

function merge(launches: readonly MeasuredLaunch[]): LaunchGroup {
  const mean = (pick: (launch: MeasuredLaunch) => number): number => {
    const known = launches.filter((launch) => !Number.isNaN(pick(launch)));
    const count = known.reduce((sum, launch) => sum + launch.count, 0);
    return known.reduce((sum, launch) => sum + pick(launch) * launch.count, 0) / count;
  };
  const count = launches.reduce((sum, launch) => sum + launch.count, 0);
  return {
    ...launches[0],
    count,
    launches: count,
    durationNs: mean((l) => l.durationNs),
    memoryBytes: mean((l) => l.memoryBytes),
    matrix: launches.find((l) => l.matrix !== null)?.matrix ?? null,
    vectorFlop: mean((l) => l.vectorFlop),
    memoryRatio: mean((l) => l.memoryRatio),
    computeRatio: mean((l) => l.computeRatio),
    occupancyRatio: mean((l) => l.occupancyRatio),
  };
}
