import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { rankFromName } from '../step-series';
import { readLines } from '../read-lines';
import { TABLE_TITLE, TableReader } from './table-reader';

const MAX_TABLES = 256;

/** What `torch.cuda.memory_summary()` prints, alone in a file or within other output. */
export const memorySummaryFormat: ArtifactFormat = {
  id: 'memory-summary',
  sniffOrder: 78,
  sniff: (head) => TABLE_TITLE.test(new TextDecoder('latin1').decode(head)),
  async read(chunks, context) {
    const reader = new TableReader(MAX_TABLES);
    for await (const line of readLines(chunks, context)) reader.read(line);
    const tables = reader.tables.filter(({ bytes }) => Object.keys(bytes).length > 0);
    if (tables.length === 0)
      throw new InputRefused(
        'unreadable',
        `${context.path} holds no row of a memory table. Write torch.cuda.memory_summary() to it as it is printed.`,
      );
    context.problems.add('malformed-event', context.path, reader.lostRows);
    context.problems.add('record-limit-reached', context.path, reader.lostTables);
    return { kind: 'memory-summary', summary: { rank: rankFromName(context.path), tables } };
  },
};
