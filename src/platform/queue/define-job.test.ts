import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineJob } from './define-job';

const options = { attempts: 1, backoff: { delayMs: 1 } };
const job = defineJob({ name: 'a-job', version: 3, payload: { runId: z.uuid() }, ...options });

describe('defineJob', () => {
  it('adds version and team to every payload, and takes nothing else', () => {
    const good = { version: 3, teamId: randomUUID(), runId: randomUUID() };
    expect(job.payload.parse(good)).toEqual(good);
    for (const bad of [
      { version: 2 },
      { version: undefined },
      { teamId: undefined },
      { teamId: 'us' },
      { more: 1 },
    ]) {
      expect(job.payload.safeParse({ ...good, ...bad }).success).toBe(false);
    }
  });

  it.each(['A', 'a:b', 'a job', '', '-a'])('refuses the name %j', (name) => {
    expect(() => defineJob({ name, version: 1, payload: {}, ...options })).toThrow('kebab-case');
  });
});
