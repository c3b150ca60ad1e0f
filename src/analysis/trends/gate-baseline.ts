import { levelOf } from './level';
import { median } from './robust-statistics';
import { type SeriesPoint } from './series-point';

/** A run that a gate compares with. */
export interface BaselineRun extends SeriesPoint {
  runId: string;
  /** When it ran, RFC 3339. */
  at: string;
}

/** What a gate compares with, in figures; each commit counts once. */
export interface BaselineFigures {
  median: number;
  /** Least and largest value of its commits. */
  low: number;
  high: number;
  commits: number;
  /** The runs, oldest first. */
  runs: readonly BaselineRun[];
}

/** The runs of the latest commits, wherever their repeats stand. `runs`: oldest first. */
export function latestCommits(runs: readonly BaselineRun[], maxCommits: number): BaselineRun[] {
  const kept = new Set<string>();
  return [...runs]
    .reverse()
    .filter((run) => {
      const key = commitKey(run);
      if (kept.size < maxCommits) kept.add(key);
      return kept.has(key);
    })
    .reverse();
}

/** The figures of a baseline of one run or more. */
export function describeBaseline(runs: readonly BaselineRun[]): BaselineFigures {
  const values = commitValues(runs);
  return {
    median: median(values),
    low: Math.min(...values),
    high: Math.max(...values),
    commits: values.length,
    runs,
  };
}

/** A median of n normal values has π/2 times the variance of their mean. */
const MEDIAN_VARIANCE = Math.PI / 2;

/**
 * How far chance moves the difference between a run and its baseline, in the unit of the values, 95 times in a hundred. Null
 * where the baseline is one commit, whose noise nobody knows. `repeats`: runs that the judged value is the median of.
 */
export function chanceOf({ runs, commits }: BaselineFigures, repeats: number): number | null {
  if (commits < 2) return null;
  // Noise of single runs, from all of them: medians of repeats are calmer than the one run that is judged.
  const ofRun = levelOf(runs.map(({ value }) => value)).sigma;
  const ofCommit = levelOf(commitValues(runs)).sigma;
  const error = Math.hypot(
    Math.max(ofRun, ofCommit) * Math.sqrt((repeats > 2 ? MEDIAN_VARIANCE : 1) / repeats),
    ofCommit * Math.sqrt(MEDIAN_VARIANCE / commits),
  );
  return reachOf(commits - 1) * error;
}

/** Two-sided 95 % of a normal distribution. */
const NORMAL_REACH = 1.96;

/** The same of Student's t, after Cornish and Fisher: noise that few values tell is itself uncertain. */
function reachOf(freedom: number): number {
  const z = NORMAL_REACH;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}

function commitValues(runs: readonly BaselineRun[]): number[] {
  const groups = new Map<string, number[]>();
  for (const run of runs) {
    const key = commitKey(run);
    groups.set(key, [...(groups.get(key) ?? []), run.value]);
  }
  return [...groups.values()].map(median);
}

/** A run of which the commit is not known stands for itself. */
function commitKey({ commit, runId }: BaselineRun): string {
  return commit === null ? `run:${runId}` : `commit:${commit}`;
}
