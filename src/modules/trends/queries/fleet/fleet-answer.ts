import { STEP_PART_NAMES } from '../../../../analysis';
import { type FleetQuery, GROUPS_PER_ANSWER } from './fleet-schemas';
import { type FleetGroupKey, type FleetRow, type FleetSums } from './fleet.repository';

/** The sums as the API shows them: groups with the most GPUs at work first. */
export function toFleet({ from, to, groupBy }: FleetQuery, { rows, gains, verdicts }: FleetSums) {
  const usageOf = (row: FleetRow) => ({
    ...toUsage(row),
    gains: gains
      .filter((gain) => isOf(gain, row))
      .map(({ rule, runs, gpuHours, mostGpuHours, gpus, mostGpus }) => ({
        ...{ rule, runs, gpuHours, mostGpuHours },
        ...{ share: shareOf(gpus, row), mostShare: shareOf(mostGpus, row) },
      }))
      .sort((a, b) => (b.share ?? 0) - (a.share ?? 0)),
    verdicts: verdicts
      .filter((verdict) => isOf(verdict, row))
      .map(({ verdict, runs }) => ({ verdict, runs }))
      .sort((a, b) => b.runs - a.runs || (a.verdict < b.verdict ? -1 : 1)),
  });
  const total = rows.find(({ value }) => value === null) ?? EMPTY;
  const groups = rows
    .filter(({ value }) => value !== null)
    .sort((a, b) => (b.gpuHours ?? 0) - (a.gpuHours ?? 0) || b.gpus - a.gpus);
  return {
    ...{ from: from.toISOString(), to: to.toISOString(), groupBy },
    total: usageOf(total),
    groups: groups
      .slice(0, GROUPS_PER_ANSWER)
      .map((row) => ({ value: row.value || null, cluster: row.cluster, ...usageOf(row) })),
    isTruncated: groups.length > GROUPS_PER_ANSWER,
    notes: notesOf(total),
  };
}

const isOf = (sum: FleetGroupKey, row: FleetGroupKey) =>
  sum.value === row.value && sum.cluster === row.cluster;

const EMPTY: FleetRow = {
  ...{ value: null, cluster: null, runs: 0, runsWithGpuHours: 0, runsWithSteps: 0, gpus: 0, gpuHours: null },
  ...{ partHours: [], partGpus: [] },
};

function toUsage(row: FleetRow) {
  const parts = STEP_PART_NAMES.map((part, i) => ({
    part,
    gpuHours: row.partHours[i] ?? null,
    share: shareOf(row.partGpus[i] ?? null, row),
  }));
  const [, ...others] = parts;
  const { runs, runsWithGpuHours, runsWithSteps, gpuHours } = row;
  return {
    ...{ runs, runsWithGpuHours, runsWithSteps, gpuHours, parts },
    notComputing: {
      gpuHours: sumOf(others.map((part) => part.gpuHours)),
      share: sumOf(others.map(({ share }) => share)),
    },
  };
}

function shareOf(gpus: number | null, row: FleetRow): number | null {
  return gpus === null || row.gpus === 0 ? null : gpus / row.gpus;
}

/** Null where nothing is known: missing is not zero. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function notesOf({ runs, runsWithGpuHours, runsWithSteps }: FleetRow): string[] {
  const silent = runs - runsWithGpuHours;
  const stepless = runs - runsWithSteps;
  return [
    ...(silent > 0
      ? [`GPU-hours are not known for ${silent} of ${runs} runs: send durationS and worldSize.`]
      : []),
    ...(stepless > 0
      ? [`${stepless} of ${runs} runs have no steps with device activity; shares are without them.`]
      : []),
  ];
}
