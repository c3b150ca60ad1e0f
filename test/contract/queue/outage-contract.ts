import { setTimeout as sleep } from 'node:timers/promises';
import { PostponeJobError, QueueUnavailableError } from '../../../src/platform/queue';
import { until } from '../../harness/until';
import { job, QueueBench, teamId, works, type QueueServer } from './queue-bench';

/** What must happen when consumers die, the server goes away, or the process is told to stop. */
export function describeOutages(name: string, server: () => QueueServer): void {
  describe(`job queue outages on ${name}`, () => {
    let bench: QueueBench;

    beforeEach(async () => {
      bench = await QueueBench.open(server());
    });
    afterEach(() => bench.close());

    it('gives the job of a dead consumer to another one', async () => {
      const direct = bench.server.port;
      const queue = bench.queue(direct);
      let deadHasIt = false;
      bench.consume(() => {
        deadHasIt = true;
        return new Promise<void>(() => {});
      });
      await queue.enqueue(job, { teamId, value: 7 }, { jobId: 'i-1' });
      await until(() => deadHasIt, 'taken by the first consumer');
      // What a killed process looks like from the queue: it never renews its lock again.
      await bench.link.cut();
      const seen: number[] = [];
      bench.consume(async ({ value }) => void seen.push(value), direct);
      await until(() => seen.length === 1, 'taken over');
      expect(seen).toEqual([7]);
    });

    it('says soon that the server is away, and goes on by itself when it is back', async () => {
      const queue = bench.queue();
      const seen: number[] = [];
      bench.consume(async ({ value }) => void seen.push(value));
      await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'j-1' });
      await until(() => seen.length === 1, 'works before');
      await bench.link.cut();
      const startedMs = Date.now();
      await expect(queue.enqueue(job, { teamId, value: 2 }, { jobId: 'j-2' })).rejects.toThrow(
        QueueUnavailableError,
      );
      await expect(queue.ping()).rejects.toThrow(QueueUnavailableError);
      expect(Date.now() - startedMs).toBeLessThan(12_000);
      await sleep(2_000);
      await bench.link.mend();
      await until(() => works(queue.enqueue(job, { teamId, value: 3 }, { jobId: 'j-3' })), 'queue is back');
      await until(() => seen.includes(3), 'consumer is back');
      await queue.ping();
    });

    it('waits for a server that is not there yet', async () => {
      await bench.link.cut();
      const queue = bench.queue();
      const seen: number[] = [];
      bench.consume(async ({ value }) => void seen.push(value));
      await expect(queue.ping()).rejects.toThrow(QueueUnavailableError);
      await bench.link.mend();
      await until(() => works(queue.enqueue(job, { teamId, value: 1 }, { jobId: 'k-1' })), 'queue is there');
      await until(() => seen.length === 1, 'consumer is there');
    });

    it('closes cleanly: tells handlers, waits for them, takes nothing more', async () => {
      const queue = bench.queue();
      const events: string[] = [];
      const consumer = bench.consume(async (_payload, { signal }) => {
        events.push('started');
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        await sleep(100);
        events.push('handed back');
        throw new PostponeJobError(0, 'stopping');
      });
      await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'l-1' });
      await until(() => events.length === 1, 'started');
      await consumer.close(5_000);
      expect(events).toEqual(['started', 'handed back']);
      await queue.enqueue(job, { teamId, value: 2 }, { jobId: 'l-2' });
      await sleep(300);
      const { waiting, delayed, active } = await queue.depth(job);
      expect({ pending: waiting + delayed, active }).toEqual({ pending: 2, active: 0 });
    });

    it('does not wait for ever for a handler that will not end', async () => {
      const queue = bench.queue();
      let started = false;
      const consumer = bench.consume(() => {
        started = true;
        return new Promise<void>(() => {});
      });
      await queue.enqueue(job, { teamId, value: 1 }, { jobId: 'm-1' });
      await until(() => started, 'started');
      const startedMs = Date.now();
      await consumer.close(500);
      expect(Date.now() - startedMs).toBeLessThan(7_000);
    });
  });
}
