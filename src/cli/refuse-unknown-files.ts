import { createReadStream } from 'node:fs';
import { describeUnknown, SNIFF_BYTES, sniffFormat } from '../analysis';
import { unpackHead } from '../platform/decompression';
import { type LocalFile } from './client/local-file';
import { UsageError } from './usage-error';

const ACCEPTED =
  'Accepted are PyTorch profiler traces (.pt.trace.json, .pt.trace.json.gz) and what the post-hook writes beside them ' +
  '(step_times.rank0.jsonl, meta.rank0.json).';

/**
 * Looks at the first bytes of the files at `path`, as `analyze` does. One file that might be readable is enough: what else
 * lies in the folder of a run goes with it.
 *
 * @throws UsageError when there is none
 */
export async function refuseUnknownFiles(path: string, files: readonly LocalFile[]): Promise<void> {
  let first: string | undefined;
  for (const file of files) {
    const head = await unpackHead(createReadStream(file.path, { end: SNIFF_BYTES - 1 }), SNIFF_BYTES);
    // Nothing to look at: it is empty, damaged or cannot be read, and whoever reads all of it says which.
    if (head.byteLength === 0 || sniffFormat(head)) return;
    first ??= `${file.path}: ${describeUnknown(head)}`;
  }
  const what = files.length === 1 ? `${first}.` : `${path}: no file that can be analysed (${first}).`;
  throw new UsageError(`${what} ${ACCEPTED} Nothing was sent.`);
}
