import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessProblems } from './catalogue/access';
import { problemCatalogue, type ProblemDefinition } from './catalogue';
import { requestProblems } from './catalogue/request';
import { serviceProblems } from './catalogue/service';
import { ProblemError } from './problem-error';
import { renderProblemsDocument } from './problems-document';
import { problemSchema, renderProblem } from './render-problem';

const definitions = Object.entries<ProblemDefinition>(problemCatalogue);

describe('the catalogue of problems', () => {
  it.each(definitions)('%s is well formed', (code, { status, title, action }) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(title).not.toMatch(/[.|]$/);
    expect(action).toMatch(/[.]$/);
  });

  it('has no code in two groups', () => {
    const codes = [requestProblems, accessProblems, serviceProblems].flatMap((group) => Object.keys(group));
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('is documented; refresh with: node dist/src/main.js problems > docs/problems.md', () => {
    expect(readFileSync(join(__dirname, '../../../docs/problems.md'), 'utf8')).toBe(renderProblemsDocument());
  });
});

describe('renderProblem', () => {
  it('renders what RFC 9457 wants, and the advice', () => {
    const problem = renderProblem(
      new ProblemError('token-expired', 'It expired on 1 May.', { retryAfterS: 3 }),
      'abc',
    );
    expect(problemSchema.parse(problem)).toEqual({
      type: 'urn:stallscope:problem:token-expired',
      title: 'The API token has expired',
      status: 401,
      code: 'token-expired',
      detail: 'It expired on 1 May.',
      action: problemCatalogue['token-expired'].action,
      instance: 'urn:stallscope:request:abc',
    });
  });

  it('never shows the cause', () => {
    const error = new ProblemError('internal-error', 'Something broke.', {
      cause: new Error('password=hunter2'),
    });
    expect(JSON.stringify(renderProblem(error, 'r'))).not.toContain('hunter2');
  });
});
