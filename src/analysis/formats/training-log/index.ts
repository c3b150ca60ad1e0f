import { rankFromName } from '../step-series';
import { type TextLog } from '../text-log';
import { deepspeed } from './deepspeed';
import { type TrainingLogDialect } from './dialect';
import { LogSeries } from './log-series';
import { megatron } from './megatron';
import { llmc, moddedNanogpt, nanogpt } from './nanogpt';
import { plainLine } from './plain-line';
import { huggingface, lightning } from './progress-bar';
import { torchtitan } from './torchtitan';

/** In the order in which they are believed when a log speaks several: those that tell durations, then finer clocks. */
const DIALECTS: readonly TrainingLogDialect[] = [
  megatron,
  nanogpt,
  llmc,
  moddedNanogpt,
  torchtitan,
  deepspeed,
  lightning,
  huggingface,
];

/** What a training prints: step times, throughput and memory out of the logs of the usual frameworks. */
export const trainingLogs: TextLog = {
  id: 'training-log',
  sniffOrder: 90,
  nothingFound: 'has no line of a training framework.',
  sniff(head) {
    if (head.includes(0)) return false;
    return new TextDecoder()
      .decode(head)
      .split(/[\r\n]/)
      .some((line) => dialectMarkedBy(plainLine(line).text) !== undefined);
  },
  open({ path, problems }) {
    const rankOfName = rankFromName(path);
    const logs = DIALECTS.map((dialect) => ({
      dialect,
      readLine: dialect.start(),
      series: new LogSeries(dialect, rankOfName),
    }));
    let rankKept: number | null = null;
    let linesOfOtherRanks = 0;
    let marked: TrainingLogDialect | undefined;
    return {
      line(line) {
        const { text, rank } = plainLine(line);
        marked ??= dialectMarkedBy(text);
        for (const { dialect, readLine, series } of logs) {
          const summary = dialect.summary?.(text);
          if (summary) series.addSummary(summary);
          const told = readLine(text);
          if (!told) continue;
          rankKept ??= rank;
          if (rank === rankKept || rank === null) series.add(told);
          else linesOfOtherRanks++;
        }
      },
      finish() {
        // Other texts may have a line that one dialect could have written.
        if (!marked) return null;
        const finished = logs.map(({ dialect, series }) => ({ dialect, series, stepTimes: series.finish() }));
        const believed =
          finished.find(({ series }) => series.timed > 0) ??
          finished.find(({ series }) => series.length > 0) ??
          finished.find(({ dialect }) => dialect === marked) ??
          finished[0];
        if (believed.series.timed === 0) problems.add('log-without-step-times', path);
        problems.add('log-steps-repeat', path, believed.series.repeats + linesOfOtherRanks);
        problems.add('event-limit-reached', path, believed.series.dropped);
        return { kind: 'step-times', stepTimes: { ...believed.stepTimes, rank: rankOfName ?? rankKept } };
      },
    };
  },
};

function dialectMarkedBy(line: string): TrainingLogDialect | undefined {
  return DIALECTS.find((dialect) => dialect.mark.test(line));
}
