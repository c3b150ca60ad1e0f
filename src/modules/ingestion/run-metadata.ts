import { z } from 'zod';
import { pointInTime, printableLine } from '../../platform/http';
import { runSetupShape } from './run-setup';

/** Deepest nesting of the free metadata, the object itself included. */
const MAX_METADATA_DEPTH = 8;
/** Size of the free metadata as JSON. */
const MAX_METADATA_BYTES = 64 * 1024;

/** What the free metadata violates, or undefined. Depth is checked first: the rest recurses. */
export function metadataProblem(value: unknown): string | undefined {
  if (isDeeperThan(value, MAX_METADATA_DEPTH))
    return `must not be nested deeper than ${MAX_METADATA_DEPTH} levels`;
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > MAX_METADATA_BYTES)
    return `must have at most ${MAX_METADATA_BYTES} bytes as JSON`;
  // JSON.stringify writes NUL and lone surrogates as escapes; a backslash before them would be an escaped backslash.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i.test(text))
    return 'must not contain NUL or broken Unicode';
  return undefined;
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((child) => isDeeperThan(child, depth - 1));
}

/** Clocks of clusters may be ahead of the server's. */
const MAX_CLOCK_LEAD_MS = 24 * 3_600_000;

/** Ten years. */
const MAX_DURATION_S = 315_360_000;

/** What a client says about its run. */
export const runMetadataShape = {
  model: printableLine(200).describe('What is trained, for example llama-7b.').meta({ example: 'llama-7b' }),
  cluster: printableLine(200)
    .describe('Where it runs; runs are compared within model and cluster.')
    .meta({ example: 'h200-a' }),
  workload: printableLine(200).optional().describe('Kind of work, for example pretraining or fine-tuning.'),
  branch: printableLine(255).optional().describe('Branch of the code.'),
  commit: printableLine(100).optional().describe('Commit of the code.'),
  startedAt: pointInTime
    .refine((time) => time.getTime() <= Date.now() + MAX_CLOCK_LEAD_MS, 'must not be in the future')
    .optional()
    .describe(
      'When the training ran, RFC 3339 with an offset; it orders the history, so that runs may be uploaded late. Default: when it was created.',
    )
    .meta({ example: '2026-10-05T08:00:00Z' }),
  comparability: printableLine(200)
    .optional()
    .describe(
      'Runs that share this word are compared, instead of those that share GPU, world size, parallelism, dtype, batch and sequence length.',
    ),
};

export const newRunSchema = z.strictObject({
  ...runMetadataShape,
  worldSize: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Number of ranks of the job.')
    .meta({ example: 32 }),
  durationS: z
    .int()
    .min(1)
    .max(MAX_DURATION_S)
    .optional()
    .describe(
      'How long the job ran, seconds; with worldSize it gives GPU-hours, which a trace does not tell.',
    )
    .meta({ example: 86_400 }),
  ...runSetupShape,
  tags: z.array(printableLine(100)).max(50).default([]).describe('Words to find the run by.'),
  metadata: z
    .record(z.string(), z.unknown())
    .default({})
    .superRefine((value, context) => {
      const problem = metadataProblem(value);
      if (problem) context.addIssue({ code: 'custom', message: problem });
    })
    .describe(
      'Anything else that has no field of its own; it is kept and shown, not analysed. At most 64 KiB and 8 levels.',
    )
    .meta({ example: { experiment: 'warm-up-2000', dataset: 'web-2026-10' } }),
});

export type NewRun = z.output<typeof newRunSchema>;
