import { ByteSourceErrorCode, errorCode } from '../../timeline/input-refused';
import { type RankTimeline } from '../../timeline/rank-timeline';
import { type ReadContext } from '../artifact-format';
import { ByteWindow } from './byte-window';
import { EventCollector } from './event-collector';
import { refuseUnlessGpuTrace } from './refusals';
import { reportProblems } from './report-problems';
import { buildTimeline } from '../../timeline/timeline-builder';
import { TraceEnvelope } from './trace-envelope';
import { TraceMetadataReader } from './trace-metadata';

/** Bytes gathered before they are scanned: an event cut by a chunk's end is scanned again from its start. */
const BATCH_BYTES = 128 * 1024;
/** Larger chunks are taken in slices, so that the window stays small. */
const MAX_SLICE_BYTES = 1024 * 1024;

/**
 * Reads a PyTorch profiler trace in Chrome's format from arbitrary chunks of decompressed bytes, in memory that depends
 * on the number of events and not on the size of the file. Throws `InputRefused` when it holds no GPU profile.
 * `batchBytes` is for tests: 1 scans after every chunk.
 */
export async function readKineto(
  chunks: AsyncIterable<Uint8Array>,
  context: ReadContext,
  batchBytes = BATCH_BYTES,
): Promise<RankTimeline> {
  const window = new ByteWindow();
  const collector = new EventCollector(context.limits);
  const metadata = new TraceMetadataReader();
  const envelope = new TraceEnvelope(window, collector, metadata, context.limits.maxEventBytes);
  await feed(chunks, window, envelope, batchBytes);
  envelope.advance(true);
  const truncated = !envelope.complete;
  refuseUnlessGpuTrace(context.path, {
    tally: collector.tally,
    totalBytes: window.totalBytes,
    isJson: envelope.isJson,
    isKineto: metadata.isKineto,
    truncated,
    malformed: envelope.malformed,
  });
  const built = buildTimeline(context.path, collector.collected(), metadata.metadata, truncated);
  reportProblems(context, { collector, envelope, metadata, built });
  return built.timeline;
}

/** Scans all chunks. A source that says that it was cut is at its end. */
async function feed(
  chunks: AsyncIterable<Uint8Array>,
  window: ByteWindow,
  envelope: TraceEnvelope,
  batchBytes: number,
): Promise<void> {
  let wanted = batchBytes;
  try {
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.length && !envelope.unusable; from += MAX_SLICE_BYTES) {
        window.append(chunk.subarray(from, from + MAX_SLICE_BYTES));
        if (window.length < wanted) continue;
        envelope.advance(false);
        // What is left was scanned in vain; doubling it before the next attempt keeps the total linear.
        wanted = window.length + Math.max(batchBytes, batchBytes > 1 ? window.length : 0);
      }
      if (envelope.unusable) break;
    }
  } catch (error) {
    if (errorCode(error) !== ByteSourceErrorCode.truncated) throw error;
  }
}
