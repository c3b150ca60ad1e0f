import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat, type RunMetadata } from '../artifact-format';
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
      raw = JSON.parse(text);
    } catch (error) {
      throw new InputRefused('unreadable', `${context.path}: not valid JSON (${String(error)}).`);
    }
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
      throw new InputRefused('unreadable', `${context.path}: metadata must be one JSON object.`);
    }
    return { kind: 'run-metadata', metadata: fromRaw(raw as Record<string, unknown>) };
  },
};

function fromRaw(raw: Record<string, unknown>): RunMetadata {
  const number = (key: string): number | null => {
    const value = raw[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  };
  const text = (key: string): string | null => (typeof raw[key] === 'string' ? raw[key] : null);
  const record = (key: string): Record<string, unknown> | null =>
    typeof raw[key] === 'object' && raw[key] !== null && !Array.isArray(raw[key])
      ? (raw[key] as Record<string, unknown>)
      : null;
  return {
    rank: number('rank'),
    worldSize: number('world_size'),
    gpu: text('gpu'),
    dtype: text('dtype'),
    parameters: number('params'),
    tokensPerStep: number('tokens_per_step'),
    batchSize: number('batch_size'),
    sequenceLength: number('seq_len'),
    optimizer: text('optimizer'),
    loader: record('loader'),
    environment: Object.fromEntries(
      Object.entries(record('env') ?? {}).filter((e): e is [string, string] => typeof e[1] === 'string'),
    ),
    raw,
  };
}
