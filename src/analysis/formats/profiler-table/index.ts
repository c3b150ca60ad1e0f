import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { readLines } from '../read-lines';
import { rankFromName } from '../step-series';
import { TableReader } from './table-reader';

/** Every version begins with these columns. */
const HEADER = /\bName +Self CPU (?:total )?% +Self CPU (?:total )? */;

/** What `key_averages().table()` of the PyTorch profiler printed, alone in a file or within other output. */
export const profilerTableFormat: ArtifactFormat = {
  id: 'profiler-table',
  sniffOrder: 94,
  sniff: (head) => HEADER.test(new TextDecoder('latin1').decode(head)),
  async read(chunks, context) {
    const reader = new TableReader();
    for await (const line of readLines(chunks, context)) reader.read(line);
    const { path, problems } = context;
    const tables = reader.tables.filter(({ rows }) => rows.length > 0);
    if (tables.length === 0)
      throw new InputRefused(
        'unreadable',
        `${path} holds no row of a table of the PyTorch profiler; write key_averages().table(row_limit=-1) to it as it is printed, or upload the trace.`,
      );
    problems.add('malformed-event', path, reader.malformed, reader.malformedExample);
    problems.add('record-limit-reached', path, reader.lost);
    return { kind: 'operator-totals', totals: { rank: rankFromName(path), tables } };
  },
};
