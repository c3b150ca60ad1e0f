import { type RunMetadata } from '../formats/artifact-format';
import { type GpuOverride, GpuOverrideInvalid, readGpuOverride } from '../gpu-specs/override';
import { type ProblemLog } from '../timeline/problem';

/** Key of the metadata under which a job gives measured peaks of its GPU; see docs/gpu-specs.md. */
const KEY = 'gpu_override';

/** The GPU figures that the run's metadata give; null when there are none or they are unusable, which is a problem. */
export function gpuOverrideOf(metadata: readonly RunMetadata[], problems: ProblemLog): GpuOverride | null {
  const raw = metadata.map((m) => m.raw[KEY]).find((value) => value !== undefined);
  if (raw === undefined) return null;
  try {
    return readGpuOverride(raw);
  } catch (error) {
    if (!(error instanceof GpuOverrideInvalid)) throw error;
    problems.add('gpu-override-invalid', '', error.problems.length, error.message);
    return null;
  }
}
