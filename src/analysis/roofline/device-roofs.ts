import { type RankAttribution } from '../attribution/attribute-rank';
import { type DtypeId } from '../gpu-specs/dtype';
import { type GpuSpec } from '../gpu-specs/gpu-spec';
import { applyGpuOverride, type GpuOverride, gpuSpecFromOverride } from '../gpu-specs/override';
import { type GpuIdentity, matchGpu, whyNoMatch } from '../gpu-specs/match-gpu';
import { peakFlopPerSec, ridgePoint } from '../gpu-specs/peaks';
import { NS_PER_S } from '../units/time';
import { type OpCost } from './op-costs/op-cost';
import { type Peak, type Roof } from './roofline-schema';

/** The GPU of a rank, and what bounds work on it. `spec` is null when the GPU is not known; `reason` then says why. */
export interface DeviceRoofs {
  name: string | null;
  spec: GpuSpec | null;
  reason: string | null;
}

/** Where an op stands: its roof and the time that it would take there. */
export interface OpRoof {
  roof: Roof;
  leastNs: number;
}

const REASONS: Readonly<Record<NonNullable<ReturnType<typeof whyNoMatch>>, string>> = {
  'unknown-gpu':
    'is not in the catalogue of GPUs; give its dense peaks and memory bandwidth as gpu_override in the metadata (docs/gpu-specs.md)',
  nameless: 'has no name in the trace that tells the model; give its peaks as gpu_override in the metadata',
  partition:
    'is a part of a GPU or a special edition, whose peaks are not published; give them as gpu_override in the metadata',
  ambiguous: 'may be one of several models; give its peaks as gpu_override in the metadata',
};

/** Looks up the GPU that a rank used. `override` wins over the catalogue. */
export function findDeviceRoofs(
  { timeline, device }: RankAttribution,
  override: GpuOverride | null = null,
): DeviceRoofs {
  const { devices } = timeline.metadata;
  return roofsOf(devices.find((d) => d.id === device?.activity.deviceId) ?? devices.at(0) ?? null, override);
}

/** The same for a GPU of which no more than the name is known, if that. */
export function roofsOfGpu(name: string | null, override: GpuOverride | null): DeviceRoofs {
  const nothing = { totalMemoryBytes: null, smCount: null, computeMajor: null, computeMinor: null };
  return roofsOf(name === null ? null : { name, ...nothing }, override);
}

function roofsOf(used: GpuIdentity | null, override: GpuOverride | null): DeviceRoofs {
  const name = used?.name ? used.name : null;
  const match = used ? matchGpu(used) : null;
  if (override) {
    const spec = match ? applyGpuOverride(match.spec, override) : gpuSpecFromOverride(name ?? '', override);
    return { name, spec, reason: null };
  }
  if (!used)
    return {
      name,
      spec: null,
      reason: 'The trace does not name its GPU; give its peaks as gpu_override in the metadata.',
    };
  if (match) return { name, spec: match.spec, reason: null };
  const why = whyNoMatch(used) ?? 'unknown-gpu';
  return { name, spec: null, reason: `${name ?? 'The GPU'} ${REASONS[why]}.` };
}

/**
 * Least time of `cost` by the roofline: the longer of its flop at the peak and its bytes at the memory's bandwidth. Null when
 * the GPU or a peak that decides is not known.
 */
export function roofOf(spec: GpuSpec | null, cost: OpCost): OpRoof | null {
  const bandwidth = spec?.memoryBandwidthBytesPerSec.value ?? null;
  if (!spec || bandwidth === null) return null;
  const memoryNs = (cost.leastBytes / bandwidth) * NS_PER_S;
  if (cost.flop === 0) return { roof: 'memory', leastNs: memoryNs };
  const peak = peakFor(spec, cost);
  if (!peak) return null;
  const computeNs = (cost.flop / peak.flopPerSec) * NS_PER_S;
  return computeNs >= memoryNs
    ? { roof: 'compute', leastNs: computeNs }
    : { roof: 'memory', leastNs: memoryNs };
}

/** The peak that bounds the arithmetic of `cost`, or null. Vector work in formats below 32 bits is computed in FP32. */
export function peakFor(spec: GpuSpec, { dtype, flopKind }: Pick<OpCost, 'dtype' | 'flopKind'>): Peak | null {
  if (flopKind === 'vector') return vectorPeak(spec, dtype);
  const peak = dtype && peakFlopPerSec(spec, dtype);
  return dtype && peak ? { flopKind, dtype, ...peak, ridgeFlopPerByte: ridgePoint(spec, dtype) } : null;
}

function vectorPeak(spec: GpuSpec, operands: DtypeId | null): Peak | null {
  const dtype = operands === 'fp64' || operands === 'complex128' ? 'fp64' : 'fp32';
  const figure = spec.peaks[dtype];
  if (figure.value === null) return null;
  const bandwidth = spec.memoryBandwidthBytesPerSec.value;
  return {
    flopKind: 'vector',
    dtype,
    flopPerSec: figure.value,
    peakId: dtype,
    source: figure.source,
    note: null,
    ridgeFlopPerByte: bandwidth === null ? null : figure.value / bandwidth,
  };
}
