import { InputRefused } from '../../timeline/input-refused';
import { type EventTally } from './event-tally';

const RECORD_INSTEAD =
  'Stallscope reads traces of the PyTorch profiler: record with torch.profiler (activities CPU and CUDA) and upload what export_chrome_trace or tensorboard_trace_handler wrote.';

/** What a trace of other origin seems to be, by its categories: pattern and words for the message. */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/^(nvtx|nvtx-kernel|cuda_api|cuda)$/, 'an Nsight Systems report converted to the Chrome format'],
  [/blink|devtools|v8|toplevel|loading|navigation|cc$/, 'a web page trace of a browser'],
  [/^(Op|TF|XLA|DataFlow)/, 'a TensorFlow trace'],
];

/** What is known about a file whose events have been read. */
export interface TraceEvidence {
  tally: EventTally;
  totalBytes: number;
  /** The first byte began an object or an array. */
  isJson: boolean;
  /** Members that only kineto writes were seen. */
  isKineto: boolean;
  truncated: boolean;
  malformed: number;
}

/** Throws `InputRefused` when the file as a whole holds nothing that a GPU profiler wrote. */
export function refuseUnlessGpuTrace(path: string, evidence: TraceEvidence): void {
  const { tally } = evidence;
  if (evidence.totalBytes === 0) throw new InputRefused('empty-file', `${path} is empty. Upload it again.`);
  if (tally.profilerEvents > 0) return;
  if (!evidence.isJson) {
    throw new InputRefused(
      'unreadable',
      `${path} is not JSON, so it is no profiler trace. ${RECORD_INSTEAD}`,
    );
  }
  if (tally.foreignEvents > 0) {
    throw new InputRefused('not-a-gpu-trace', `${path} seems to be ${describe(tally)}. ${RECORD_INSTEAD}`);
  }
  if (evidence.isKineto) return;
  if (evidence.malformed > 0 && tally.events === 0) {
    throw new InputRefused(
      'unreadable',
      `${path} holds no event that can be read as JSON. ${RECORD_INSTEAD}`,
    );
  }
  if (evidence.truncated) return;
  throw new InputRefused('not-a-gpu-trace', `${path} is JSON without trace events. ${RECORD_INSTEAD}`);
}

function describe(tally: EventTally): string {
  const categories = [...tally.categories];
  for (const [pattern, words] of LOOK_ALIKES)
    if (categories.some((category) => pattern.test(category))) return words;
  if (categories.length > 0)
    return `a Chrome trace of another program (categories ${categories.slice(0, 4).join(', ')})`;
  return 'a Chrome trace of a CPU profiler, of JAX or of TensorFlow (events without categories)';
}
