import { InputRefused } from '../../timeline/input-refused';
import { MAX_PLAUSIBLE_NS, NS_PER_MS, NS_PER_S, NS_PER_US } from '../../units/time';
import { type ArtifactFormat, type MetadataOrigin, type RunMetadata } from '../artifact-format';
import { readSmallText } from '../read-text';

/** Keys that the post-hook always writes; two of them make a JSON object metadata of a run. */
const KEYS = [
  'world_size',
  'batch_size',
  'seq_len',
  'tokens_per_step',
  'loader',
  'optimizer',
  'params',
  'mean_step_s',
];

/** What a training job says of itself: one flat JSON object per rank, as the post-hook writes it (`meta.rank<N>.json`). */
export const runMetadataFormat: ArtifactFormat = {
  id: 'run-metadata',
  sniffOrder: 30,
  sniff(head) {
    const text = new TextDecoder().decode(head);
    return (
      /^\s*\{/.test(text) &&
      !text.includes('"traceEvents"') &&
      KEYS.filter((key) => text.includes(`"${key}"`)).length >= 2
    );
  },
  async read(chunks, context) {
    const text = await readSmallText(chunks, context);
    let raw: unknown;
    try {
      raw = JSON.parse(text, withoutInfinity);
    } catch {
      // The reason of the parser is left out: it quotes the file, line breaks and all.
      throw new InputRefused(
        'unreadable',
        `${context.path}: not valid JSON, perhaps cut off; upload the whole file.`,
      );
    }
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
      throw new InputRefused('unreadable', `${context.path}: metadata must be one JSON object.`);
    }
    return { kind: 'run-metadata', metadata: runMetadataOf(raw as Record<string, unknown>, 'uploaded') };
  },
};

/** JSON has no infinity, but parsers make one of 1e999; a report could not be written with it. */
function withoutInfinity(_key: string, value: unknown): unknown {
  return value === Infinity || value === -Infinity ? null : value;
}

/** More ranks than any machine has; what is above is no rank. */
const MAX_RANKS = 10_000_000;

/** What the keys of a metadata object say; values of another type than expected say nothing. */
export function runMetadataOf(raw: Record<string, unknown>, origin: MetadataOrigin): RunMetadata {
  const number = (key: string): number | null => {
    const value = raw[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  };
  const count = (key: string, least: number): number | null => {
    const value = number(key);
    return value !== null && Number.isInteger(value) && value >= least && value <= MAX_RANKS ? value : null;
  };
  const text = (key: string): string | null => (typeof raw[key] === 'string' ? raw[key] : null);
  const record = (key: string): Record<string, unknown> | null =>
    typeof raw[key] === 'object' && raw[key] !== null && !Array.isArray(raw[key])
      ? (raw[key] as Record<string, unknown>)
      : null;
  return {
    origin,
    rank: count('rank', 0),
    worldSize: count('world_size', 1),
    gpu: text('gpu'),
    dtype: text('dtype'),
    parameters: number('params'),
    tokensPerStep: number('tokens_per_step'),
    batchSize: number('batch_size'),
    sequenceLength: number('seq_len'),
    optimizer: text('optimizer'),
    unprofiledStepNs: unprofiledStepNs(
      number('median_step_s'),
      number('mean_step_s'),
      number('median_device_ms'),
    ),
    unprofiledMeanStepNs: unprofiledStepNs(number('mean_step_s'), null, null),
    peakMemoryBytes: number('peak_mem'),
    loader: record('loader'),
    environment: Object.fromEntries(
      Object.entries(record('env') ?? {}).filter((e): e is [string, string] => typeof e[1] === 'string'),
    ),
    raw,
  };
}

/** No training step is shorter than a kernel launch. */
const MIN_STEP_NS = NS_PER_US;

/** The best of what the job says: a host-side median, then the mean, then the device-side median. */
function unprofiledStepNs(
  medianS: number | null,
  meanS: number | null,
  medianDeviceMs: number | null,
): number | null {
  const seconds = medianS ?? meanS;
  const ns =
    seconds !== null ? seconds * NS_PER_S : medianDeviceMs !== null ? medianDeviceMs * NS_PER_MS : NaN;
  return ns >= MIN_STEP_NS && ns < MAX_PLAUSIBLE_NS ? Math.round(ns) : null;
}
