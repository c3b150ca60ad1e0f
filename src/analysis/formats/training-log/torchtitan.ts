import { type TrainingLogDialect } from './dialect';
import { bytesAfter, numberAfter, timestampMs } from './log-values';

const STEP = /\bstep:\s{1,10}(\d{1,12})\s{1,10}loss:/;
/** Older versions say `wps`, for words. */
const tokensPerSecond = numberAfter('\\b(?:tps|wps):');
const teraflopPerSecond = numberAfter('\\btflops:');
const peakMemoryBytes = bytesAfter('\\bmemory:');

/** torchtitan: no times of steps, so the time between the stamps of two lines stands for them. */
export const torchtitan: TrainingLogDialect = {
  source: 'torchtitan',
  mark: /\[titan\] |\bstep:\s{1,10}\d{1,12}\s{1,10}loss:\s{1,10}-?\d/,
  timeOf: 'steps-since-line-before',
  clockUnitMs: 1,
  start: () => (line) => {
    const match = STEP.exec(line);
    if (!match) return null;
    return {
      step: Number(match[1]),
      clockMs: timestampMs(line),
      figures: {
        deviceTokensPerSecond: tokensPerSecond(line),
        deviceFlopPerSecond: teraflopPerSecond(line) * 1e12,
        peakMemoryBytes: peakMemoryBytes(line),
      },
    };
  },
};
