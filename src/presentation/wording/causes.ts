import { type Cause } from '../../analysis';
import { formatBytes } from '../quantity';

type Values = Cause['values'];

const bytes = (value: Values[string] | undefined): string =>
  // Messages of the frameworks are in GiB.
  typeof value === 'number'
    ? `${formatBytes(value)} (${(value / 2 ** 30).toFixed(2)} GiB)`
    : 'an unknown amount';

const USED: Readonly<Record<string, string>> = {
  socket: 'TCP sockets',
  shm: 'shared memory of the host',
  ib: 'InfiniBand or RoCE',
  plugin: 'the network of a plugin',
  p2p: 'peer-to-peer',
  other: 'a path that the log does not name',
};

const PATHS: Readonly<Record<string, string>> = {
  p2p: 'Peer-to-peer (NVLink or PCIe)',
  shm: 'Shared memory',
  ib: 'InfiniBand or RoCE',
  'gpu-direct': 'GPUDirect RDMA',
};

const REASONS: Readonly<Record<string, string>> = {
  'disabled-by-environment': 'is disabled by the environment',
  'other-network-chosen': 'was not tried, because another network was chosen',
  'no-device': 'has no device',
  'library-missing': 'lacks its library',
  'plugin-declined': 'did not start',
  'refused-by-driver': 'was refused by the driver',
  'not-usable': 'could not be used',
};

const FAILURES: Readonly<Record<string, (values: Values) => string>> = {
  'larger-than-device': () => 'The tensor alone is larger than the device.',
  'own-cap': ({ allowedBytes, freeBytes }) =>
    `The job limits itself to ${bytes(allowedBytes)} of the device (set_per_process_memory_fraction), and that is used up${typeof freeBytes === 'number' ? `; ${bytes(freeBytes)} of the device were free` : ''}.`,
  fragmentation: ({ unallocatedBytes }) =>
    `The allocator holds ${bytes(unallocatedBytes)} that no tensor uses, in pieces too small for this one.`,
  'graph-pools': () => 'The memory lies in private pools of CUDA graphs, which other tensors cannot use.',
  'other-processes': () => 'Other processes hold memory of the device.',
  'device-full': ({ missingBytes }) =>
    `The tensors of this process fill the device: ${bytes(missingBytes)} less in use and it would have fitted.`,
  'not-told': () => 'The message has no figures that would tell why.',
};

/** Words by cause id. One entry adds one; a test checks that every cause that a rule can give has its words. */
export const CAUSE_WORDING: Readonly<Record<string, (values: Values) => string>> = {
  'cache-emptied': ({ name, at, calls }) =>
    `The snapshot of the allocator shows ${String(calls)} calls of empty_cache() in its history; most memory was given back by ${String(name)} (${String(at)}).`,
  'memory-held': ({ name, at, sizeBytes }) =>
    `In the snapshot of the allocator ${String(name)} (${String(at)}) holds most: ${bytes(sizeBytes)}.`,
  'slow-transport': ({
    library,
    used,
    withinHost,
    slowConnections,
    allConnections,
    unusedNvlinkBytesPerSec,
  }) => {
    const where = withinHost === true ? ' between GPUs of one machine' : '';
    const nvlink =
      typeof unusedNvlinkBytesPerSec === 'number'
        ? `, while an NVLink of ${formatBytes(unusedNvlinkBytesPerSec)}/s lies idle`
        : '';
    return `${String(library ?? 'The library')} talks over ${USED[String(used)] ?? String(used)}${where} (${String(slowConnections)} of ${String(allConnections)} connections)${nvlink}.`;
  },
  'faster-path-not-taken': ({ path, code, evidence, inferred }) =>
    `${PATHS[String(path)] ?? String(path)} ${REASONS[String(code)] ?? String(code)}${inferred === true ? ', as it seems' : ''}: ${String(evidence).replace(/\.+$/, '')}.`,
  'failed-allocation': (values) => {
    const asked =
      typeof values.requestedBytes === 'number'
        ? `${String(values.backend)} could not allocate ${bytes(values.requestedBytes)}. `
        : `${String(values.backend)} ran out of memory. `;
    return asked + (FAILURES[String(values.why)]?.(values) ?? '');
  },
};
