import { type JobContext, type JobDefinition, type JobPayload } from '../src/platform/queue';

/** Does the jobs of one kind. */
export interface JobWorker<Payload extends JobPayload = JobPayload> {
  readonly job: JobDefinition<Payload>;
  /** Jobs of this kind at once in this process. */
  readonly concurrency: number;
  /** A handler at work for longer than this is stuck, seconds. */
  readonly longestS: number;
  handle(payload: Payload, context: JobContext): Promise<void>;
}

/**
 * Every kind of job needs exactly one worker; throws an Error that names what is missing or too much. Checked at start,
 * because a job that nobody takes would wait for ever and say nothing.
 */
export function refuseUnmatchedJobs(
  jobs: readonly { readonly name: string }[],
  workers: readonly { readonly job: { readonly name: string } }[],
): void {
  const problems: string[] = [];
  const names = jobs.map(({ name }) => name);
  for (const name of new Set(names)) {
    const count = workers.filter(({ job }) => job.name === name).length;
    if (count !== 1) problems.push(`job ${name} has ${count} workers`);
    if (names.filter((other) => other === name).length > 1) problems.push(`there are two jobs named ${name}`);
  }
  for (const { job } of workers) {
    if (!names.includes(job.name)) problems.push(`the worker of ${job.name} has no job`);
  }
  if (problems.length > 0) throw new Error(`Jobs and workers do not match: ${problems.join('; ')}.`);
}
