import { type ArtifactFormat } from '../artifact-format';
import { readLines } from '../read-lines';
import { rankFromName, StepSeries } from '../step-series';
import { csvRows, isCsvHeader } from './csv-rows';
import { readJsonLine } from './json-line';

/** First line of a series: a JSON object with a step number and at least one of the two times. */
const FIRST_JSON_LINE = /^\s*\{[^{}\n]*"step"\s*:[^{}\n]*("host_s"|"device_ms")[^{}\n]*\}/;

/**
 * Step times measured without the profiler, one file per rank, as the post-hook writes them: JSON Lines of
 * `{"step": n, "host_s": seconds, "device_ms": milliseconds}` or CSV with these columns. CSV of Lightning's loggers is read too.
 */
export const stepTimesFormat: ArtifactFormat = {
  id: 'step-times',
  sniffOrder: 20,
  sniff(head) {
    const text = new TextDecoder().decode(head.subarray(0, 4096));
    return FIRST_JSON_LINE.test(text) || isCsvHeader(firstLine(text));
  },
  async read(chunks, context) {
    const { path, problems } = context;
    let series: StepSeries | null = null;
    let readLine = readJsonLine;
    for await (const line of readLines(chunks, context)) {
      if (line.trim() === '') continue;
      if (series === null) {
        const csv = csvRows(line);
        series = new StepSeries(csv?.source ?? 'stallscope', rankFromName(path));
        readLine = csv?.readRow ?? readJsonLine;
        if (csv) continue;
      }
      const entry = readLine(line);
      if (entry === 'malformed') problems.add('malformed-event', path, 1, line);
      else if (entry !== 'no-times') series.add(entry);
    }
    series ??= new StepSeries('stallscope', rankFromName(path));
    problems.add('event-limit-reached', path, series.dropped);
    return { kind: 'step-times', stepTimes: series.finish() };
  },
};

function firstLine(text: string): string {
  return text.trimStart().split(/[\r\n]/, 1)[0];
}
