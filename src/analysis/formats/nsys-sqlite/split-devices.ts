import { DeviceOpKind, type DeviceOps, type RankTimeline } from '../../timeline/rank-timeline';
import { gathered } from '../../timeline/typed-columns';

/**
 * A device on which a process spends less than this share of the kernel time of its busiest one is no rank of its own:
 * a stray context or a peer copy.
 */
const MIN_SHARE = 0.1;

/**
 * One timeline for each device that the process works on; they share what the host did. Stray work on other devices
 * stays with the busiest one.
 */
export function splitByDevice(timeline: RankTimeline): RankTimeline[] {
  const kernelNs = new Map<number, number>();
  const { device } = timeline;
  for (let i = 0; i < device.count; i++) {
    const ns = device.kind[i] === DeviceOpKind.kernel ? device.endNs[i] - device.startNs[i] : 0;
    kernelNs.set(device.deviceId[i], (kernelNs.get(device.deviceId[i]) ?? 0) + ns);
  }
  const byTime = [...kernelNs].sort(([, a], [, b]) => b - a);
  const most = byTime.at(0)?.[1] ?? 0;
  const ranks = byTime.filter(([, ns]) => ns > 0 && ns >= MIN_SHARE * most).map(([id]) => id);
  if (ranks.length < 2) return [timeline];
  const [busiest] = ranks;
  return ranks
    .sort((a, b) => a - b)
    .map((rank) => {
      const mine = (id: number): boolean => id === rank || (rank === busiest && !ranks.includes(id));
      return { ...timeline, device: rowsWhere(device, (i) => mine(device.deviceId[i])) };
    });
}

function rowsWhere(device: DeviceOps, accept: (row: number) => boolean): DeviceOps {
  const order = Uint32Array.from({ length: device.count }, (_, i) => i).filter(accept);
  return {
    count: order.length,
    startNs: gathered(device.startNs, order),
    endNs: gathered(device.endNs, order),
    nameId: gathered(device.nameId, order),
    kind: gathered(device.kind, order),
    deviceId: gathered(device.deviceId, order),
    streamId: gathered(device.streamId, order),
    correlationId: gathered(device.correlationId, order),
    launchIndex: gathered(device.launchIndex, order),
    bytes: gathered(device.bytes, order),
    gridBlocks: gathered(device.gridBlocks, order),
    blockThreads: gathered(device.blockThreads, order),
    collectiveIndex: gathered(device.collectiveIndex, order),
  };
}
