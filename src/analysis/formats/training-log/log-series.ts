import { STEP_FIGURES, type StepTimes } from '../artifact-format';
import { NS_PER_MS } from '../../units/time';
import { plausibleNs, type StepEntry, StepSeries } from '../step-series';
import { type LogLine, type SummaryLine, type TrainingLogDialect } from './dialect';

/** A clock is believed over at least so many of its units: a tenth is the largest error of a step time. */
const LEAST_CLOCK_UNITS = 10;

/**
 * Makes one series of the lines of a log: the first line of each step counts, later ones of the same step add what
 * it lacked; durations come from the lines or from the clock between two of them.
 */
export class LogSeries {
  private readonly series: StepSeries;
  private pending: StepEntry | null = null;
  private clock: { step: number; ms: number } | null = null;
  private lastStep = -Infinity;
  private interval = 0;
  private summary: SummaryLine | null = null;
  /** Entries with a host time. */
  timed = 0;
  /** Lines of steps that had a line already. */
  repeats = 0;

  constructor(
    private readonly dialect: TrainingLogDialect,
    rank: number | null,
  ) {
    this.series = new StepSeries(dialect.source, rank);
  }

  private get leastElapsedMs(): number {
    return LEAST_CLOCK_UNITS * this.dialect.clockUnitMs;
  }

  get length(): number {
    return this.series.length + (this.pending ? 1 : 0);
  }

  get dropped(): number {
    return this.series.dropped;
  }

  add(line: LogLine): void {
    if (line.step < this.lastStep) this.goneBack(line);
    else if (line.step === this.lastStep) this.addToStep(line);
    else this.addStep(line);
  }

  /** What the log says at its end of all steps; used when no line told of one. */
  addSummary(summary: SummaryLine): void {
    this.summary ??= summary;
  }

  finish(): StepTimes {
    this.flush();
    const { summary } = this;
    if (this.timed === 0 && summary) {
      this.timed++;
      this.series.add({
        step: summary.steps,
        stepsAveraged: summary.steps,
        hostNs: plausibleNs(summary.stepNs),
        figures: summary.figures,
      });
    }
    return this.series.finish();
  }

  /** Ranks that print side by side are one line apart; farther back, the run was restarted and the clock stood. */
  private goneBack(line: LogLine): void {
    this.repeats++;
    if (line.step <= this.lastStep - 2 * this.interval) this.clock = null;
  }

  private addToStep(line: LogLine): void {
    // A bar of the next epoch; clocks of ranks differ by less.
    if (line.clockMs !== undefined && this.clock && line.clockMs < this.clock.ms - this.leastElapsedMs)
      this.setClock(line);
    const { pending } = this;
    if (!pending) return;
    if (isKnown(line.stepNs) && isKnown(pending.hostNs)) this.repeats++;
    if (!isKnown(pending.hostNs) && isKnown(line.stepNs)) pending.hostNs = plausibleNs(line.stepNs);
    pending.figures ??= {};
    for (const figure of STEP_FIGURES) {
      const value = line.figures?.[figure];
      const known = pending.figures[figure];
      // Memory is told by each rank: the fullest one matters.
      if (isKnown(value) && (!isKnown(known) || (figure === 'peakMemoryBytes' && value > known)))
        pending.figures[figure] = value;
    }
  }

  private addStep(line: LogLine): void {
    const increase = line.step - this.lastStep;
    if (this.pending && this.series.length === 0 && this.dialect.timeOf === 'steps-since-line-before')
      this.pending.stepsAveraged = Math.max(1, Math.min(this.pending.step, increase));
    this.flush();
    this.interval = Number.isFinite(increase) ? increase : 1;
    this.lastStep = line.step;
    const time = this.timeOf(line);
    const figures = STEP_FIGURES.some((figure) => isKnown(line.figures?.[figure])) ? line.figures : undefined;
    if (time || figures) this.pending = { step: line.step, ...time, figures: { ...figures } };
  }

  private timeOf(line: LogLine): Pick<StepEntry, 'hostNs' | 'stepsAveraged'> | null {
    if (isKnown(line.stepNs)) {
      const stepsAveraged = this.dialect.timeOf === 'one-step' ? 1 : this.interval;
      return { hostNs: plausibleNs(line.stepNs), stepsAveraged };
    }
    if (line.clockMs === undefined || Number.isNaN(line.clockMs)) return null;
    if (!this.clock || line.clockMs < this.clock.ms) {
      this.setClock(line);
      return null;
    }
    const elapsedMs = line.clockMs - this.clock.ms;
    if (elapsedMs < this.leastElapsedMs) return null;
    const stepsAveraged = line.step - this.clock.step;
    this.setClock(line);
    return { hostNs: plausibleNs((elapsedMs * NS_PER_MS) / stepsAveraged), stepsAveraged };
  }

  private setClock({ step, clockMs }: LogLine): void {
    this.clock = clockMs === undefined ? null : { step, ms: clockMs };
  }

  private flush(): void {
    if (!this.pending) return;
    if (isKnown(this.pending.hostNs)) this.timed++;
    this.series.add(this.pending);
    this.pending = null;
  }
}

function isKnown(value: number | undefined): value is number {
  return value !== undefined && !Number.isNaN(value);
}
