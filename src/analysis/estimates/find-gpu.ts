import { GPU_SPECS } from '../gpu-specs';
import { normalizeGpuName } from '../gpu-specs/gpu-name';
import { type GpuSpec } from '../gpu-specs/gpu-spec';
import { matchGpu } from '../gpu-specs/match-gpu';

/** Most models that a message lists. */
const MAX_LISTED = 8;
const MAX_NAME_CHARS = 60;

/**
 * The model that a person names: an id of the catalogue (`h200-sxm5-141gb`), or a name as drivers give it
 * (`NVIDIA H200`). Null when it names none, or more than one; `whyNoGpu` then says what to write.
 */
export function findGpu(name: string): GpuSpec | null {
  const byId = GPU_SPECS.find(({ id }) => id === name.trim().toLowerCase());
  return byId ?? matchGpu(nameOnly(name))?.spec ?? null;
}

/** One sentence for a name that `findGpu` does not know: what it may be, and what to do otherwise. */
export function whyNoGpu(name: string): string {
  const shown = JSON.stringify(name.slice(0, MAX_NAME_CHARS));
  const words = normalizeGpuName(name).split(' ').filter(Boolean);
  const alike = GPU_SPECS.filter(({ id }) => words.some((word) => id.split('-').includes(word)));
  const list = alike.slice(0, MAX_LISTED).map(({ id }) => id);
  return list.length > 0
    ? `${shown} may be more than one model; name one of ${list.join(', ')}`
    : `${shown} is not in the GPU catalogue; name a model such as h200-sxm5-141gb, or give its dense peak flop/s and its memory size instead`;
}

const nameOnly = (name: string) => ({
  name,
  totalMemoryBytes: null,
  smCount: null,
  computeMajor: null,
  computeMinor: null,
});
