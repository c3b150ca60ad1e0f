import { InputRefused } from '../../timeline/input-refused';
import { NS_PER_S } from '../../units/time';
import { type ArtifactFormat } from '../artifact-format';
import { readSmallText } from '../read-text';
import { plausibleNs, rankFromName, StepSeries } from '../step-series';

/**
 * `trainer_state.json` of the Hugging Face Trainer. It has losses by step and no times but those of a finished
 * training as a whole, so it gives at most one entry per training: the mean step.
 */
export const trainerStateFormat: ArtifactFormat = {
  id: 'trainer-state',
  sniffOrder: 25,
  sniff(head) {
    const text = new TextDecoder().decode(head);
    return /^\s{0,64}\{/.test(text) && text.includes('"log_history"') && text.includes('"global_step"');
  },
  async read(chunks, context) {
    const { path, problems } = context;
    const series = new StepSeries('huggingface', rankFromName(path));
    for (const entry of logHistory(await readSmallText(chunks, context), path)) {
      if (typeof entry !== 'object' || entry === null || !('train_runtime' in entry)) continue;
      const number = (key: string): number => {
        const value = (entry as Record<string, unknown>)[key];
        return typeof value === 'number' && value > 0 && value < Infinity ? value : NaN;
      };
      // The rates are rounded to three decimals, so the mean is made of runtime and steps.
      const steps = number('step');
      if (!(steps >= 1 && number('train_runtime') > 0)) continue;
      series.add({
        step: steps,
        stepsAveraged: steps,
        hostNs: plausibleNs((number('train_runtime') / steps) * NS_PER_S),
        figures: {
          samplesPerSecond: number('train_samples_per_second'),
          tokensPerSecond: number('train_tokens_per_second'),
        },
      });
    }
    if (series.length === 0) problems.add('log-without-step-times', path);
    return { kind: 'step-times', stepTimes: series.finish() };
  },
};

function logHistory(text: string, path: string): unknown[] {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    // The reason of the parser is left out: it quotes the file, line breaks and all.
    throw new InputRefused('unreadable', `${path}: not valid JSON, perhaps cut off; upload the whole file.`);
  }
  if (
    typeof state !== 'object' ||
    state === null ||
    !('log_history' in state) ||
    !Array.isArray(state.log_history)
  )
    throw new InputRefused('unreadable', `${path}: a trainer state needs "log_history", a list.`);
  return state.log_history;
}
