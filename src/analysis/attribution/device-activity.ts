import { difference, type Intervals, union, unionOfSorted } from '../timeline/intervals';
import { isCollectiveKernel } from '../timeline/kernel-class';
import { DeviceOpKind, type RankTimeline } from '../timeline/rank-timeline';

/**
 * What one device did when, as unions over all its streams: kernels may overlap, on one stream too, so nothing is ever
 * summed. Priority compute, then communication, then memory operations: the exposed parts are what is not under a
 * higher one. `compute`, `exposedCommunication` and `exposedMemcpy` are disjoint and together are `busy`.
 */
export interface DeviceActivity {
  deviceId: number;
  /** Indices of the device's operations in `RankTimeline.device`, by start. */
  opIndices: Uint32Array;
  /** For each operation of the timeline: 1 when it is a collective. */
  isCollective: Uint8Array;
  compute: Intervals;
  communication: Intervals;
  exposedCommunication: Intervals;
  exposedMemcpy: Intervals;
  /** The part of `exposedMemcpy` that is copies from host to device. */
  exposedHostToDevice: Intervals;
  busy: Intervals;
}

const HOST_TO_DEVICE = /HtoD|HostToDevice/i;

/** Attributes the time of the device that did most in this trace; null when the trace has no device operations. */
export function computeDeviceActivity(timeline: RankTimeline): DeviceActivity | null {
  const { device, strings } = timeline;
  if (device.count === 0) return null;
  const collectiveName = memoize((nameId) => isCollectiveKernel(strings.get(nameId)));
  const hostToDeviceName = memoize((nameId) => HOST_TO_DEVICE.test(strings.get(nameId)));

  const deviceId = busiestDevice(timeline);
  const opIndices = indicesWhere(device.count, (i) => device.deviceId[i] === deviceId);
  const isCollective = new Uint8Array(device.count);
  for (const i of opIndices) {
    if (
      device.kind[i] === DeviceOpKind.kernel &&
      (device.collectiveIndex[i] >= 0 || collectiveName(device.nameId[i]))
    )
      isCollective[i] = 1;
  }
  const unionWhere = (accept: (i: number) => boolean): Intervals =>
    unionOfSorted(device.startNs, device.endNs, opIndices.filter(accept));

  const compute = unionWhere((i) => device.kind[i] === DeviceOpKind.kernel && isCollective[i] === 0);
  const communication = unionWhere((i) => isCollective[i] === 1);
  const memory = unionWhere((i) => device.kind[i] !== DeviceOpKind.kernel);
  const hostToDevice = unionWhere(
    (i) => device.kind[i] === DeviceOpKind.memcpy && hostToDeviceName(device.nameId[i]),
  );
  const computeOrCommunication = union(compute, communication);
  return {
    deviceId,
    opIndices,
    isCollective,
    compute,
    communication,
    exposedCommunication: difference(communication, compute),
    exposedMemcpy: difference(memory, computeOrCommunication),
    exposedHostToDevice: difference(hostToDevice, computeOrCommunication),
    busy: union(computeOrCommunication, memory),
  };
}

/** Device with the most operation time. A rank drives one device; others in its trace are peer copies and stray work. */
function busiestDevice({ device }: RankTimeline): number {
  const timeNs = new Map<number, number>();
  for (let i = 0; i < device.count; i++) {
    const id = device.deviceId[i];
    timeNs.set(id, (timeNs.get(id) ?? 0) + device.endNs[i] - device.startNs[i]);
  }
  return [...timeNs].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}

function indicesWhere(count: number, accept: (i: number) => boolean): Uint32Array {
  const indices = new Uint32Array(count);
  let n = 0;
  for (let i = 0; i < count; i++) if (accept(i)) indices[n++] = i;
  return indices.slice(0, n);
}

/** Remembers the answer per id: names repeat thousands of times, regular expressions are slow. */
export function memoize<T>(compute: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>();
  return (id) => {
    let value = known.get(id);
    if (value === undefined) {
      value = compute(id);
      known.set(id, value);
    }
    return value;
  };
}
