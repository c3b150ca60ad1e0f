import { type Analysis } from '../report-schema';
import { type ConfigurationChange } from './configuration-change';
import { type StepPartName } from './step-parts';

/** A difference of the configuration, and whether it may be why. */
export interface ConfigurationCause extends ConfigurationChange {
  /** Whether the part of the step that it acts on took at least half of the change, or it acts on all parts. */
  mayExplain: boolean;
}

const HOST_PARTS: readonly StepPartName[] = ['launchGap', 'hostOther', 'syncWait', 'unexplained'];
/** What variables and arguments act on; the first that fits the name decides. Others of their kinds act on nothing known. */
const ACTS_ON: readonly (readonly [RegExp, readonly StepPartName[]])[] = [
  [/^loader(\.|$)/i, ['inputWait', 'exposedMemcpy']],
  [/^environment\.(NCCL|RCCL|UCX|FI|GLOO|TORCH_NCCL)_/i, ['exposedCommunication']],
  [/^environment\.(PYTORCH_\w*ALLOC_CONF|MALLOC_\w+|LD_PRELOAD)$/i, ['allocator', ...HOST_PARTS]],
  [
    /^environment\.(OMP|MKL|KMP|PYTHON\w*|CUDA_LAUNCH_BLOCKING|HIP_LAUNCH_BLOCKING)/i,
    [...HOST_PARTS, 'inputWait'],
  ],
  [/^environment\.CUDA_DEVICE_MAX_CONNECTIONS$/i, ['dependency', 'exposedCommunication', 'launchGap']],
];
const LEAST_SHARE = 0.5;

/**
 * Which differences may be why the step changed: those of the work, the hardware and the software, which act anywhere, and those
 * of the loader and the environment where the part that they act on took most of the change.
 */
export function judgeConfiguration(
  changes: readonly ConfigurationChange[],
  parts: readonly { part: StepPartName; changeNs: number }[],
): ConfigurationCause[] {
  const total = parts.reduce((sum, { changeNs }) => sum + changeNs, 0);
  const takesMost = (acted: readonly StepPartName[]) => {
    const moved = parts.reduce((sum, { part, changeNs }) => sum + (acted.includes(part) ? changeNs : 0), 0);
    return total !== 0 && moved / total >= LEAST_SHARE;
  };
  return changes.map((change) => {
    const actsOn = ACTS_ON.find(([pattern]) => pattern.test(change.name))?.[1];
    const isAnywhere = ['workload', 'hardware', 'software'].includes(change.kind);
    return { ...change, mayExplain: actsOn ? takesMost(actsOn) : isAnywhere };
  });
}

/** `loader.num_workers` of a file is `loader.numWorkers` of the API. */
function plainName(name: string): string {
  return name.replace(/[._-]/g, '').toLowerCase();
}

/**
 * What the reports themselves tell of the runs, beside what was told with them; facts under a name in `told` are left to that:
 * one fact under two spellings would show as two differences.
 */
export function recordedFacts(
  analyses: readonly Analysis[],
  told: readonly string[],
): Record<string, string> {
  const latest = analyses.at(-1);
  if (!latest) return {};
  const gpu = latest.roofline?.gpu.name ?? null;
  const toldNames = new Set(told.map(plainName));
  const inFiles = Object.entries(latest.metadata ?? {})
    .map(([name, value]) => [name.replace(/^env\./, 'environment.'), value] as const)
    .filter(([name]) => !toldNames.has(plainName(name)));
  return {
    ...Object.fromEntries(inFiles),
    ...(gpu === null ? {} : { 'hardware.recordedGpu': gpu }),
    'hardware.recordedRanks': String(latest.ranks.length),
    // Another release may measure otherwise.
    'software.analysisVersion': latest.analysisVersion,
  };
}
