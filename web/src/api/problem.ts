import { type components } from './schema';

export type Problem = components['schemas']['Problem'];

/** An answer of the API that is a problem, or none at all (status 0). */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** What the API answered, or what kept it from answering, as a problem. */
export function toProblem(body: unknown, response: Response): Problem {
  if (isProblem(body)) return body;
  return {
    type: 'about:blank',
    title: 'The answer is not from Stallscope',
    status: response.status,
    code: 'unexpected-answer',
    detail: `Something between this page and the service answered ${response.status} ${response.statusText}.`,
    action: 'Try again; if it stays, tell whoever runs the service.',
    instance: new URL(response.url || location.href).pathname,
  };
}

/** The service cannot be reached. */
export function unreachable(path: string): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'Stallscope cannot be reached',
    status: 0,
    code: 'unreachable',
    detail: 'The request got no answer.',
    action: 'Check the network connection, then try again.',
    instance: path,
  });
}

/** Whether it has what people are told of a problem. */
export function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
}

/** Whether something failed with the problem that has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ProblemError && error.problem.code === code;
}

/** The body of an answer. Throws ProblemError when it is none. */
export async function unwrap<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok) throw new ProblemError(toProblem(error, response));
  return data as T;
}
