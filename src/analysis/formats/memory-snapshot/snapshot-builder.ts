import { BlockTally } from './block-tally';
import { Frame, FrameTable, Stack } from './frames';
import { type PickleShapes } from './pickle-machine';
import { type SnapshotSettings } from './memory-snapshot-record';
import { TraceTally } from './trace-tally';
import { AllocatorSettings, Counted, SummedList, type Value } from './values';

/** Devices of one process; a file that names more is not a snapshot. */
const MAX_DEVICES = 256;

/** What is known of one device while the file is read. */
export interface DeviceTally {
  segmentCount: number;
  blocks: BlockTally;
  /** Free bytes in segments of which a part is in use. */
  splitFreeBytes: number;
}

type Entries = ReadonlyMap<string, Value>;

/** Tells the records of a snapshot by their members and sums them up as they come. */
export class SnapshotBuilder implements PickleShapes {
  readonly devices = new Map<number, DeviceTally>();
  traces: readonly (TraceTally | null)[] = [];
  settings: SnapshotSettings | null = null;
  /** The members of a snapshot were seen, though it may have no segment. */
  isSnapshot = false;
  /** Records with figures that cannot be, and one of them. */
  malformedCount = 0;
  malformedExample: string | null = null;
  readonly frames = new FrameTable();

  dictOf(entries: Entries, owner: Value): Value {
    if (entries.has('filename')) return this.frameOf(entries);
    if (entries.has('action')) return this.countEvent(entries, owner);
    if (entries.has('blocks')) return this.countSegment(entries);
    if (entries.has('state')) return this.countBlock(entries, owner);
    if (entries.has('real_size')) return stackOf(entries.get('frames'));
    if (entries.has('expandable_segments')) return new AllocatorSettings(new Map(entries));
    if (entries.has('segments')) this.finish(entries);
    return null;
  }

  append(list: SummedList, item: Value): void {
    if (item instanceof Frame) list.stack = Stack.with(list.stack, item);
    else if (item instanceof Stack) list.stack ??= item;
    else if (item === null || item instanceof SummedList) {
      if (list.traces.length < MAX_DEVICES) list.traces.push(item?.trace ?? null);
    }
  }

  private frameOf(entries: Entries): Value {
    const name = entries.get('name');
    const file = entries.get('filename');
    const line = entries.get('line');
    const isFrame = typeof name === 'string' && typeof file === 'string';
    return isFrame ? this.frames.frame(name, file, sizeOf(line) ?? 0) : null;
  }

  private countEvent(entries: Entries, owner: Value): Value {
    const sizeBytes = sizeOf(entries.get('size'));
    const action = entries.get('action');
    if (!(owner instanceof SummedList)) return this.malformed('an event of the history', entries);
    owner.trace ??= new TraceTally();
    const counted = owner.trace.add({
      action,
      sizeBytes,
      deviceFreeBytes: sizeOf(entries.get('device_free')),
      timeUs: sizeOf(entries.get('time_us')),
      stack: stackOf(entries.get('frames')),
    });
    if (!counted) this.malformed('an event of the history', entries);
    return Counted.event;
  }

  private countBlock(entries: Entries, owner: Value): Value {
    const sizeBytes = sizeOf(entries.get('size'));
    if (!(owner instanceof SummedList)) return this.malformed('a block', entries);
    owner.blocks ??= new BlockTally();
    const stack = stackOf(entries.get('frames')) ?? stackOf(entries.get('history'));
    if (!owner.blocks.add(entries.get('state'), sizeBytes, sizeOf(entries.get('requested_size')), stack))
      this.malformed('a block', entries);
    return Counted.block;
  }

  private countSegment(entries: Entries): Value {
    this.isSnapshot = true;
    const id = sizeOf(entries.get('device'));
    const list = entries.get('blocks');
    const blocks = list instanceof SummedList ? list.blocks : null;
    if (id === null || id >= MAX_DEVICES || !blocks) return this.malformed('a segment', entries);
    // Blocks fill their segment; where they do not, one of the two was changed, and the blocks are what is summed up.
    if (entries.get('total_size') !== blocks.inUseBytes + blocks.freeBytes)
      this.malformed('a segment', entries);
    let device = this.devices.get(id);
    if (!device) {
      device = { segmentCount: 0, blocks: new BlockTally(), splitFreeBytes: 0 };
      this.devices.set(id, device);
    }
    device.segmentCount++;
    device.blocks.merge(blocks);
    if (blocks.inUseBytes > 0) device.splitFreeBytes += blocks.freeBytes;
    return Counted.segment;
  }

  private finish(entries: Entries): void {
    this.isSnapshot = true;
    const traces = entries.get('device_traces');
    if (traces instanceof SummedList) this.traces = traces.traces;
    const settings = entries.get('allocator_settings');
    if (settings instanceof AllocatorSettings) this.settings = settingsOf(settings.entries);
  }

  private malformed(what: string, entries: Entries): null {
    this.malformedCount++;
    this.malformedExample ??= `${what} with ${[...entries]
      .flatMap(([key, value]) =>
        typeof value === 'number' || typeof value === 'string' ? [`${key} ${value}`] : [],
      )
      .join(', ')}`;
    return null;
  }
}

/** A count of bytes or of anything else, or null. */
function sizeOf(value: Value | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function stackOf(value: Value | undefined): Stack | null {
  if (value instanceof Stack) return value;
  return value instanceof SummedList ? value.stack : null;
}

function settingsOf(entries: Entries): SnapshotSettings {
  const expandable = entries.get('expandable_segments');
  const threshold = entries.get('garbage_collection_threshold');
  return {
    expandableSegments: typeof expandable === 'boolean' ? expandable : null,
    // -1 stands for no bound.
    maxSplitSizeBytes: sizeOf(entries.get('max_split_size')),
    garbageCollectionThreshold: typeof threshold === 'number' && threshold > 0 ? threshold : null,
  };
}
