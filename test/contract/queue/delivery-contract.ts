import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { PermanentJobError, PostponeJobError } from '../../../src/platform/queue';
import { until } from '../../harness/until';
import { job, QueueBench, teamId, type Payload, type QueueServer } from './queue-bench';

/** What the product needs of a queue when all is well, whatever the queue runs on. */
export function describeDelivery(name: string, server: () => QueueServer): void {
  describe(`job delivery on ${name}`, () => {
    let bench: QueueBench;

    beforeEach(async () => {
      bench = await QueueBench.open(server());
    });
    afterEach(() => bench.close());

    it('hands the payload over, once for one id, and takes the id again when the job is done', async () => {
      const queue = bench.queue();
      const seen: Payload[] = [];
      expect(await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'a-1' })).toBe(true);
      expect(await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'a-1' })).toBe(false);
      expect(await queue.depth(job)).toEqual({ waiting: 1, active: 0, delayed: 0, failed: 0 });
      bench.consume(async (payload) => void seen.push(payload));
      await until(() => seen.length === 1, 'job seen');
      await until(async () => (await queue.depth(job)).active === 0, 'job done');
      expect(seen).toEqual([{ version: 2, teamId, value: 1 }]);
      expect(await queue.enqueue(job, { teamId, value: 2 }, { jobId: 'a-1' })).toBe(true);
      await until(() => seen.length === 2, 'job seen again');
    });

    it('keeps an id single while its job runs', async () => {
      const queue = bench.queue();
      let finish = () => {};
      let runs = 0;
      bench.consume(() => {
        runs++;
        return new Promise<void>((resolve) => (finish = resolve));
      });
      await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'b-1' });
      await until(() => runs === 1, 'running');
      expect(await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'b-1' })).toBe(false);
      finish();
      await until(async () => (await queue.depth(job)).active === 0, 'done');
      expect(runs).toBe(1);
    });

    it('retries with back-off until it succeeds', async () => {
      const queue = bench.queue();
      const attempts: { attempt: number; atMs: number }[] = [];
      bench.consume(async (_payload, { attempt }) => {
        attempts.push({ attempt, atMs: Date.now() });
        if (attempt < 3) throw new Error('not yet');
      });
      await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'c-1' });
      await until(() => attempts.length === 3, 'third attempt');
      await until(async () => (await queue.depth(job)).active === 0, 'done');
      expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      // 100 and 200 ms, at most half of it taken off.
      expect(attempts[1].atMs - attempts[0].atMs).toBeGreaterThanOrEqual(45);
      expect(attempts[2].atMs - attempts[1].atMs).toBeGreaterThanOrEqual(95);
      expect(await queue.depth(job)).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 });
    });

    it('gives up when the attempts are used up, and the id can be queued again', async () => {
      const queue = bench.queue();
      let runs = 0;
      bench.consume(async () => {
        runs++;
        if (runs <= 3) throw new Error('always');
      });
      await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'd-1' });
      await until(async () => (await queue.depth(job)).failed === 1, 'failed');
      expect(runs).toBe(3);
      expect(await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'd-1' })).toBe(true);
      await until(() => runs === 4, 'run again');
      await until(async () => (await queue.depth(job)).failed === 0, 'failure forgotten');
    });

    it('does not retry a permanent failure', async () => {
      const queue = bench.queue();
      let runs = 0;
      bench.consume(async () => {
        runs++;
        throw new PermanentJobError('hopeless');
      });
      await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'e-1' });
      await until(async () => (await queue.depth(job)).failed === 1, 'failed');
      await sleep(400);
      expect(runs).toBe(1);
    });

    it('takes a postponed job again without counting an attempt', async () => {
      const queue = bench.queue();
      const attempts: number[] = [];
      bench.consume(async (_payload, { attempt }) => {
        attempts.push(attempt);
        if (attempts.length <= 4) throw new PostponeJobError(50, 'somebody else is on it');
      });
      await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'f-1' });
      await until(() => attempts.length === 5, 'fifth run');
      expect(attempts).toEqual([1, 1, 1, 1, 1]);
      await until(async () => (await queue.depth(job)).active === 0, 'done');
      expect(await queue.depth(job)).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 });
    });

    it('refuses a payload that does not fit, on both sides', async () => {
      const queue = bench.queue();
      await expect(
        queue.enqueue(job, { teamId, value: 'one' as unknown as number }, { jobId: 'g-1' }),
      ).rejects.toThrow(z.ZodError);
      await expect(queue.enqueue(job, { teamId: 'us', value: 1 }, { jobId: 'g-2' })).rejects.toThrow(
        z.ZodError,
      );
      await expect(queue.enqueue(job, { teamId, value: 1 }, { jobId: 'g:3' })).rejects.toThrow(
        'must not contain',
      );
      const older = {
        ...job,
        version: 1,
        payload: z.looseObject({ version: z.number(), teamId: z.string() }),
      };
      await queue.enqueue(older, { teamId }, { jobId: 'g-4' });
      let runs = 0;
      bench.consume(async () => void runs++);
      await until(async () => (await queue.depth(job)).failed === 1, 'failed');
      expect(runs).toBe(0);
    });

    it('shares the work of one queue between consumers', async () => {
      const queue = bench.queue();
      const byConsumer: number[][] = [[], []];
      for (const own of byConsumer) {
        bench.consume(async ({ value }) => {
          own.push(value);
          await sleep(30);
        });
      }
      const values = Array.from({ length: 30 }, (_, i) => i);
      for (const value of values) await queue.enqueue(job, { teamId, value }, { jobId: `h-${value}` });
      await until(() => byConsumer.flat().length === 30, 'all done');
      expect(byConsumer.flat().sort((a, b) => a - b)).toEqual(values);
      expect(Math.min(...byConsumer.map((own) => own.length))).toBeGreaterThan(3);
    });
  });
}
