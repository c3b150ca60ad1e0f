import { type Response } from 'supertest';
import { problemCatalogue, type ProblemCode, problemSchema } from '../../src/platform/errors';

/** Expects a complete problem answer with this code, and returns its body. */
export function expectProblem(response: Response, code: ProblemCode) {
  const problem = problemSchema.parse(response.body);
  expect(problem.code).toBe(code);
  expect(response.status).toBe(problemCatalogue[code].status);
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(problem).toMatchObject({
    status: response.status,
    type: `urn:stallscope:problem:${code}`,
    title: problemCatalogue[code].title,
    instance: `urn:stallscope:request:${response.headers['x-request-id']}`,
  });
  expect(problem.detail).not.toBe('');
  expect(problem.action).not.toBe('');
  return problem;
}

/** The same for an answer of `fetch`. */
export async function expectFetchedProblem(response: globalThis.Response, code: ProblemCode) {
  const { status, headers } = response;
  const answer = { status, headers: Object.fromEntries(headers), body: await response.json() };
  return expectProblem(answer as Response, code);
}
