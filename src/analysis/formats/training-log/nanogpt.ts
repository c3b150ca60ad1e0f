import { NS_PER_MS } from '../../units/time';
import { type LogLine, type TrainingLogDialect } from './dialect';
import { numberAfter } from './log-values';

const ITERATION = /^iter (\d{1,12}): loss /;
/** build-nanogpt and nanochat: fields between bars. */
const BARRED_STEP = /^step\s{1,10}(\d{1,12})(?:\/\d{1,12})?(?: \([\d.]{1,8}%\))? \| loss: /;
const iterationMs = numberAfter('\\b(?:time|dt:)');
const tokensPerSecond = numberAfter('\\btok/sec:');

/** nanoGPT and what grew out of it: the time of one iteration, whatever the interval of the lines. */
export const nanogpt: TrainingLogDialect = {
  source: 'nanogpt',
  mark: /^(?:iter \d{1,12}: loss -?[\dn]|step\s{1,10}\d{1,12}(?:\/\d{1,12})?(?: \([\d.]{1,8}%\))? \| loss: )/m,
  timeOf: 'one-step',
  clockUnitMs: 0,
  start: () => (line) => {
    const match = ITERATION.exec(line) ?? BARRED_STEP.exec(line);
    if (!match) return null;
    return {
      step: Number(match[1]),
      stepNs: iterationMs(line) * NS_PER_MS,
      figures: { tokensPerSecond: tokensPerSecond(line) },
    };
  },
};

const CUMULATIVE = /^step:(\d{1,12})\/\d{1,12} .{0,80}\btrain_time:/;
const trainTimeMs = numberAfter('\\btrain_time:');

/** modded-nanogpt: time since the start of training, which begins anew after the warm-up steps. */
export const moddedNanogpt: TrainingLogDialect = {
  source: 'modded-nanogpt',
  mark: /^step:\d{1,12}\/\d{1,12} .{0,80}\btrain_time:\d/m,
  timeOf: 'steps-since-line-before',
  clockUnitMs: 1,
  start:
    () =>
    (line): LogLine | null => {
      const match = CUMULATIVE.exec(line);
      return match ? { step: Number(match[1]), clockMs: trainTimeMs(line) } : null;
    },
};

const LLM_C = /^step\s{1,10}(\d{1,12})\/\d{1,12} \| (?:loss|train loss) .{0,160}\| ([\d.]{1,12}) ms \|/;
const llmcTokensPerSecond = /([\d.]{1,16}) tok\/s/;

/** llm.c: a line per step on its output; its `main.log` (`s:1 trl:…`) has no times. */
export const llmc: TrainingLogDialect = {
  source: 'llm.c',
  mark: /^(?:s:\d{1,12} t[re]l:\d|step\s{1,10}\d{1,12}\/\d{1,12} \| (?:train )?loss \d)/m,
  timeOf: 'one-step',
  clockUnitMs: 0,
  start: () => (line) => {
    const match = LLM_C.exec(line);
    if (!match) return null;
    return {
      step: Number(match[1]),
      stepNs: Number(match[2]) * NS_PER_MS,
      figures: { tokensPerSecond: Number(llmcTokensPerSecond.exec(line)?.[1] ?? NaN) },
    };
  },
};
