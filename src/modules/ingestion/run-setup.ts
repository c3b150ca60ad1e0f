import { z } from 'zod';
import { printableLine } from '../../platform/http';
import { environmentSchema } from './run-environment';

/** More ranks, or devices, than any installation has. */
const MAX_RANKS = 1_000_000;
const MAX_TOKENS = 1_000_000_000_000;

const count = (max: number, words: string, example: number) =>
  z.int().min(1).max(max).optional().describe(words).meta({ example });
const line = (maxChars: number, words: string, example: string) =>
  printableLine(maxChars).optional().describe(words).meta({ example });

const hardwareSchema = z
  .strictObject({
    gpu: line(200, 'Name of the GPU, as the driver gives it.', 'NVIDIA H200'),
    gpusPerNode: count(1_024, 'GPUs of one machine.', 8),
    nodes: count(MAX_RANKS, 'Machines.', 4),
    interconnect: line(200, 'What joins the GPUs and the machines.', 'NVLink, 8 x 400 Gbit/s InfiniBand'),
  })
  .describe('What it runs on.');

const frameworkSchema = z
  .strictObject({
    name: printableLine(100).describe('Name of the framework.').meta({ example: 'pytorch' }),
    version: printableLine(100).describe('Its version.').meta({ example: '2.9.0' }),
    cuda: line(100, 'Version of CUDA that it uses.', '13.0'),
    driver: line(100, 'Version of the GPU driver.', '580.65.06'),
  })
  .describe('What it runs in.');

const parallelismSchema = z
  .strictObject({
    data: count(MAX_RANKS, 'Data-parallel degree.', 16),
    tensor: count(MAX_RANKS, 'Tensor-parallel degree.', 2),
    pipeline: count(MAX_RANKS, 'Pipeline-parallel degree.', 1),
    expert: count(MAX_RANKS, 'Expert-parallel degree.', 1),
    context: count(MAX_RANKS, 'Context-parallel degree.', 1),
    strategy: line(100, 'How the data-parallel part is done, such as ddp, fsdp, zero1 or zero3.', 'fsdp'),
  })
  .describe('How the work is spread over the ranks; degrees are numbers of ranks.');

const batchSchema = z
  .strictObject({
    micro: count(1_000_000_000, 'Samples of one forward pass of one rank.', 4),
    global: count(1_000_000_000, 'Samples of one optimizer step over all ranks.', 256),
    gradientAccumulation: count(1_000_000, 'Forward and backward passes of one optimizer step.', 4),
  })
  .describe('Batch sizes, in samples.');

const loaderSchema = z
  .strictObject({
    numWorkers: z
      .int()
      .min(0)
      .max(10_000)
      .optional()
      .describe('Processes that load data, of one rank.')
      .meta({ example: 4 }),
    pinMemory: z.boolean().optional().describe('Whether batches come in pinned memory.'),
    prefetchFactor: count(100_000, 'Batches that each of them loads ahead.', 2),
    persistentWorkers: z.boolean().optional().describe('Whether they outlive an epoch.'),
  })
  .describe('Arguments of the data loader.');

/** What a run is set up like, in fields that have a name. */
export const runSetupShape = {
  hardware: hardwareSchema.optional(),
  framework: frameworkSchema.optional(),
  parallelism: parallelismSchema.optional(),
  dtype: line(40, 'Format of the matrix work: bf16, fp16, fp8, tf32, fp32.', 'bf16'),
  parameters: count(Number.MAX_SAFE_INTEGER, 'Parameters of the model.', 7_000_000_000),
  batch: batchSchema.optional(),
  sequenceLength: count(1_000_000_000, 'Tokens of one sequence.', 4_096),
  tokensPerStep: count(MAX_TOKENS, 'Tokens that one rank trains on in one optimizer step.', 65_536),
  samplesPerStep: count(MAX_TOKENS, 'Samples that one rank trains on in one optimizer step.', 16),
  loader: loaderSchema.optional(),
  environment: environmentSchema
    .optional()
    .describe('Environment variables worth knowing, at most 200. Names that look like secrets are refused.')
    .meta({ example: { OMP_NUM_THREADS: '8', NCCL_ALGO: 'Ring' } }),
};

/** The setup of a run as it is stored, and shown by GET /v1/runs/{id}; fields that nobody gave are absent. */
export const runSetupSchema = z.strictObject(runSetupShape);
export type RunSetup = z.output<typeof runSetupSchema>;

/** The named fields out of all that a client said of its run; what it left out stays absent. */
export function setupOf(given: RunSetup): RunSetup {
  return Object.fromEntries(
    (Object.keys(runSetupShape) as (keyof RunSetup)[])
      .filter((key) => given[key] !== undefined)
      .map((key) => [key, given[key]]),
  );
}
