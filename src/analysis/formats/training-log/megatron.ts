import { NS_PER_MS } from '../../units/time';
import { type LogLine, type TrainingLogDialect } from './dialect';
import { numberAfter, parseNumber } from './log-values';

const ITERATION = /\biteration\s{1,10}(\d{1,12})\/\s{0,12}\d{1,12} \|/;
/** Printed once by each rank, after the line of the iteration. */
const MEMORY = /^.{0,80}\[Rank \d{1,7}\] \(after (\d{1,12}) iterations\) memory \(MB\) \|/;

const elapsedMs = numberAfter('elapsed time per iteration \\(ms\\):');
const samplesPerSecond = numberAfter('samples per second:');
const tokensPerSecond = numberAfter('tokens per second:');
const deviceTokensPerSecond = numberAfter(
  '(?:tokens per GPU \\(tokens/s/GPU\\)|tokens[ -]per[ -]second[ -]per[ -](?:gpu|device)):',
);
const teraflopPerSecond = numberAfter('(?:TFLOPs|throughput per GPU \\(TFLOP/s/GPU\\)):');
const allocatedMb = numberAfter('\\| allocated:');
const peakAllocatedMb = numberAfter('\\| max allocated:');

/** Megatron-LM and its relatives: a line every `--log-interval` iterations with the mean time of one. */
export const megatron: TrainingLogDialect = {
  source: 'megatron',
  mark: /\biteration\s{1,10}\d{1,12}\/\s{0,12}\d{1,12} \|| -{8,40} arguments -{8,40}|setting tensorboard|using world size: \d+, data-parallel/,
  timeOf: 'steps-since-line-before',
  clockUnitMs: 0,
  start: () => (line) => iterationLine(line) ?? memoryLine(line),
};

function iterationLine(line: string): LogLine | null {
  const match = ITERATION.exec(line);
  if (!match) return null;
  return {
    step: Number(match[1]),
    stepNs: elapsedMs(line) * NS_PER_MS,
    figures: {
      samplesPerSecond: samplesPerSecond(line),
      tokensPerSecond: tokensPerSecond(line),
      deviceTokensPerSecond: deviceTokensPerSecond(line),
      deviceFlopPerSecond: teraflopPerSecond(line) * 1e12,
    },
  };
}

function memoryLine(line: string): LogLine | null {
  const match = MEMORY.exec(line);
  if (!match) return null;
  return {
    step: parseNumber(match[1]),
    figures: { memoryBytes: allocatedMb(line) * 2 ** 20, peakMemoryBytes: peakAllocatedMb(line) * 2 ** 20 },
  };
}
