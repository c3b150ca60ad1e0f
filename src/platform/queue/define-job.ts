import { z } from 'zod';

/** What every payload carries: which contract it follows, and whose work it is. */
export interface JobPayload {
  version: number;
  teamId: string;
}

/** The delay before retry n is `delayMs * 2^(n-1)`, with up to half of it taken off at random. */
export interface JobBackoff {
  delayMs: number;
}

/** One kind of job: its queue, its contract, and how often it is tried. */
export interface JobDefinition<Payload extends JobPayload = JobPayload> {
  /** Also the name of its queue. */
  readonly name: string;
  readonly version: number;
  readonly payload: z.ZodType<Payload>;
  readonly attempts: number;
  readonly backoff: JobBackoff;
}

/** A payload as its producer writes it; the version is added by the queue. */
export type NewPayload<Payload extends JobPayload> = Omit<Payload, 'version'>;

const JOB_NAME = /^[a-z][a-z0-9-]{0,62}$/;

/**
 * Declares a job. `payload` is the shape beside `version` and `teamId`, which every job has.
 *
 * @throws Error when the name cannot be a queue's name on every backend.
 */
export function defineJob<Shape extends z.ZodRawShape>(definition: {
  name: string;
  version: number;
  payload: Shape;
  attempts: number;
  backoff: JobBackoff;
}): JobDefinition<z.infer<z.ZodObject<Shape>> & JobPayload> {
  if (!JOB_NAME.test(definition.name)) throw new Error(`"${definition.name}" is no job name: use kebab-case`);
  const schema = z.strictObject({
    ...definition.payload,
    version: z.literal(definition.version),
    teamId: z.uuid(),
  });
  // The two keys are in the schema above; TypeScript cannot see that through a generic shape.
  const payload = schema as unknown as z.ZodType<z.infer<z.ZodObject<Shape>> & JobPayload>;
  return { ...definition, payload };
}

/** The payload type of a job definition. */
export type PayloadOf<Job extends { payload: z.ZodType }> = z.infer<Job['payload']>;
