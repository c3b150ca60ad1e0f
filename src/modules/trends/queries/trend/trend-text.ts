import { StreamableFile } from '@nestjs/common';
import { type RunFragment } from './packed-runs.repository';

/**
 * The JSON of an answer whose one line is of runs that come as text: to read ten thousand numbers and write them again costs
 * more than all else of the answer.
 */
export function trendText<Line extends { runs: null }>(
  { lines: [line], ...answer }: { lines: Line[] },
  fragments: readonly RunFragment[],
): StreamableFile {
  const { runs: _, ...about } = line;
  const column = (of: (fragment: RunFragment) => string | null) => `[${fragments.map(of).join(',')}]`;
  const runId = fragments.some(({ runIds }) => runIds === null) ? 'null' : column(({ runIds }) => runIds);
  const runs = `{"atMs":${column(({ atMs }) => atMs)},"value":${column(({ value }) => value)},"runId":${runId}}`;
  const text = `{"lines":[{"runs":${runs},${JSON.stringify(about).slice(1)}],${JSON.stringify(answer).slice(1)}`;
  const bytes = Buffer.from(text);
  return new StreamableFile(bytes, { type: 'application/json; charset=utf-8', length: bytes.byteLength });
}
