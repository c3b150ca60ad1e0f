import { type StepFigure, type StepTimeSource } from '../artifact-format';

/** What one line of a training log says of one step. */
export interface LogLine {
  step: number;
  /** Duration of a step, ns, where the line tells it. */
  stepNs?: number;
  /** Reading of a clock at the end of the step, ms from any origin, where the line tells none of its duration. */
  clockMs?: number;
  figures?: Partial<Record<StepFigure, number>>;
}

/** How one framework writes its log. */
export interface TrainingLogDialect {
  source: StepTimeSource;
  /** Recognises a log of this framework by a line of it; need not be a line about a step. No unbounded backtracking. */
  mark: RegExp;
  /** Whether a time is that of the step of its line, or the mean since the line before. */
  timeOf: 'one-step' | 'steps-since-line-before';
  /** Unit in which the clock counts, ms; 0 where lines tell durations. Time between lines is told in at least ten of them. */
  clockUnitMs: number;
  /** Starts a log; the reader says what one line tells of a step, or null. */
  start(): (line: string) => LogLine | null;
  /** What the log says of all steps together, when no line told of one. */
  summary?: (line: string) => SummaryLine | null;
}

/** Steps of a whole training and their mean. */
export interface SummaryLine {
  steps: number;
  stepNs: number;
  figures?: Partial<Record<StepFigure, number>>;
}
