import { analyzeRun, InputRefused } from '../src/analysis';
import { openArtifactBytes } from '../src/platform/decompression';
import { ObjectNotFound, ObjectStore, ObjectStoreError } from '../src/platform/object-store';
import { fileScratch } from '../src/platform/scratch';
import { type AnalysisAnswer, type AnalysisOrder } from './analysis-messages';
import { CheckedArtifact } from './checked-artifact';
import { declaredMetadata } from './declared-metadata';
import { countSteps, MAX_STEPS, toStorable } from './storable-analysis';

/** Bounds of one event and of all names of one artifact; real traces stay below a tenth. */
const MAX_EVENT_BYTES = 16 * 2 ** 20;
const MAX_STRING_BYTES = 512 * 2 ** 20;

/** Reads, checks and analyses the artifacts of one run. Never throws: everything that can go wrong is an answer. */
export async function analyzeOrder(order: AnalysisOrder): Promise<AnalysisAnswer> {
  const { task, objectStore } = order;
  const store = new ObjectStore(objectStore);
  const sources = task.artifacts.map(
    (artifact) => new CheckedArtifact(artifact, () => store.read(artifact.objectKey)),
  );
  const answer = await checkAll(sources, await analyze(sources, order));
  store.onApplicationShutdown();
  return answer;
}

type Analyzed = Extract<AnalysisAnswer, { kind: 'analyzed' }>;
type Failed = Exclude<AnalysisAnswer, { kind: 'analyzed' }>;

/** Compares what the analysis left unread too: wrong bytes explain whatever it made of them. */
async function checkAll(
  sources: readonly CheckedArtifact[],
  analysis: Omit<Analyzed, 'checkedIds'> | Failed,
): Promise<AnalysisAnswer> {
  let answer = analysis;
  try {
    if (answer.kind !== 'unavailable') for (const source of sources) await source.finishCheck();
  } catch (error) {
    answer = toAnswer(error);
  }
  const wrong = sources.filter(({ mismatch }) => mismatch !== undefined);
  if (wrong.length === 0) {
    if (answer.kind !== 'analyzed') return answer;
    return {
      ...answer,
      checkedIds: sources.filter(({ checked }) => checked).map(({ artifact }) => artifact.id),
    };
  }
  const [{ mismatch: first = '' }, ...others] = wrong;
  const reason =
    others.length === 0
      ? first
      : `${first} ${others.length} more artifacts are not what was declared either.`;
  return { kind: 'mismatch', artifactIds: wrong.map(({ artifact }) => artifact.id), reason };
}

async function analyze(
  sources: readonly CheckedArtifact[],
  { task, decompression, maxEvents, maxScratchBytes }: AnalysisOrder,
): Promise<Omit<Analyzed, 'checkedIds'> | Failed> {
  try {
    const inputs = sources.map((source) => ({
      path: source.artifact.name,
      open: () => openArtifactBytes(source.bytes(), decompression),
    }));
    const limits = { maxEvents, maxEventBytes: MAX_EVENT_BYTES, maxStringBytes: MAX_STRING_BYTES };
    const analysis = await analyzeRun(inputs, {
      limits,
      openScratch: () => fileScratch(maxScratchBytes),
      declared: declaredMetadata(task.declared),
    });
    const steps = countSteps(analysis);
    if (steps > MAX_STEPS) {
      const reason = `The run has ${steps} steps, a report keeps ${MAX_STEPS}. Record fewer steps or fewer ranks.`;
      return { kind: 'refused', code: 'too-many-steps', reason };
    }
    return { kind: 'analyzed', result: toStorable(analysis) };
  } catch (error) {
    return toAnswer(error);
  }
}

function toAnswer(error: unknown): Failed {
  if (error instanceof InputRefused) return { kind: 'refused', code: error.code, reason: error.message };
  if (error instanceof ObjectNotFound) {
    const reason = 'An artifact is no longer in the object store. Upload the run again.';
    return { kind: 'refused', code: 'artifact-missing', reason };
  }
  // A store that refuses us is set up wrongly; that is not the run's fault either.
  if (error instanceof ObjectStoreError) return { kind: 'unavailable', reason: error.message };
  if (
    error instanceof RangeError &&
    /allocation failed|Invalid (typed )?array( buffer)? length/i.test(error.message)
  ) {
    return { kind: 'refused', code: 'out-of-memory', reason: outOfMemory };
  }
  console.error(error);
  return { kind: 'crashed', reason: 'The analysis failed because of a defect in Stallscope.' };
}

/** Reason of a run whose analysis needed too much memory. */
export const outOfMemory =
  'The analysis needed more memory than it may have (ANALYSIS_MEMORY_MB). Record fewer steps or fewer ranks, or raise the limit.';
