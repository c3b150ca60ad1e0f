import { allRows, stableOrder } from './stable-order';
import { type DeviceOps, HostEventKind, type HostEvents, NO_ID } from './rank-timeline';
import { type StringTable } from './string-table';

/** Calls that put work on the device; others may carry the same correlation id (a driver call inside a runtime call). */
const LAUNCHES_WORK = /launch|memcpy|memset|graph/i;

/** What linking found. */
export interface LinkCounts {
  /** Device operations whose launch is not in the file. */
  missing: number;
  /** Device operations that start before their launch. */
  beforeLaunch: number;
}

/**
 * Fills `device.launchIndex` by correlation id. Both sides are brought into the order of their ids, which is nearly
 * that of time, and joined; a table would need bounds against hostile ids.
 */
export function linkLaunches(device: DeviceOps, host: HostEvents, strings: StringTable): LinkCounts {
  const ops = withIds(device.correlationId, () => true);
  const calls = withIds(host.correlationId, (row) => host.kind[row] === HostEventKind.runtime);
  const launches = launchingNames(strings, host);
  let call = 0;
  for (let i = 0; i < ops.length;) {
    const id = device.correlationId[ops[i]];
    while (call < calls.length && host.correlationId[calls[call]] < id) call++;
    let chosen = -1;
    for (let c = call; c < calls.length && host.correlationId[calls[c]] === id; c++) {
      if (chosen < 0 || (!launches[host.nameId[chosen]] && launches[host.nameId[calls[c]]]))
        chosen = calls[c];
    }
    for (; i < ops.length && device.correlationId[ops[i]] === id; i++) device.launchIndex[ops[i]] = chosen;
  }
  return countLinks(device, host);
}

/** Rows that have an id, in the order of their ids, then of time. */
function withIds(ids: Uint32Array, wanted: (row: number) => boolean): Uint32Array {
  const rows = allRows(ids.length).filter((row) => ids[row] !== NO_ID && wanted(row));
  return stableOrder(rows, (a, b) => ids[a] < ids[b]);
}

/** By name id: whether a call of that name puts work on the device. */
function launchingNames(strings: StringTable, host: HostEvents): Uint8Array {
  const launches = new Uint8Array(strings.size);
  const checked = new Uint8Array(strings.size);
  for (let row = 0; row < host.count; row++) {
    const id = host.nameId[row];
    if (host.kind[row] !== HostEventKind.runtime || checked[id]) continue;
    checked[id] = 1;
    launches[id] = LAUNCHES_WORK.test(strings.get(id)) ? 1 : 0;
  }
  return launches;
}

function countLinks(device: DeviceOps, host: HostEvents): LinkCounts {
  const counts = { missing: 0, beforeLaunch: 0 };
  for (let i = 0; i < device.count; i++) {
    const launch = device.launchIndex[i];
    if (launch < 0) counts.missing++;
    else if (device.startNs[i] < host.startNs[launch]) counts.beforeLaunch++;
  }
  return counts;
}
