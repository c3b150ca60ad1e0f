import { NS_PER_S } from '../../units/time';
import { type TrainingLogDialect } from './dialect';
import { bytesAfter, numberAfter, timestampMs } from './log-values';

/** The throughput timer's line, the engine's, and the pipeline engine's. */
const STEP =
  /\bglobal_step=(\d{1,12}), RunningAvgSamplesPerSec=|\[Rank 0\] step=(\d{1,12}), skipped=|\bsteps: (\d{1,12}) loss: \S{1,32} iter time \(s\):/;
const iterationS = numberAfter('\\biter time \\(s\\):');
const samplesPerSecond = numberAfter('\\b(?:CurrSamplesPerSec=|samples/sec:)');
const memoryBytes = bytesAfter('\\bMemAllocated=');
const peakMemoryBytes = bytesAfter('\\bMaxMemAllocated=');

/** DeepSpeed: the pipeline engine tells the time of an iteration; elsewhere the stamps of two lines stand for it. */
export const deepspeed: TrainingLogDialect = {
  source: 'deepspeed',
  mark: /\[(?:INFO|WARNING)\] \[(?:real_accelerator|runner|launch|timer|logging|engine|config|comm|stage3|stage_1_and_2|multinode_runner)\.py:\d{1,6}:\w{1,60}\]/,
  timeOf: 'steps-since-line-before',
  clockUnitMs: 1,
  start: () => (line) => {
    const match = STEP.exec(line);
    if (!match) return null;
    return {
      step: Number(match[1] ?? match[2] ?? match[3]),
      stepNs: iterationS(line) * NS_PER_S,
      clockMs: timestampMs(line),
      figures: {
        samplesPerSecond: samplesPerSecond(line),
        memoryBytes: memoryBytes(line),
        peakMemoryBytes: peakMemoryBytes(line),
      },
    };
  },
};
