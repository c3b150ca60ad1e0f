/** How much a problem takes away from the report. `fatal` means that the artifact gave nothing. */
export type ProblemSeverity = 'info' | 'repaired' | 'data-loss' | 'fatal';

/** Something wrong with the input, counted and explained; see `PROBLEMS` for what each kind means. */
export interface Problem {
  kind: ProblemKind;
  severity: ProblemSeverity;
  count: number;
  /** Artifact paths it was seen in. */
  paths: string[];
  /** One example, cut to a readable length. */
  example?: string;
  advice: string;
}

/** Every kind of problem: one line to add one. */
export const PROBLEMS = {
  'truncated-file': [
    'data-loss',
    'The file ends early. Upload it after the profiler has closed it (kineto renames the .tmp file when it is done).',
  ],
  'malformed-event': [
    'data-loss',
    'Some events were not readable and were skipped. Record again if steps are missing.',
  ],
  'oversized-event': ['data-loss', 'An event was larger than the limit for one event and was skipped.'],
  'event-limit-reached': [
    'data-loss',
    'The trace has more events than one analysis may hold; the rest was not read. Profile fewer steps.',
  ],
  'string-limit-reached': [
    'data-loss',
    'The trace has more distinct names than one analysis may hold; further names read as "(name dropped)".',
  ],
  'missing-field': [
    'data-loss',
    'Events without a start time, duration, name or category cannot be placed and were skipped.',
  ],
  'unknown-category': ['info', 'Events of categories that Stallscope does not use were skipped.'],
  'unused-phase': [
    'info',
    'Begin and end pairs, counters, samples and asynchronous ranges are not used: profilers of GPUs write complete events.',
  ],
  'negative-duration': ['repaired', 'Negative durations were read as zero.'],
  'implausible-duration': [
    'data-loss',
    'Durations of more than a week are profiler defects; the events were skipped.',
  ],
  'implausible-time': ['data-loss', 'Events more than a week away from the rest of the trace were skipped.'],
  'invalid-text': ['repaired', 'Names held control bytes, raw quotes or invalid UTF-8; they were repaired.'],
  'torn-line': [
    'repaired',
    'Lines of several processes overwrote each other; what could be told apart was read. Let each process write its own file (NCCL_DEBUG_FILE=nccl.%h.%p.log).',
  ],
  'record-limit-reached': [
    'data-loss',
    'A text file holds more distinct entries than one record may have; the rest was not kept.',
  ],
  'duplicate-event': ['info', 'Events that are in the file twice were counted once.'],
  'open-range': [
    'info',
    'NVTX ranges that were still open when recording ended have no length and were skipped.',
  ],
  'unused-row': ['info', 'NVTX marks, and names of categories and domains, are not used.'],
  'process-without-gpu': ['info', 'Events of processes that put no work on a GPU are not used.'],
  'name-unknown': [
    'data-loss',
    'Names of events are not in the file, as in an export that was cut by hand; they read as "(name unknown)". Export the report again.',
  ],
  'name-cut': ['info', 'Names of more than 8 KiB were cut.'],
  'graph-opaque': [
    'info',
    'CUDA graphs were recorded as one block each, so the kernels in them are not known. Record with nsys profile --cuda-graph-trace=node.',
  ],
  'kernel-before-launch': [
    'info',
    'Device operations start before their launch: the clocks of host and device disagree.',
  ],
  'launch-missing': [
    'info',
    'Device operations without a launch in the file: they ran, so their time counts, but what launched them is not known.',
  ],
  'kernels-missing': [
    'data-loss',
    'Launches have no kernel in the file: the profiler dropped device events, so device time is too low. Record fewer steps, or with less detail.',
  ],
  'no-step-markers': [
    'info',
    'No ProfilerStep markers: call profiler.step() once per training step (with Nsight Systems: set an NVTX range "step 12" around each), so that steps can be told apart.',
  ],
  'step-numbers-repeat': [
    'info',
    'Step numbers come again (several recording cycles in one file); the steps were numbered in order.',
  ],
  'steps-inferred': [
    'info',
    'Step windows were inferred from repetition, because the trace has no ProfilerStep markers.',
  ],
  'step-excluded': ['info', 'Steps disturbed by start-up or compilation are left out of averages.'],
  'no-device-events': [
    'data-loss',
    'The trace has no device events: another profiler may have held the device, or only CPU activity was recorded. Record with ProfilerActivity.CUDA.',
  ],
  'rank-unknown': [
    'repaired',
    'The rank of a trace was not in the file; it was taken from the file name or its place in the upload.',
  ],
  'duplicate-rank': [
    'data-loss',
    'Two traces claim the same rank; only the first was used. Upload one trace per rank.',
  ],
  'ranks-missing': [
    'info',
    'Traces of some ranks are missing, so waiting and transfer inside collectives cannot be told apart. Upload the trace of every rank.',
  ],
  'collectives-matched-by-order': [
    'info',
    'Collectives carry no sequence number; they were matched across ranks by their order.',
  ],
  'collectives-unmatched': [
    'info',
    'Some collectives were not found on every rank and are left out of the wait and transfer figures.',
  ],
  'profiler-overhead': [
    'info',
    'Recording slowed the host: the traced step is longer than the step timed without the profiler. Findings are weighed by the true step.',
  ],
  'step-times-missing': [
    'info',
    'No step times measured without the profiler were uploaded, so the share of the profiler in the step is not known and host-side shares are upper bounds. Upload step_times.rank<N>.jsonl beside the traces.',
  ],
  'log-without-step-times': [
    'info',
    'The training log names no step times, so it says nothing about their distribution. Upload step_times.rank<N>.jsonl, or log the time of every step.',
  ],
  'log-steps-repeat': [
    'info',
    'Steps come again in the training log (several ranks print into it, or the run was restarted); the first line of each step was used.',
  ],
  'unrecognized-artifact': [
    'info',
    'The file is of no kind that Stallscope reads, so it was stored but not analysed.',
  ],
  'gpu-override-invalid': [
    'data-loss',
    'gpu_override in the metadata could not be used, so the figures of the catalogue stand. Write {"peaks": {"bf16": 9.2e14}, "memoryBandwidthBytesPerSec": 4.3e12}.',
  ],
  'roofline-failed': [
    'info',
    'The roofline could not be made because of a defect in Stallscope; the findings are not affected.',
  ],
  'advice-failed': [
    'info',
    'The advice could not be made because of a defect in Stallscope; the findings are not affected.',
  ],
  'rule-failed': [
    'info',
    'A rule could not be evaluated because of a defect in Stallscope; the other rules are not affected.',
  ],
  'artifact-refused': ['data-loss', 'The file could not be read and was left out of the report.'],
} as const satisfies Record<string, readonly [ProblemSeverity, string]>;

export type ProblemKind = keyof typeof PROBLEMS;

const MAX_EXAMPLE_CHARS = 200;
const MAX_PATHS = 16;

/** Counts problems by kind. One log per analysis; adding the same kind again raises its count. */
export class ProblemLog {
  private readonly byKind = new Map<ProblemKind, Problem>();

  /** Counts `count` problems of `kind` in the artifact at `path` (empty for the run as a whole). */
  add(kind: ProblemKind, path: string, count = 1, example?: string): void {
    if (count <= 0) return;
    let problem = this.byKind.get(kind);
    if (!problem) {
      const [severity, advice] = PROBLEMS[kind];
      problem = { kind, severity, count: 0, paths: [], advice };
      this.byKind.set(kind, problem);
    }
    problem.count += count;
    if (path && problem.paths.length < MAX_PATHS && !problem.paths.includes(path)) problem.paths.push(path);
    if (example !== undefined && problem.example === undefined)
      problem.example = example.slice(0, MAX_EXAMPLE_CHARS);
  }

  count(kind: ProblemKind): number {
    return this.byKind.get(kind)?.count ?? 0;
  }

  /** All problems, worst severity first, then in order of appearance. */
  list(): Problem[] {
    const order: ProblemSeverity[] = ['fatal', 'data-loss', 'repaired', 'info'];
    return [...this.byKind.values()].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  }
}
