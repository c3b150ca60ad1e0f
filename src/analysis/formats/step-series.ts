import { MAX_PLAUSIBLE_NS } from '../units/time';
import { STEP_FIGURES, type StepFigure, type StepTimes, type StepTimeSource } from './artifact-format';

/** Longest series kept; a line per step of the longest pre-training runs is well below. */
export const MAX_STEP_ENTRIES = 1_000_000;

const RANK_IN_NAME = /rank[_-]?(\d{1,9})/i;
const RANK_FOLDER = /^rank[_-]?(\d{1,9})$/i;

/** The rank that a file name tells (`step_times.rank3.jsonl`), or that its folder is called after (`rank3/log.txt`), or null. */
export function rankFromName(path: string): number | null {
  const [name, ...folders] = path.split('/').reverse();
  const ofFolders = folders.map((folder) => RANK_FOLDER.exec(folder));
  const match = [RANK_IN_NAME.exec(name), ...ofFolders].find((found) => found !== null);
  return match ? Number(match[1]) : null;
}

/** The duration, or NaN when it is none that a step can have: negative, not finite or more than a week. */
export function plausibleNs(durationNs: number): number {
  return durationNs >= 0 && durationNs <= MAX_PLAUSIBLE_NS ? durationNs : NaN;
}

/** One entry of a series. Durations in ns; what is absent or NaN is not known. */
export interface StepEntry {
  step: number;
  hostNs?: number;
  deviceNs?: number;
  /** Steps that the times are the mean of; 1 when absent. */
  stepsAveraged?: number;
  figures?: Partial<Record<StepFigure, number>>;
}

/** Collects entries into columns, up to `MAX_STEP_ENTRIES`. */
export class StepSeries {
  private readonly times: StepTimes;
  /** Entries beyond the bound, not kept. */
  dropped = 0;

  constructor(source: StepTimeSource, rank: number | null) {
    this.times = { source, rank, step: [], stepsAveraged: [], hostNs: [], deviceNs: [], figures: {} };
  }

  get length(): number {
    return this.times.step.length;
  }

  add(entry: StepEntry): void {
    if (this.length >= MAX_STEP_ENTRIES) {
      this.dropped++;
      return;
    }
    this.times.step.push(entry.step);
    this.times.stepsAveraged.push(entry.stepsAveraged ?? 1);
    this.times.hostNs.push(Math.round(entry.hostNs ?? NaN));
    this.times.deviceNs.push(Math.round(entry.deviceNs ?? NaN));
    for (const figure of STEP_FIGURES) {
      const value = entry.figures?.[figure] ?? NaN;
      const column = this.times.figures[figure];
      if (column) column.push(value);
      else if (!Number.isNaN(value))
        this.times.figures[figure] = [...new Array<number>(this.length - 1).fill(NaN), value];
    }
  }

  /** The series so far. */
  finish(): StepTimes {
    return this.times;
  }
}
