import { type RunFacts } from '../attribution/run-facts';
import { type Bottleneck } from '../bottleneck';
import { type Figure } from '../units/figure';
import { type SymptomReport } from './advice-schema';
import { metadataNumber, peakMemoryShare } from './run-metadata-fields';
import { type UtilisationInputs } from './utilisation-panel';
import { largest } from '../units/largest';

/** Compute below this share of the step is low utilisation; the sources' cases run at 35–90 %. */
const LOW_COMPUTE = 0.9;
/** At or above it the device is the limit. */
const HIGH_COMPUTE = 0.8;
/** Parts below this share of the step are within run-to-run noise (corpus: 1–5 % where the device is the limit). */
const NOTABLE = 0.05;
/** The sources call collectives a bottleneck above 20 % of the step in one case and 30 % in the other; half of it is seen. */
const NOTABLE_COMMUNICATION = 0.1;
/** Memory-bound kernels above this share of kernel time: tuned transformers show 25–45 % (corpus). */
const MANY_MEMORY_BOUND = 0.55;
/** 32-bit matrix kernels above this share of kernel time leave the matrix units unused. */
const MANY_FP32 = 0.15;
/** Below this peak, more than half of the memory is free. */
const FREE_PEAK = 0.5;
/** Fewer step times say nothing about their spread; spikes take this share of the time when it is a problem. */
const MIN_STEPS = 8;
const NOTABLE_LOSS = 0.15;
/** Power below this share of the limit: the card is not fed. */
const LOW_POWER = 0.6;

/** The sources' symptom table, filled in for this run: what is seen, the figure behind it, and where to look. */
export function readSymptoms(facts: RunFacts, inputs: UtilisationInputs = {}): SymptomReport[] {
  return [
    lowUtilisation(
      'low-utilisation-with-blanks',
      facts,
      ['input-pipeline', 'host-cpu'],
      NOTABLE,
      (s) => s.idle.inputWaitNs + s.idle.hostOtherNs + s.exposedHostToDeviceNs,
    ),
    lowUtilisation(
      'low-utilisation-between-kernels',
      facts,
      ['launch-overhead'],
      NOTABLE,
      (s) => s.idle.launchGapNs + s.idle.syncWaitNs,
    ),
    lowUtilisation(
      'low-utilisation-with-collectives',
      facts,
      ['communication', 'straggler'],
      NOTABLE_COMMUNICATION,
      (s) => s.exposedTransferNs + s.exposedWaitNs,
    ),
    highButSlow(facts),
    memoryFree(facts),
    stepTimeVaries(facts),
    lowPower(inputs.powerRatio ?? null),
  ];
}

type Step = NonNullable<RunFacts['step']>;

function lowUtilisation(
  symptom: SymptomReport['symptom'],
  { step }: RunFacts,
  pointsTo: Bottleneck[],
  notable: number,
  part: (step: Step) => number,
): SymptomReport {
  if (!step || step.wallNs === 0)
    return { symptom, seen: null, figure: missing('share-of-step', NO_STEPS), pointsTo };
  const share = part(step) / step.wallNs;
  const low = step.computeNs / step.wallNs < LOW_COMPUTE;
  const source = step.calibrated ? 'modelled' : 'measured';
  return {
    symptom,
    seen: low && share >= notable,
    figure: { id: 'share-of-step', value: share, unit: 'ratio', source },
    pointsTo,
  };
}

function highButSlow({ step, kernels }: RunFacts): SymptomReport {
  const symptom = 'high-utilisation-but-slow';
  const pointsTo: Bottleneck[] = ['launch-overhead', 'arithmetic-intensity'];
  if (!step || step.wallNs === 0 || kernels.computeNs === 0)
    return { symptom, seen: null, figure: missing('memory-bound-share', NO_STEPS), pointsTo };
  const memoryBound = kernels.memoryBoundNs / kernels.computeNs;
  const fp32 = kernels.fp32CoreGemmNs / kernels.computeNs;
  const high = step.computeNs / step.wallNs >= HIGH_COMPUTE;
  const [id, value] = fp32 >= MANY_FP32 ? ['fp32-gemm-share', fp32] : ['memory-bound-share', memoryBound];
  return {
    symptom,
    seen: high && (memoryBound >= MANY_MEMORY_BOUND || fp32 >= MANY_FP32),
    figure: { id, value, unit: 'ratio', source: 'modelled' },
    pointsTo,
  };
}

/** Free memory beside a batch of one, or beside work that is there only to save memory. */
function memoryFree(facts: RunFacts): SymptomReport {
  const symptom = 'memory-free-but-small-batch';
  const pointsTo: Bottleneck[] = ['memory-pressure'];
  const peak = peakMemoryShare(facts);
  if (peak === null)
    return {
      symptom,
      seen: null,
      figure: missing('peak-memory', 'needs memory_stats.rank<N>.json, or the peak memory in the metadata'),
      pointsTo,
    };
  const { step } = facts;
  const batch = metadataNumber(facts, 'batch_size', 'micro_batch_size');
  const saving = step ? (step.recomputeNs + step.idle.allocatorNs) / step.wallNs : 0;
  return {
    symptom,
    seen: peak < FREE_PEAK && (batch === 1 || saving >= NOTABLE),
    figure: { id: 'peak-memory', value: peak, unit: 'ratio', source: 'measured' },
    pointsTo,
  };
}

function stepTimeVaries({ evidence: { stepDistributions } }: RunFacts): SymptomReport {
  const symptom = 'step-time-varies';
  const pointsTo: Bottleneck[] = ['step-jitter', 'input-pipeline', 'host-cpu'];
  const losses = stepDistributions
    .filter(({ stepCount }) => stepCount >= MIN_STEPS)
    .map(({ lostRatio }) => lostRatio);
  if (losses.length === 0)
    return {
      symptom,
      seen: null,
      figure: missing('time-lost-to-spikes', `needs at least ${MIN_STEPS} step times without the profiler`),
      pointsTo,
    };
  const worst = largest(losses) ?? 0;
  return {
    symptom,
    seen: worst >= NOTABLE_LOSS,
    figure: { id: 'time-lost-to-spikes', value: worst, unit: 'ratio', source: 'measured' },
    pointsTo,
  };
}

function lowPower(power: Figure | null): SymptomReport {
  const symptom = 'low-power';
  const pointsTo: Bottleneck[] = [
    'input-pipeline',
    'host-cpu',
    'communication',
    'launch-overhead',
    'arithmetic-intensity',
  ];
  if (power === null || power.value === null)
    return {
      symptom,
      seen: null,
      figure: missing('power', 'needs a monitor log of the run (nvidia-smi dmon)'),
      pointsTo,
    };
  return { symptom, seen: power.value < LOW_POWER, figure: { ...power, id: 'power' }, pointsTo };
}

const NO_STEPS = 'the trace has no steps with device activity';

function missing(id: string, reason: string): Figure {
  return { id, value: null, unit: 'ratio', source: 'notMeasurable', reason };
}
