import { type DeviceProperties } from '../timeline/rank-timeline';
import { type GpuSpec } from './gpu-spec';
import { GPU_SPECS } from './index';
import { isGenericName, normalizeGpuName } from './gpu-name';

/** What a trace says about its device, as far as it helps to name the model. */
export type GpuIdentity = Pick<
  DeviceProperties,
  'name' | 'totalMemoryBytes' | 'smCount' | 'computeMajor' | 'computeMinor'
>;

/** `name-and-memory`: memory size or SM count decided between models of one name. */
export interface GpuMatch {
  spec: GpuSpec;
  matchedBy: 'name' | 'name-and-memory' | 'properties';
}

/**
 * Why there is no match. `partition`: the name is known and the sizes are not those of the whole GPU (MIG, CPX, vGPU, a special
 * edition), so its peaks do not hold. `ambiguous`: several models fit.
 */
export type NoMatchReason = 'unknown-gpu' | 'nameless' | 'partition' | 'ambiguous';

/**
 * Bounds of reported over nominal memory. Inline ECC takes up to a tenth of GDDR6 (a T4 of 16 GiB reports 14.6); HBM loses one
 * or two percent. More than nominal does not exist, up to rounding.
 */
const MIN_VISIBLE_MEMORY = 0.9;
const MAX_VISIBLE_MEMORY = 1.005;

/** The model of `device`, or null when it is unknown or not certain; `whyNoMatch` then says which. */
export function matchGpu(device: GpuIdentity, specs: readonly GpuSpec[] = GPU_SPECS): GpuMatch | null {
  const found = lookUp(device, specs);
  return typeof found === 'string' ? null : found;
}

/** The reason why `matchGpu` gives null for `device`, or null when it does give a model. */
export function whyNoMatch(device: GpuIdentity, specs: readonly GpuSpec[] = GPU_SPECS): NoMatchReason | null {
  const found = lookUp(device, specs);
  return typeof found === 'string' ? found : null;
}

function lookUp(device: GpuIdentity, specs: readonly GpuSpec[]): GpuMatch | NoMatchReason {
  const name = normalizeGpuName(device.name);
  if (isGenericName(name)) return byProperties(device, name, specs);
  if (/\bmig\b/.test(name)) return 'partition';
  const carries = (names: readonly string[]) => names.some((known) => normalizeGpuName(known) === name);

  const own = specs.find((spec) => carries(spec.names));
  if (own) return sizesFit(device, own) ? { spec: own, matchedBy: 'name' } : 'partition';
  const sharing = specs.filter((spec) => carries(spec.sharedNames));
  if (sharing.length === 0) return 'unknown-gpu';
  return only(device, sharing, 'name-and-memory', 'partition');
}

/** Properties name a model only where no other GPU has them: NVIDIA drivers always give a name, AMD drivers may not. */
function byProperties(
  device: GpuIdentity,
  name: string,
  specs: readonly GpuSpec[],
): GpuMatch | NoMatchReason {
  const gfx = /^gfx[0-9a-f]+/.exec(name)?.[0] ?? null;
  const { computeMajor, computeMinor } = device;
  if (device.smCount === null || device.totalMemoryBytes === null) return 'nameless';
  if (gfx === null && (computeMajor === null || computeMinor === null)) return 'nameless';
  const sameArchitecture = (spec: GpuSpec) =>
    gfx === null
      ? spec.computeMajor === computeMajor && spec.computeMinor === computeMinor
      : spec.gfx === gfx;
  const candidates = specs.filter((spec) => spec.knownByProperties && sameArchitecture(spec));
  return only(device, candidates, 'properties', 'nameless');
}

/** The one of `candidates` whose sizes fit; of several, the smallest memory that holds what is reported. */
function only(
  device: GpuIdentity,
  candidates: readonly GpuSpec[],
  matchedBy: GpuMatch['matchedBy'],
  whenNone: NoMatchReason,
): GpuMatch | NoMatchReason {
  let fitting = candidates.filter((spec) => sizesFit(device, spec));
  if (device.totalMemoryBytes !== null) {
    const smallest = Math.min(...fitting.map((spec) => spec.memoryBytes.value ?? Infinity));
    fitting = fitting.filter((spec) => spec.memoryBytes.value === smallest);
  }
  const [first, second] = fitting;
  if (!first) return whenNone;
  return second ? 'ambiguous' : { spec: first, matchedBy };
}

function sizesFit({ smCount, totalMemoryBytes }: GpuIdentity, spec: GpuSpec): boolean {
  if (smCount !== null && spec.smCount.value !== null && smCount !== spec.smCount.value) return false;
  if (totalMemoryBytes === null || spec.memoryBytes.value === null) return true;
  const visible = totalMemoryBytes / spec.memoryBytes.value;
  return visible >= MIN_VISIBLE_MEMORY && visible <= MAX_VISIBLE_MEMORY;
}
