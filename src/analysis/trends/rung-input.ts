import { type Analysis, type Figure, type Finding } from '../report-schema';

/** What a ladder needs of a run's report. */
export interface RungReport extends Pick<Analysis, 'metrics' | 'verdict'> {
  /** The utilisation panel of its advice; empty after a defect. */
  utilisation: readonly Figure[];
  /** The costliest one. */
  finding: Finding | null;
}

/** One rung: a run that changes one thing against the rung before it. */
export interface RungInput {
  /** What was changed, in the words of whoever did it. */
  label: string;
  /** Or why there is none. */
  report: RungReport | 'run-deleted' | 'not-analysed';
  configuration: Readonly<Record<string, string>>;
}

/** The part of a report that a ladder needs. */
export function rungReportOf({ metrics, verdict, advice, findings }: Analysis): RungReport {
  return {
    metrics,
    verdict,
    utilisation: advice?.utilisation.figures ?? [],
    finding: findings.at(0) ?? null,
  };
}
