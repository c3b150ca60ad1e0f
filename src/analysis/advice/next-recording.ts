import { type RunFacts } from '../attribution/run-facts';
import {
  RECORDING_STEPS,
  type RecordingCommand,
  type RecordingItem,
  type RecordingStep,
} from './recording-schema';
import { type Values } from './values';
import { metadataField, metadataNumber } from './run-metadata-fields';
import { type TraceEvidence } from './trace-evidence';

/** What the recordings of a run are judged by. */
export interface RecordingInputs {
  evidence: TraceEvidence;
  /** Ids of the artifact formats that were read. */
  formats: ReadonlySet<string>;
}

/** One thing that a step of the method wants to know, whether this run says it, and what records it. */
interface Item {
  id: RecordingItem;
  have: boolean;
  command: { id: RecordingCommand; values: Values };
}

/** Fewer counted steps cannot show what changes from step to step. */
const MIN_COUNTED_STEPS = 3;

const command = (id: RecordingCommand, values: Values = {}): Item['command'] => ({ id, values });
/** Two steps more than must count: the first and the last are left out of averages. */
const RECORD_TRACE = command('record-trace', { activeSteps: MIN_COUNTED_STEPS + 2 });

/** Format ids that hold each kind of evidence; formats that are not read yet simply never occur. */
const FORMATS = {
  ncclLog: ['nccl-log'],
  counters: ['ncu-csv'],
  memorySnapshot: ['memory-snapshot'],
  memorySummary: ['memory-summary', 'memory-stats'],
  sampling: ['py-spy-dump', 'py-spy-json', 'speedscope', 'collapsed-stacks'],
  monitor: ['dmon', 'nvidia-smi', 'gpu-monitor'],
} as const;

/**
 * What evidence is missing, in the order of the method: baseline, step trace, data and CPU, communication, kernels, memory
 * and model. One step after the other: a later one explains nothing while an earlier one is open.
 */
export function nextRecordings(inputs: RecordingInputs): RecordingStep[] {
  const items: Record<RecordingStep['id'], Item[] | null> = {
    baseline: baseline(inputs),
    'step-trace': stepTrace(inputs),
    'data-and-cpu': dataAndCpu(inputs),
    communication: isDistributed(inputs.evidence.facts) ? communication(inputs) : null,
    kernels: kernels(inputs),
    memory: memory(inputs),
  };
  return RECORDING_STEPS.map((id, i) => toStep(i + 1, id, items[id]));
}

function toStep(step: number, id: RecordingStep['id'], items: Item[] | null): RecordingStep {
  if (items === null) return { step, id, state: 'not-needed', have: [], missing: [], commands: [] };
  const missing = items.filter((item) => !item.have);
  const commands = new Map(missing.map(({ command }) => [command.id, command]));
  return {
    step,
    id,
    state: missing.length === 0 ? 'complete' : 'incomplete',
    have: items.filter((item) => item.have).map((item) => item.id),
    missing: missing.map((item) => item.id),
    commands: [...commands.values()],
  };
}

function baseline({ evidence: { facts }, formats }: RecordingInputs): Item[] {
  const traces = facts.ranks.map((r) => r.timeline.metadata);
  const metadata = command('write-metadata');
  const has = (...keys: string[]): boolean => (metadataField(facts, ...keys)?.value ?? null) !== null;
  const item = (id: RecordingItem, have: boolean): Item => ({ id, have, command: metadata });
  const monitor = command('monitor-gpu');
  return [
    item('gpu', traces.some((m) => m.devices.some((d) => d.name !== '')) || has('gpu')),
    item('driver', traces.some((m) => m.cudaDriverVersion !== null) || has('driver', 'cuda_driver')),
    item('cuda', traces.some((m) => m.cudaRuntimeVersion !== null) || has('cuda')),
    item('framework', has('torch', 'framework', 'pytorch')),
    item('parameters', metadataNumber(facts, 'params', 'parameters', 'num_parameters') !== null),
    item('batch-size', has('batch_size', 'micro_batch_size')),
    item('peak-memory', has('peak_mem', 'peak_memory')),
    item('commit', has('commit', 'git_commit', 'git_sha')),
    { id: 'step-times', have: facts.stepTimes.length > 0, command: command('record-step-times') },
    { id: 'power-and-clocks', have: any(formats, FORMATS.monitor), command: monitor },
  ];
}

function stepTrace({ evidence }: RecordingInputs): Item[] {
  const { facts, recorded } = evidence;
  const traces = facts.ranks.map((r) => r.timeline);
  const counted = facts.ranks.map((r) => r.steps.filter((s) => s.excluded === null).length);
  const item = (id: RecordingItem, have: boolean): Item => ({ id, have, command: RECORD_TRACE });
  return [
    item('trace', traces.length > 0),
    item('whole-file', traces.length > 0 && traces.every((t) => !t.truncated)),
    item('host-operators', recorded.operators),
    item('device-activity', facts.deviceRanks.length > 0),
    item('step-markers', facts.ranks.length > 0 && facts.ranks.every((r) => r.windows.from === 'markers')),
    item('counted-steps', counted.length > 0 && counted.every((steps) => steps >= MIN_COUNTED_STEPS)),
    item(
      'shapes',
      traces.some((t) => t.metadata.recordShapes),
    ),
  ];
}

function dataAndCpu({ evidence, formats }: RecordingInputs): Item[] {
  const { facts, recorded } = evidence;
  const loaderSeen = evidence.hostNames.some((h) => /DataLoader.*__(next|iter)__|dataloader/i.test(h.name));
  const loader = facts.metadata.find((m) => m.loader)?.loader ?? null;
  const workers = typeof loader?.num_workers === 'number' ? loader.num_workers : null;
  return [
    { id: 'loader-in-trace', have: loaderSeen, command: { id: 'time-loader', values: { workers } } },
    { id: 'loader-arguments', have: loader !== null, command: command('write-metadata') },
    {
      id: 'python-functions',
      have: recorded.python || any(formats, FORMATS.sampling),
      command: command('sample-python'),
    },
  ];
}

function communication({ evidence: { facts }, formats }: RecordingInputs): Item[] {
  const rankCount = facts.deviceRanks.length;
  const sized = facts.deviceRanks.some((r) => r.timeline.collectives.some((c) => c.inElements !== null));
  return [
    {
      id: 'all-ranks',
      have: facts.worldSize !== null && rankCount >= facts.worldSize,
      command: { id: 'record-all-ranks', values: { have: rankCount, worldSize: facts.worldSize } },
    },
    {
      id: 'collective-sizes',
      have: sized,
      command: RECORD_TRACE,
    },
    { id: 'nccl-log', have: any(formats, FORMATS.ncclLog), command: command('log-nccl') },
  ];
}

/** Kernels that are worth counters: the longest that are no collectives. */
function kernels({ evidence: { facts }, formats }: RecordingInputs): Item[] {
  const longest = facts.kernels.byName.find(
    (k) => k.class !== 'collective' && !/^Mem(cpy|set) /.test(k.name),
  );
  const name = longest ? plainName(longest.name) : null;
  const shapes = facts.ranks.some((r) => r.timeline.metadata.recordShapes);
  return [
    {
      id: 'shapes',
      have: shapes,
      command: RECORD_TRACE,
    },
    {
      id: 'kernel-counters',
      have: any(formats, FORMATS.counters),
      command: { id: 'count-kernels', values: { kernel: name } },
    },
  ];
}

function memory({ evidence: { facts }, formats }: RecordingInputs): Item[] {
  const summary = any(formats, FORMATS.memorySummary);
  const timeline =
    facts.ranks.some((r) => r.timeline.memory.count > 0) || any(formats, FORMATS.memorySnapshot);
  const known = (...keys: string[]): boolean => metadataNumber(facts, ...keys) !== null;
  const shape =
    known('layers', 'n_layers', 'num_layers', 'num_hidden_layers', 'n_layer') &&
    known('hidden_size', 'd_model', 'n_embd', 'dim');
  return [
    { id: 'memory-summary', have: summary, command: command('print-memory-summary') },
    { id: 'memory-timeline', have: timeline, command: command('snapshot-memory') },
    { id: 'model-shape', have: shape, command: command('write-model-shape') },
  ];
}

function isDistributed({ worldSize, deviceRanks }: RunFacts): boolean {
  const communicates = deviceRanks.some((r) => (r.device?.activity.communication.count ?? 0) > 0);
  return communicates || (worldSize ?? 1) > 1;
}

function any(formats: ReadonlySet<string>, ids: readonly string[]): boolean {
  return ids.some((id) => formats.has(id));
}

const MAX_NAME_CHARS = 48;

/**
 * The part of a kernel's name that a profiler can be told to look for: its longest run of letters, digits and underscores.
 * Names come from the trace, and what is made of them may be pasted into a shell.
 */
function plainName(name: string): string | null {
  const words = name.slice(0, 1_000).match(/\w+/g) ?? [];
  const [longest] = words
    .filter((w) => !/^(void|const|at|native|std|float|unsigned|anonymous|namespace)$/.test(w))
    .sort((a, b) => b.length - a.length);
  return longest?.slice(0, MAX_NAME_CHARS) ?? null;
}
