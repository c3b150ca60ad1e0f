import { type OomMessage } from './oom-message-record';

/** Why an allocation failed. */
export const OOM_CAUSES = [
  'larger-than-device',
  'own-cap',
  'fragmentation',
  'graph-pools',
  'other-processes',
  'device-full',
  'not-told',
] as const;
export type OomCause = (typeof OOM_CAUSES)[number];

export interface OomDiagnosis {
  cause: OomCause;
  /** Bytes by which it failed: with so much less in use it would have fitted. Null when the message has no figures. */
  missingBytes: number | null;
}

/**
 * What an out-of-memory message means. The first that fits holds: a cap that the job set for itself, memory that the
 * allocator holds but cannot use, pools of CUDA graphs, other processes; else the device is simply full.
 */
export function oomCauseOf(message: OomMessage): OomDiagnosis {
  const { requestedBytes, capacityBytes, freeBytes, allowedBytes, unallocatedBytes, privatePoolBytes } =
    message;
  if (requestedBytes === null) return { cause: 'not-told', missingBytes: null };
  const usedBytes = message.reservedBytes ?? message.processBytes;
  const overCapBytes =
    allowedBytes === null || usedBytes === null ? null : usedBytes + requestedBytes - allowedBytes;
  const overDeviceBytes = freeBytes === null ? null : requestedBytes - freeBytes;
  const missingBytes = positive(overCapBytes) ?? positive(overDeviceBytes);
  const covers = (bytes: number | null): boolean =>
    bytes !== null && missingBytes !== null && bytes >= missingBytes;

  if (capacityBytes !== null && requestedBytes > capacityBytes)
    return { cause: 'larger-than-device', missingBytes };
  if (unallocatedBytes !== null && unallocatedBytes >= requestedBytes)
    return { cause: 'fragmentation', missingBytes };
  if (positive(overCapBytes) !== null && positive(overDeviceBytes) === null)
    return { cause: 'own-cap', missingBytes };
  if (covers(privatePoolBytes)) return { cause: 'graph-pools', missingBytes };
  if (covers(otherProcessBytes(message))) return { cause: 'other-processes', missingBytes };
  return { cause: missingBytes === null ? 'not-told' : 'device-full', missingBytes };
}

const LEAST_OTHER_SHARE = 0.02;

/** What others hold on the device: as the message lists it, or what neither is free nor this process's. */
function otherProcessBytes({
  otherProcesses,
  capacityBytes,
  freeBytes,
  processBytes,
}: OomMessage): number | null {
  const listed = otherProcesses.reduce((total, { usedBytes }) => total + (usedBytes ?? 0), 0);
  if (listed > 0) return listed;
  if (capacityBytes === null || freeBytes === null || processBytes === null) return null;
  // The driver keeps some for itself, and the figures are rounded.
  const otherBytes = capacityBytes - freeBytes - processBytes;
  return otherBytes >= LEAST_OTHER_SHARE * capacityBytes ? otherBytes : null;
}

function positive(bytes: number | null): number | null {
  return bytes !== null && bytes > 0 ? bytes : null;
}
