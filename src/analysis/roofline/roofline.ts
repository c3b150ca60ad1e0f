import { type RunFacts } from '../attribution/run-facts';
import { type GpuSpec } from '../gpu-specs/gpu-spec';
import { type GpuOverride } from '../gpu-specs/override';
import { type DeviceRoofs, findDeviceRoofs, peakFor } from './device-roofs';
import { describeGroup, findAnomalies, type OpGroup } from './op-groups';
import { type Peak, type RooflineGpu, type RooflineReport } from './roofline-schema';
import { computeUtilization } from './utilization';
import { WorkTally } from './work-tally';

/** Bounds of a report's lists; the longest come first. */
const MAX_OPS = 60;
const MAX_WITHOUT_MODEL = 20;
const MAX_ANOMALIES = 20;

/**
 * Roofline of a run: what each op had to compute and to move, against what its GPU can do. Null when no rank has device
 * activity. The figures of `override` win over the catalogue's, for every rank.
 */
export function computeRoofline(facts: RunFacts, override: GpuOverride | null = null): RooflineReport | null {
  if (facts.deviceRanks.length === 0) return null;
  const tally = new WorkTally();
  const roofs = facts.deviceRanks.map((rank) => findDeviceRoofs(rank, override));
  facts.deviceRanks.forEach((rank, i) => tally.addRank(rank, roofs[i]));
  const groups = tally.groups.list();
  const leftOut = groups.slice(MAX_OPS);
  const { totals } = tally;
  return {
    gpu: describeGpu(roofs, groups),
    stepCount: tally.stepCount,
    totals,
    leastStepComputeNs:
      totals.modelledLeastNs === null || tally.stepCount === 0
        ? null
        : (totals.modelledLeastNs + totals.withoutPeakNs + totals.withoutModelNs) / tally.stepCount,
    ops: groups.slice(0, MAX_OPS).map(describeGroup),
    opsLeftOut: { groups: leftOut.length, deviceNs: leftOut.reduce((sum, g) => sum + g.deviceNs, 0) },
    withoutModel: tally.withoutModel().slice(0, MAX_WITHOUT_MODEL),
    anomalies: findAnomalies(groups).slice(0, MAX_ANOMALIES),
    utilization: computeUtilization(facts, tally, roofs[0]),
  };
}

function describeGpu(roofs: readonly DeviceRoofs[], groups: readonly OpGroup[]): RooflineGpu {
  const [{ name, spec, reason }] = roofs;
  const bandwidth = spec?.memoryBandwidthBytesPerSec ?? null;
  return {
    name,
    specId: spec?.id ?? null,
    reason,
    memoryBytesPerSec: bandwidth?.value ?? null,
    memorySource: bandwidth?.value == null ? null : bandwidth.source,
    peaks: spec ? peaksInUse(spec, groups) : [],
    mixed: roofs.some((r) => r.spec?.id !== spec?.id),
  };
}

/** The peaks that any group is measured against, each once. */
function peaksInUse(spec: GpuSpec, groups: readonly OpGroup[]): Peak[] {
  const peaks = new Map<string, Peak>();
  for (const { first } of groups) {
    const peak = peakFor(spec, first.cost);
    if (peak) peaks.set(`${peak.flopKind} ${peak.dtype}`, peak);
  }
  return [...peaks.values()];
}
