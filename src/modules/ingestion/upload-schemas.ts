import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { artifactNameProblem, MAX_ARTIFACT_NAME_CHARS } from './artifact-name';
import { newRunSchema } from './run-metadata';
import { RUN_STATES } from './run-state';

/** Most parts in one answer. */
export const PARTS_PER_ANSWER = 100;

const sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
  .transform((hex) => hex.toLowerCase());

export class NewRunDto extends createZodDto(newRunSchema) {}

export const newArtifactSchema = z.strictObject({
  name: z
    .string()
    .max(MAX_ARTIFACT_NAME_CHARS)
    .superRefine((name, context) => {
      const problem = artifactNameProblem(name);
      if (problem) context.addIssue({ code: 'custom', message: problem });
    })
    .describe('Relative path of the file within the run.')
    .meta({ example: 'rank0.pt.trace.json.gz' }),
  sizeBytes: z.int().positive().describe('Size of the file as it is uploaded.').meta({ example: 1_843_200 }),
  sha256: sha256
    .describe('SHA-256 of the file as it is uploaded, hexadecimal.')
    .meta({ example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }),
});
export type NewArtifact = z.output<typeof newArtifactSchema>;

export class NewArtifactDto extends createZodDto(newArtifactSchema) {}

export class RunIdDto extends createZodDto(z.object({ id: z.uuid() })) {}

export class ArtifactIdDto extends createZodDto(z.object({ id: z.uuid(), artifactId: z.uuid() })) {}

export class PartsQueryDto extends createZodDto(
  z.strictObject({
    from: z.coerce.number().int().min(1).max(10_000).default(1).describe('First part of the answer.'),
  }),
) {}

/** A run as the upload routes answer with it; GET /v1/runs/{id} says more. */
export const runReceiptSchema = z.object({
  id: z.uuid(),
  state: z.enum(RUN_STATES),
  generation: z.int().describe('How many analyses were asked for.'),
  failure: z
    .object({ code: z.string(), reason: z.string() })
    .nullable()
    .describe('Why the analysis failed; null unless it did.'),
  links: z.object({ self: z.string(), report: z.string() }),
});
export type RunReceipt = z.output<typeof runReceiptSchema>;

/** What a client may say when it completes artifacts of a run; nothing is asked for. */
export class CompletionRequestDto extends createZodDto(
  z
    .strictObject({
      artifacts: z
        .array(
          z.uuid('must be an id that POST /v1/runs/{id}/artifacts answered with, not the name of the file'),
        )
        .min(1)
        .max(10_000)
        .optional()
        .describe(
          'Only these, by their ids, and all of them: for ranks that upload side by side. Left out, all that are awaited are completed.',
        ),
    })
    // The body may be left out.
    .prefault({}),
) {}

export class CompletionDto extends createZodDto(
  runReceiptSchema.extend({
    awaitingArtifacts: z.int().describe('Registered artifacts that are not uploaded as a whole yet.'),
    newArtifacts: z.int().describe('Uploaded artifacts that no analysis has yet; the next one has them.'),
  }),
) {}

export class RunReceiptDto extends createZodDto(runReceiptSchema) {}

const partSchema = z.object({
  partNumber: z.int().describe('From 1.'),
  sizeBytes: z.int().describe('Exactly so many bytes go into this part.'),
  url: z.string().describe('PUT the bytes here, without further headers.'),
  uploaded: z.boolean().describe('Whether the object store has this part already.'),
});

export class ArtifactUploadDto extends createZodDto(
  z.object({
    id: z.uuid(),
    name: z.string(),
    state: z
      .enum(['awaitingUpload', 'uploaded', 'verified', 'rejected'])
      .describe('uploaded at once when the team has this content already: nothing is to be sent then.'),
    partSizeBytes: z.int(),
    partCount: z.int(),
    parts: z.array(partSchema).max(PARTS_PER_ANSWER),
    nextPart: z
      .int()
      .nullable()
      .describe('Part to ask for next with GET …/parts?from=; null when all are in this answer.'),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe('When the URLs stop working; GET …/parts gives new ones.'),
  }),
) {}
export type ArtifactUpload = z.output<(typeof ArtifactUploadDto)['schema']>;
