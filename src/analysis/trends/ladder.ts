import { type ConfigurationChange, diffConfiguration } from './configuration-change';

/** One rung: a run that changes one thing against the rung before it. */
export interface RungInput {
  /** What was changed, in the words of whoever did it. */
  label: string;
  /** Mean or median step time, ns; null when the run has none. */
  stepNs: number | null;
  /** Share of the step time that two runs of the same thing differ by; null when not known. */
  noiseRatio: number | null;
  configuration: Readonly<Record<string, string>>;
}

export const RUNG_VERDICTS = ['baseline', 'keep', 'revert', 'within-noise', 'not-measurable'] as const;
export type RungVerdict = (typeof RUNG_VERDICTS)[number];

export interface Rung {
  label: string;
  stepNs: number | null;
  /** Step time of the rung before over this one: above 1 is faster. */
  speedup: number | null;
  /** Step time of the baseline over this one. */
  cumulativeSpeedup: number | null;
  verdict: RungVerdict;
  changes: ConfigurationChange[];
  /** More than one thing was changed at once, so that the gain belongs to none of them alone. */
  severalChanges: boolean;
}

/** Without repeats, two runs of the same thing are taken to differ by up to this share (corpus: rungs without effect moved by 0.4 % and 0.7 %). */
export const DEFAULT_RUNG_NOISE_RATIO = 0.01;

/** Facts that follow from others or are readings: they may differ on every rung. */
const NO_CHANGE =
  /(^|\.)(rank|mean_step_s|median_device_ms|p95_device_ms|steps_timed|peak_mem|model_flops\w*|commit|branch)$/i;

/** Builds the table of a ladder: each rung against the one before, and against the baseline, which is the first. */
export function buildLadder(rungs: readonly RungInput[]): Rung[] {
  return rungs.map((rung, i) => {
    if (i === 0) {
      const isMeasured = rung.stepNs !== null;
      return {
        label: rung.label,
        stepNs: rung.stepNs,
        speedup: null,
        cumulativeSpeedup: isMeasured ? 1 : null,
        verdict: isMeasured ? 'baseline' : 'not-measurable',
        changes: [],
        severalChanges: false,
      };
    }
    const previous = rungs[i - 1];
    const changes = diffConfiguration(previous.configuration, rung.configuration).filter(
      ({ name }) => !NO_CHANGE.test(name),
    );
    const speedup = ratio(previous.stepNs, rung.stepNs);
    return {
      label: rung.label,
      stepNs: rung.stepNs,
      speedup,
      cumulativeSpeedup: ratio(rungs[0].stepNs, rung.stepNs),
      verdict: verdictOf(speedup, Math.max(noiseOf(previous), noiseOf(rung))),
      changes,
      severalChanges: new Set(changes.map(({ name }) => groupOf(name))).size > 1,
    };
  });
}

/** Fields of one thing, such as the loader, that are changed together are one change. */
function groupOf(name: string): string {
  return name.split('.')[0];
}

function noiseOf({ noiseRatio }: RungInput): number {
  return noiseRatio ?? DEFAULT_RUNG_NOISE_RATIO;
}

function ratio(before: number | null, after: number | null): number | null {
  return before === null || after === null || after <= 0 ? null : before / after;
}

function verdictOf(speedup: number | null, noiseRatio: number): RungVerdict {
  if (speedup === null) return 'not-measurable';
  if (speedup > 1 + noiseRatio) return 'keep';
  return speedup < 1 - noiseRatio ? 'revert' : 'within-noise';
}
