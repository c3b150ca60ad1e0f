import { differingConditions } from '../../../../analysis';
import { type ComparedRun } from './compared-runs.repository';

/** Values of one condition that are shown of a side whose runs differ. */
const MOST_VALUES = 5;

/** What the runs of both sides are not alike in; nothing when all are comparable. */
export function differencesOf(before: readonly ComparedRun[], after: readonly ComparedRun[]) {
  const [first] = before;
  const all = [...before, ...after];
  const names = new Set(
    all.flatMap(({ identity }) => differingConditions(first.identity, identity).map(({ name }) => name)),
  );
  return [...names].map((name) => ({ name, before: valuesOf(before, name), after: valuesOf(after, name) }));
}

const NOBODY = { model: '', cluster: '', workload: '', comparability: '' };

function valuesOf(runs: readonly ComparedRun[], name: string): string | null {
  const values = new Set(
    runs.map(({ identity }) => {
      const condition = differingConditions(identity, NOBODY).find((one) => one.name === name);
      return condition?.ours ?? null;
    }),
  );
  const shown = [...values].slice(0, MOST_VALUES).map((value) => value ?? 'not told');
  return values.size === 1 ? ([...values][0] ?? null) : shown.join(', ');
}

/** The runs whose value is nearest to the median of their side, in order of time; without values, the latest. */
export function nearestToMedian(
  runs: readonly (ComparedRun & { analysisId: string })[],
  values: ReadonlyMap<string, number> | undefined,
  most: number,
): string[] {
  const valued = runs.flatMap((run) => {
    const value = values?.get(run.analysisId);
    return value === undefined ? [] : [{ run, value }];
  });
  if (valued.length === 0) return runs.slice(-most).map(({ id }) => id);
  valued.sort((a, b) => a.value - b.value);
  const start = Math.max(0, Math.min(valued.length - most, Math.floor((valued.length - most) / 2)));
  const chosen = new Set(valued.slice(start, start + most).map(({ run }) => run.id));
  return runs.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
}
