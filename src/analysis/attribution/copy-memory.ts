import { DeviceOpKind } from '../timeline/rank-timeline';
import { type RankAttribution } from './attribute-rank';

const FROM_HOST = /HtoD.*\((Pinned|Pageable)/i;

/**
 * Share of the time of copies from host to device that read pinned memory, 0 to 1, as the names of the copies say; null when none
 * of them says it.
 */
export function pinnedCopyShare(deviceRanks: readonly RankAttribution[]): number | null {
  const timeNs = { pinned: 0, all: 0 };
  for (const { timeline } of deviceRanks) {
    const { device, strings } = timeline;
    const memoryOf = new Map<number, string | undefined>();
    for (let i = 0; i < device.count; i++) {
      if (device.kind[i] !== DeviceOpKind.memcpy) continue;
      const nameId = device.nameId[i];
      if (!memoryOf.has(nameId)) memoryOf.set(nameId, FROM_HOST.exec(strings.get(nameId))?.[1].toLowerCase());
      const memory = memoryOf.get(nameId);
      if (memory === undefined) continue;
      const durationNs = device.endNs[i] - device.startNs[i];
      timeNs.all += durationNs;
      if (memory === 'pinned') timeNs.pinned += durationNs;
    }
  }
  return timeNs.all === 0 ? null : timeNs.pinned / timeNs.all;
}
