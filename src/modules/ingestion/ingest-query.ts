import { z } from 'zod';
import { printableLine } from '../../platform/http';
import { type NewRun, newRunSchema, runMetadataShape } from './run-metadata';
import { newArtifactSchema } from './upload-schemas';

const { hardware, framework, parallelism, batch } = newRunSchema.shape;
const hardwareShape = hardware.unwrap().shape;
const frameworkShape = framework.unwrap().shape;
const batchShape = batch.unwrap().shape;

/** A number in a query is text; bounds and words are those of the field in the body of POST /v1/runs. */
function number(field: z.ZodOptional<z.ZodNumber>) {
  const { minValue, maxValue } = field.unwrap();
  return z.coerce
    .number()
    .int()
    .min(minValue ?? 1)
    .max(maxValue ?? Number.MAX_SAFE_INTEGER)
    .optional()
    .describe(field.description ?? '')
    .meta({ example: field.meta()?.example });
}

const tag = printableLine(100);

/** What PUT /v1/ingest takes beside the bytes: the fields of POST /v1/runs that fit into a query. */
export const ingestQuerySchema = z
  .strictObject({
    ...runMetadataShape,
    name: newArtifactSchema.shape.name.default('trace').describe('Name of the file within the run.'),
    worldSize: number(newRunSchema.shape.worldSize),
    durationS: number(newRunSchema.shape.durationS),
    tags: z
      .union([tag, z.array(tag).max(50)])
      .default([])
      .describe('Words to find the run by: tags=a&tags=b.'),
    gpu: hardwareShape.gpu,
    gpusPerNode: number(hardwareShape.gpusPerNode),
    nodes: number(hardwareShape.nodes),
    interconnect: hardwareShape.interconnect,
    framework: frameworkShape.name.optional(),
    frameworkVersion: frameworkShape.version.optional(),
    strategy: parallelism.unwrap().shape.strategy,
    dtype: newRunSchema.shape.dtype,
    parameters: number(newRunSchema.shape.parameters),
    microBatch: number(batchShape.micro),
    globalBatch: number(batchShape.global),
    gradientAccumulation: number(batchShape.gradientAccumulation),
    sequenceLength: number(newRunSchema.shape.sequenceLength),
    tokensPerStep: number(newRunSchema.shape.tokensPerStep),
    samplesPerStep: number(newRunSchema.shape.samplesPerStep),
  })
  .refine(
    ({ framework, frameworkVersion }) => (framework === undefined) === (frameworkVersion === undefined),
    {
      message: 'goes together with framework',
      path: ['frameworkVersion'],
      // What is wrong with one of them says enough.
      when: ({ issues }) => issues.length === 0,
    },
  );

export type IngestQuery = z.output<typeof ingestQuerySchema>;

/** The run that a query describes. */
export function runOfQuery(query: IngestQuery): NewRun {
  const { model, cluster, workload, branch, commit, startedAt, comparability } = query;
  const { worldSize, durationS, tags } = query;
  const { gpu, gpusPerNode, nodes, interconnect, strategy } = query;
  const { framework: name, frameworkVersion: version } = query;
  const { microBatch: micro, globalBatch: global, gradientAccumulation } = query;
  const { dtype, parameters, sequenceLength, tokensPerStep, samplesPerStep } = query;
  return {
    ...{ model, cluster, workload, branch, commit, startedAt, comparability, worldSize, durationS },
    tags: typeof tags === 'string' ? [tags] : tags,
    metadata: {},
    ...{ dtype, parameters, sequenceLength, tokensPerStep, samplesPerStep },
    hardware: unlessEmpty({ gpu, gpusPerNode, nodes, interconnect }),
    framework: name !== undefined && version !== undefined ? { name, version } : undefined,
    parallelism: unlessEmpty({ strategy }),
    batch: unlessEmpty({ micro, global, gradientAccumulation }),
  };
}

function unlessEmpty<T extends object>(fields: T): T | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}
