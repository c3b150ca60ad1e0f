import { attributeRank } from '../../src/analysis/attribution/attribute-rank';
import { gatherFacts, type RunFacts } from '../../src/analysis/attribution/run-facts';
import { type RunMetadata } from '../../src/analysis/formats/artifact-format';
import { runMetadataFormat } from '../../src/analysis/formats/run-metadata';
import { ProblemLog } from '../../src/analysis/timeline/problem';
import { hostEvent, kernelEvent, readTrace, runtimeEvent, TEST_LIMITS, traceOf } from './kineto-trace';
import { stepTimesOf } from './step-times';

/** A host event of each step and the kernel that it launches. Times in µs from the start of the step. */
export interface StepEvent {
  /** Name of the operator or annotation. */
  name: string;
  at: number;
  dur: number;
  /** `cpu_op` unless given. */
  cat?: string;
  args?: Record<string, unknown>;
  /** Kernel that the event launches; runs from `kernelAt`, 10 after the event's start when left out, for `kernelDur`. */
  kernel?: string;
  /** When it is launched; at the start of the event when left out. */
  launchAt?: number;
  kernelAt?: number;
  kernelDur?: number;
  kernelArgs?: Record<string, unknown>;
}

export interface TrainingRun {
  /** The same events in each of the three steps of 1,000 µs; the second is the one that counts. */
  step: readonly StepEvent[];
  /** Fields of `meta.rank0.json`; no such file when absent. */
  metadata?: Record<string, unknown>;
  /** Step times without the profiler, seconds. */
  stepTimesS?: readonly number[];
  device?: Record<string, unknown>;
  worldSize?: number;
}

const STEP_US = 1_000;
const STEPS = 3;
export const H200 = {
  ...{
    id: 0,
    name: 'NVIDIA H200',
    totalGlobalMem: 150_109_880_320,
    computeMajor: 9,
    computeMinor: 0,
    numSms: 132,
  },
};

/** The facts of a run of one rank, read from a trace and metadata as they would be uploaded. */
export async function trainingRun(run: TrainingRun): Promise<RunFacts> {
  const events: string[] = [];
  for (let n = 1; n <= STEPS; n++) {
    const start = n * STEP_US;
    events.push(hostEvent(`ProfilerStep#${n}`, start, STEP_US, { cat: 'user_annotation' }));
    run.step.forEach((event, i) => events.push(...stepEvent(event, start, n * 1_000 + i)));
  }
  const distributed = run.worldSize
    ? `, "distributedInfo": ${JSON.stringify({ backend: 'nccl', rank: 0, world_size: run.worldSize })}`
    : '';
  const head = `"schemaVersion": 1, "record_shapes": 1, "deviceProperties": [${JSON.stringify(run.device ?? H200)}]${distributed}`;
  const { timeline, problems } = await readTrace(traceOf(events, head));
  const attribution = attributeRank(0, timeline, problems);
  const metadata = run.metadata ? [await readMetadata(run.metadata)] : [];
  const stepTimes = run.stepTimesS ? [stepTimesOf(run.stepTimesS.map((s) => s * 1e9))] : [];
  return gatherFacts([attribution], stepTimes, metadata, problems);
}

function stepEvent(event: StepEvent, start: number, correlation: number): string[] {
  const {
    name,
    at,
    dur,
    cat = 'cpu_op',
    args = {},
    kernel,
    launchAt = at,
    kernelAt = at + 10,
    kernelDur = 10,
  } = event;
  const host = hostEvent(name, start + at, dur, { cat, args });
  if (kernel === undefined) return [host];
  const kernelArgs = {
    device: 0,
    stream: 7,
    correlation,
    grid: [132, 1, 1],
    block: [128, 1, 1],
    ...event.kernelArgs,
  };
  return [
    host,
    runtimeEvent('cudaLaunchKernel', start + launchAt, 1, correlation),
    kernelEvent(kernel, start + kernelAt, kernelDur, correlation, { args: kernelArgs }),
  ];
}

/** Metadata as the format reads it from a file with these fields. */
export async function readMetadata(raw: Record<string, unknown>): Promise<RunMetadata> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(JSON.stringify(raw));
  }
  const context = { path: 'meta.rank0.json', problems: new ProblemLog(), limits: TEST_LIMITS };
  const content = await runMetadataFormat.read(bytes(), context);
  if (content.kind !== 'run-metadata') throw new Error('not metadata');
  return content.metadata;
}
