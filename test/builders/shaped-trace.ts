import { Readable } from 'node:stream';
import { attributeRank, type RankAttribution } from '../../src/analysis/attribution/attribute-rank';
import { gatherFacts, type RunFacts } from '../../src/analysis/attribution/run-facts';
import { type RunMetadata } from '../../src/analysis/formats/artifact-format';
import { runMetadataFormat } from '../../src/analysis/formats/run-metadata';
import { ProblemLog } from '../../src/analysis/timeline/problem';
import { hostEvent, readTrace, TEST_LIMITS, traceOf } from './kineto-trace';

export interface OpParts {
  /** One type for all tensors, or one for each argument; `float` when absent. */
  types?: string | string[];
  thread?: number;
  sequence?: number;
}

/** Text of an operator with the shapes of its arguments, as `record_shapes` writes them; null is no tensor. */
export function opEvent(
  name: string,
  ts: number,
  dur: number,
  shapes: unknown[],
  { types = 'float', thread = 11, sequence }: OpParts = {},
): string {
  const typeOf = (shape: unknown): string =>
    shape === null ? 'Scalar' : isList(shape) ? 'TensorList' : (types as string);
  const args: Record<string, unknown> = {
    'Input Dims': shapes.map((shape) => shape ?? []),
    'Input type': typeof types === 'string' ? shapes.map(typeOf) : types,
  };
  if (sequence !== undefined) args['Sequence number'] = sequence;
  return hostEvent(name, ts, dur, { tid: thread, args });
}

function isList(shape: unknown): boolean {
  return Array.isArray(shape) && shape.some(Array.isArray);
}

/** Text of a step marker. */
export function stepEvent(index: number, ts: number, dur: number): string {
  return hostEvent(`ProfilerStep#${index}`, ts, dur, { cat: 'user_annotation' });
}

/** The head of a trace recorded on GPU 0 of this name. */
export function headOf(gpu: string): string {
  return `"schemaVersion": 1, "record_shapes": 1, "deviceProperties": [{"id": 0, "name": ${JSON.stringify(gpu)}}]`;
}

/** One rank's attribution of a trace of these events. */
export async function rankOf(events: readonly string[], gpu = 'NVIDIA H200'): Promise<RankAttribution> {
  const { timeline } = await readTrace(traceOf(events, headOf(gpu)));
  return attributeRank(0, timeline, new ProblemLog());
}

export interface RunParts {
  gpu?: string;
  /** Fields of `meta.rank0.json`; no such file when absent. */
  metadata?: Record<string, unknown>;
}

/** Facts of a run of one rank. */
export async function factsOf(
  events: readonly string[],
  { gpu, metadata }: RunParts = {},
): Promise<RunFacts> {
  const rank = await rankOf(events, gpu);
  const read = metadata ? [await readMetadata(metadata)] : [];
  return gatherFacts([rank], [], read, new ProblemLog());
}

async function readMetadata(fields: Record<string, unknown>): Promise<RunMetadata> {
  const bytes = new TextEncoder().encode(JSON.stringify(fields));
  const context = { path: 'meta.rank0.json', problems: new ProblemLog(), limits: TEST_LIMITS };
  const content = await runMetadataFormat.read(Readable.from([bytes]), context);
  if (content.kind !== 'run-metadata') throw new Error('no metadata');
  return content.metadata;
}
