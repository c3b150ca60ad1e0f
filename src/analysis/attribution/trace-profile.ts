import { type HostProfile } from '../formats/host-profile';
import { HostProfileBuilder, type KnownFunction } from '../formats/host-profile-builder';
import { type Intervals, overlapMeter, union } from '../timeline/intervals';
import { HostEventKind } from '../timeline/rank-timeline';
import { type RankAttribution } from './attribute-rank';
import { memoize } from './device-activity';

/** Python frames that one profile is made of; a step of eager PyTorch has some ten thousand. */
const MAX_FRAMES = 2_000_000;
const MAX_DEPTH = 4096;

/** Frames of one thread that are open. */
interface OpenFrames {
  frames: KnownFunction[];
  endNs: number[];
  lastNs: number;
}

/**
 * What Python did in the counted steps of a rank while the device was empty for want of work from the host: a profile in ns
 * from the frames that `with_stack` records. Null without such frames. What is hidden behind the device does not count.
 */
export function profileOfTrace({ rank, timeline, windows, device }: RankAttribution): HostProfile | null {
  const counted = windows.windows.filter((w) => w.excluded === null);
  const first = counted.at(0);
  const last = counted.at(-1);
  if (!device || !first || !last) return null;
  const idleNs = overlapMeter(waitingForHost(device.idle));
  const { host, strings } = timeline;
  const profile = new HostProfileBuilder();
  const functionOf = memoize((nameId) => {
    const { name, file } = parseName(strings.get(nameId));
    return profile.function(name, file);
  });
  const threads = new Map<number, OpenFrames>();
  const passTo = (open: OpenFrames, toNs: number): void => {
    const weight = idleNs(Math.max(open.lastNs, first.startNs), Math.min(toNs, last.endNs));
    if (weight > 0 && open.frames.length > 0) profile.add({ frames: open.frames, weight, sampleCount: 1 });
    open.lastNs = toNs;
  };
  const closeUntil = (open: OpenFrames, timeNs: number): void => {
    for (let end = open.endNs.at(-1); end !== undefined && end <= timeNs; end = open.endNs.at(-1)) {
      passTo(open, Math.max(end, open.lastNs));
      open.endNs.pop();
      open.frames.pop();
    }
  };
  let frameCount = 0;
  for (let i = 0; i < host.count && frameCount < MAX_FRAMES; i++) {
    if (host.kind[i] !== HostEventKind.python || host.startNs[i] >= last.endNs) continue;
    frameCount++;
    let open = threads.get(host.threadIndex[i]);
    if (!open) threads.set(host.threadIndex[i], (open = { frames: [], endNs: [], lastNs: -Infinity }));
    closeUntil(open, host.startNs[i]);
    passTo(open, host.startNs[i]);
    if (open.frames.length >= MAX_DEPTH) continue;
    open.frames.push(functionOf(host.nameId[i]));
    open.endNs.push(host.endNs[i]);
  }
  for (const open of threads.values()) closeUntil(open, Infinity);
  return profile.isEmpty ? null : profile.build({ source: 'trace', rank, unit: 'ns' });
}

/** Idle time of the device that the host could have filled and did not. */
function waitingForHost({ hostOther, inputWait }: NonNullable<RankAttribution['device']>['idle']): Intervals {
  return union(hostOther, inputWait);
}

const FRAME = /^(.*)\((\d+)\): (.+)$/;
/** Addresses of objects make the same built-in another one each time. */
const ADDRESS = / object at 0x[\da-f]+/;

/** `file.py(12): name`, or a built-in. */
function parseName(text: string): { name: string; file: string } {
  const match = FRAME.exec(text);
  return match ? { name: match[3], file: match[1] } : { name: text.replace(ADDRESS, ''), file: '' };
}
