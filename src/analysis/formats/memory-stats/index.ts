import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { rankFromName } from '../step-series';
import { readSmallText } from '../read-text';
import { statisticsOf } from './statistics-of';

/** Members that every version since 1.4 writes, in the flat form and in the nested one. */
const MEMBERS = ['allocated_bytes', 'reserved_bytes', 'active_bytes', 'inactive_split_bytes'];

/** `torch.cuda.memory_stats()` (or `memory_stats_as_nested_dict()`) as one JSON object. */
export const memoryStatsFormat: ArtifactFormat = {
  id: 'memory-stats',
  sniffOrder: 82,
  sniff: (head) => {
    const text = new TextDecoder('latin1').decode(head);
    return (
      /^\s*\{/.test(text) &&
      !text.includes('"traceEvents"') &&
      MEMBERS.filter((name) => text.includes(`"${name}.all.`) || text.includes(`"${name}":`)).length >= 2
    );
  },
  async read(chunks, context) {
    const text = await readSmallText(chunks, context);
    let root: unknown;
    try {
      root = JSON.parse(text);
    } catch (error) {
      throw new InputRefused('unreadable', `${context.path}: not valid JSON (${String(error)}).`);
    }
    const { statistics, unreadable } = statisticsOf(root);
    if (Object.keys(statistics.bytes).length === 0)
      throw new InputRefused(
        'unreadable',
        `${context.path}: no figure of the allocator is a number of bytes.`,
      );
    context.problems.add('malformed-event', context.path, unreadable.length, unreadable.at(0));
    return { kind: 'memory-stats', stats: { rank: rankFromName(context.path), statistics } };
  },
};
