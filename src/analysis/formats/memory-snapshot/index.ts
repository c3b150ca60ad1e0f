import { ByteSourceErrorCode, errorCode, InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { rankFromName } from '../step-series';
import { buildSnapshot } from './build-snapshot';
import { PickleMachine } from './pickle-machine';
import { SnapshotBuilder } from './snapshot-builder';
import { TextTable } from './text-table';

/** Members that stand at the head of a snapshot, and of the bare list of segments that `memory_snapshot()` gives. */
const HEAD_CHARS = 4096;
const MEMBERS = /segments|total_size/;

/** `torch.cuda.memory._dump_snapshot()`: read opcode by opcode, never unpickled. */
export const memorySnapshotFormat: ArtifactFormat = {
  id: 'memory-snapshot',
  sniffOrder: 12,
  sniff: (head) =>
    head[0] === 0x80 &&
    head[1] >= 2 &&
    head[1] <= 5 &&
    MEMBERS.test(new TextDecoder('latin1').decode(head.subarray(0, HEAD_CHARS))),
  async read(chunks, context) {
    const { path, problems } = context;
    const builder = new SnapshotBuilder();
    const texts = new TextTable(context.limits.maxStringBytes);
    const machine = new PickleMachine(builder, texts, (why) => {
      throw new InputRefused(
        'unreadable',
        `${path}: a pickle that is not read, because ${why}. Upload what torch.cuda.memory._dump_snapshot() wrote.`,
      );
    });
    await feedAll(machine, chunks);
    if (!machine.done) {
      problems.add('truncated-file', path);
      // Segments stand first in the file; of the history there is what came, device after device.
      const [devices, ...unfinished] = machine.openListsAfter('device_traces');
      builder.traces = [...(devices?.traces ?? []), ...unfinished.map(({ trace }) => trace)];
    }
    if (!builder.isSnapshot)
      throw new InputRefused(
        'unreadable',
        `${path}: a pickle without segments of an allocator. Upload what torch.cuda.memory._dump_snapshot() wrote.`,
      );
    problems.add('malformed-event', path, builder.malformedCount, builder.malformedExample ?? undefined);
    problems.add('oversized-event', path, machine.oversizedTexts);
    problems.add('string-limit-reached', path, texts.turnedAway + builder.frames.turnedAway);
    return { kind: 'memory-snapshot', snapshot: buildSnapshot(builder, rankFromName(path)) };
  },
};

async function feedAll(machine: PickleMachine, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      machine.feed(chunk);
      if (machine.done) return;
    }
  } catch (error) {
    if (errorCode(error) !== ByteSourceErrorCode.truncated) throw error;
  }
}
