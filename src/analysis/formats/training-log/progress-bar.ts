import { NS_PER_S } from '../../units/time';
import { type SummaryLine, type TrainingLogDialect } from './dialect';

const MS_PER_S = 1000;

/** `Epoch 0:  10%|█   | 10/100 [00:12<01:50,  0.81it/s, v_num=0]`; the description is what stands before. */
const BAR =
  /\d{1,3}%\|[^|]{0,400}\|\s{0,12}(\d{1,12})\/(\d{1,12}) \[(?:(\d{1,6}):)?(\d{1,2}):(\d\d)<[\d:?]{1,16}, {1,8}[\d.?]{1,12}(?:it\/s|s\/it)/;
const EPOCH = /^Epoch (\d{1,9}):?$/;

interface Bar {
  description: string;
  done: number;
  total: number;
  elapsedMs: number;
}

function barIn(line: string): Bar | null {
  const match = BAR.exec(line);
  if (!match) return null;
  const [done, total, hours, minutes, seconds] = match.slice(1).map((text) => Number(text ?? 0));
  return {
    description: line.slice(0, match.index).trim(),
    done,
    total,
    elapsedMs: (hours * 3600 + minutes * 60 + seconds) * MS_PER_S,
  };
}

/** The Trainer's bar has no description. Bars of its evaluations have none either, but another total than the first one. */
export const huggingface: TrainingLogDialect = {
  source: 'huggingface',
  mark: /^\s{0,8}\{'(?:loss|eval_loss|train_runtime)': |^\s{0,3}\d{1,3}%\|[^|\n]{0,400}\| {0,12}\d{1,12}\/\d{1,12} \[/m,
  timeOf: 'steps-since-line-before',
  clockUnitMs: MS_PER_S,
  start() {
    let total: number | null = null;
    return (line) => {
      const bar = barIn(line);
      if (bar?.description !== '') return null;
      total ??= bar.total;
      return bar.total === total ? { step: bar.done, clockMs: bar.elapsedMs } : null;
    };
  },
  summary: trainerSummary,
};

/** Lightning's bar is named after the epoch and begins anew with each. */
export const lightning: TrainingLogDialect = {
  source: 'lightning',
  mark: /^Epoch \d{1,9}: {1,8}\d{1,3}%\|/m,
  timeOf: 'steps-since-line-before',
  clockUnitMs: MS_PER_S,
  start: () => (line) => {
    const bar = barIn(line);
    const epoch = bar && EPOCH.exec(bar.description);
    return epoch ? { step: Number(epoch[1]) * bar.total + bar.done, clockMs: bar.elapsedMs } : null;
  },
};

const RUNTIME = /'train_runtime': '?([\d.]{1,20})/;
const STEPS_PER_SECOND = /'train_steps_per_second': '?([\d.]{1,20})/;
const SAMPLES_PER_SECOND = /'train_samples_per_second': '?([\d.]{1,20})/;

/** `{'train_runtime': 120.5, 'train_samples_per_second': 53.1, 'train_steps_per_second': 1.66, …}` at the end. */
function trainerSummary(line: string): SummaryLine | null {
  const [runtimeS, stepsPerSecond, samplesPerSecond] = [RUNTIME, STEPS_PER_SECOND, SAMPLES_PER_SECOND].map(
    (pattern) => Number(pattern.exec(line)?.[1] ?? NaN),
  );
  if (!(runtimeS > 0 && stepsPerSecond > 0)) return null;
  return {
    steps: Math.max(1, Math.round(runtimeS * stepsPerSecond)),
    stepNs: NS_PER_S / stepsPerSecond,
    figures: { samplesPerSecond },
  };
}
