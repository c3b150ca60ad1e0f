import { type RunFacts } from '../attribution/run-facts';
import { type DtypeId, parseDtype } from '../gpu-specs/dtype';
import { type GpuSpec } from '../gpu-specs/gpu-spec';
import { peakFlopPerSec } from '../gpu-specs/peaks';
import { NS_PER_S } from '../units/time';
import { type DeviceRoofs } from './device-roofs';
import { modelFlopFromParameters, modelFlopFromShapes, tokensPerStep } from './model-flop';
import { type ModelFlop, type Utilization } from './roofline-schema';
import { type WorkTally } from './work-tally';

/** Op shapes stand for the model when they cover this share of the time of matrix kernels; short of it, flop are missing. */
const MIN_COVERAGE = 0.98;

const NO_STEP = 'The trace has no step that counts.';
const NO_DENOMINATOR =
  'No dense peak is known for the format of the matrix products; name it as "dtype" in the metadata of the run.';
const NO_SHAPES = 'The trace has no shapes: record with record_shapes=True.';
const NO_METADATA = 'Without them, metadata of the run with "params" and "tokens_per_step" would do.';

/** MFU and HFU: flop of one step of one rank over what its device could do in that time at its dense peak. */
export function computeUtilization(
  facts: RunFacts,
  tally: WorkTally,
  { spec, reason }: DeviceRoofs,
): Utilization {
  const { step, metadata } = facts;
  const fromShapes = modelFlopFromShapes(tally);
  const fromParameters = modelFlopFromParameters(metadata, tally);
  const shapesSuffice = (fromShapes?.coverageRatio ?? 0) >= MIN_COVERAGE;
  const numerator = shapesSuffice ? fromShapes : fromParameters;
  const hardwareFlopPerStep = shapesSuffice ? tally.totals.matrixFlop / tally.stepCount : null;
  const denominator = spec && denominatorOf(facts, tally, spec);
  const tokens = tokensPerStep(metadata);

  // A traced step may be spent on the queue of earlier ones; then it holds more or less than one step's work.
  const { windowComputeNs, computeNs } = tally.totals;
  const workRatio = step?.calibrated === false && computeNs > 0 ? windowComputeNs / computeNs : 1;

  function ratio(flop: number | null, whyNot: string): Utilization['mfu'] {
    if (!step || step.wallNs <= 0) return notMeasurable(NO_STEP);
    if (!spec) return notMeasurable(reason ?? NO_DENOMINATOR);
    if (flop === null) return notMeasurable(whyNot);
    if (!denominator) return notMeasurable(NO_DENOMINATOR);
    const possible = denominator.flopPerSec * (step.wallNs / NS_PER_S);
    return { value: (flop * workRatio) / possible, source: 'modelled', reason: null };
  }

  const whyNoShapes = reasonWithoutShapes(facts, fromShapes);
  return {
    mfu: ratio(numerator?.flopPerStep ?? null, `${whyNoShapes} ${NO_METADATA}`),
    hfu: ratio(hardwareFlopPerStep, whyNoShapes),
    numerator: numerator?.from ?? null,
    estimates: [fromShapes, fromParameters].filter((e) => e !== null),
    hardwareFlopPerStep,
    denominator,
    tokensPerStep: tokens,
    tokensPerSec: tokens !== null && step && step.wallNs > 0 ? tokens / (step.wallNs / NS_PER_S) : null,
    stepNs: step?.wallNs ?? null,
    workRatio,
    stepFrom: step ? (step.calibrated ? 'unprofiled' : 'trace') : null,
  };
}

function notMeasurable(reason: string): Utilization['mfu'] {
  return { value: null, source: 'notMeasurable', reason };
}

function reasonWithoutShapes({ deviceRanks }: RunFacts, fromShapes: ModelFlop | null): string {
  const hasShapes = deviceRanks.some(({ timeline }) => timeline.host.inputDimsId.some((id) => id !== 0));
  if (!hasShapes) return NO_SHAPES;
  const percent = (100 * (fromShapes?.coverageRatio ?? 0)).toFixed(0);
  return `Op shapes tell the flop of ${percent} % of matrix kernel time; what has none is listed by op and reason.`;
}

/** Peak of the format in which most matrix time was spent; where ops do not tell, of the format that the metadata name. */
function denominatorOf(facts: RunFacts, tally: WorkTally, spec: GpuSpec): Utilization['denominator'] {
  const [mostUsed] = [...tally.matrixNsByDtype].sort((a, b) => b[1] - a[1]);
  const named = mostUsed ? null : dtypeOfMetadata(facts);
  const dtype = mostUsed ? mostUsed[0] : named?.dtype;
  const peak = dtype && peakFlopPerSec(spec, dtype);
  if (!dtype || !peak) return null;
  const { flopPerSec, source } = peak;
  return { dtype, dtypeFrom: named?.from ?? 'op-shapes', flopPerSec, source };
}

/** A job that computes in "float32" uses TF32 when its matrix kernels run on tensor cores. */
function dtypeOfMetadata({
  metadata,
  kernels,
}: RunFacts): { dtype: DtypeId; from: 'metadata' | 'declared' } | null {
  const naming = metadata.find((m) => m.dtype !== null);
  const written = naming?.dtype ? parseDtype(naming.dtype)?.id : undefined;
  if (!naming || !written) return null;
  const dtype = written === 'fp32' && kernels.tensorCoreNs > kernels.fp32CoreGemmNs ? 'tf32' : written;
  return { dtype, from: naming.origin === 'uploaded' ? 'metadata' : 'declared' };
}
