import { z } from 'zod';
import { type ProblemError } from './problem-error';

/** The media type of every error answer, RFC 9457. */
export const problemMediaType = 'application/problem+json';

/** The body of every error answer. */
export const problemSchema = z.object({
  type: z.string().describe('urn:stallscope:problem:<code>'),
  title: z.string().describe('What is wrong in a few words, the same for every occurrence.'),
  status: z.int().min(400).max(599),
  code: z.string().describe('Stable; decide by this. All codes are listed in docs/problems.md.'),
  detail: z.string().describe('What happened and why.'),
  action: z.string().describe('What to do.'),
  instance: z.string().describe('urn:stallscope:request:<request id>; quote it when you report the problem.'),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

export type Problem = z.infer<typeof problemSchema>;

/** The answer for a problem that came up while serving the request with this id. */
export function renderProblem(error: ProblemError, requestId: string): Problem {
  return {
    type: `urn:stallscope:problem:${error.code}`,
    title: error.title,
    status: error.status,
    code: error.code,
    detail: error.detail,
    action: error.action,
    instance: `urn:stallscope:request:${requestId}`,
    ...(error.errors ? { errors: error.errors.map(({ field, message }) => ({ field, message })) } : {}),
  };
}
