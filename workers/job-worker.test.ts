import { refuseUnmatchedJobs } from './job-worker';
import { jobs, workerClasses } from './index';

const job = (name: string) => ({ name });
const worker = (name: string) => ({ job: { name } });

describe('jobs and workers', () => {
  it('match one to one', () => {
    expect(() => refuseUnmatchedJobs([job('a'), job('b')], [worker('b'), worker('a')])).not.toThrow();
  });

  it.each([
    ['a job without a worker', [job('a')], [], 'job a has 0 workers'],
    ['a job with two workers', [job('a')], [worker('a'), worker('a')], 'job a has 2 workers'],
    ['a worker without a job', [], [worker('a')], 'the worker of a has no job'],
    ['two jobs of one name', [job('a'), job('a')], [worker('a')], 'two jobs named a'],
  ])('refuses %s', (_what, givenJobs, givenWorkers, words) => {
    expect(() => refuseUnmatchedJobs(givenJobs, givenWorkers)).toThrow(words);
  });

  it('are as many in the product', () => {
    expect(workerClasses).toHaveLength(jobs.length);
  });
});
