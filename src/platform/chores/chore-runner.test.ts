import { setTimeout as sleep } from 'node:timers/promises';
import { type Database } from '../database';
import { ChoreRunner } from './chore-runner';

/** Another process has the lock of the chore named taken. */
const database = {
  exclusively: async <T>(name: string, work: () => Promise<T>) =>
    name.endsWith(':taken') ? undefined : work(),
} as Database;

const chore = (name: string, pass: (signal: AbortSignal) => Promise<unknown>) => ({
  name,
  intervalS: 0.005,
  isExclusive: false,
  pass,
});

describe('ChoreRunner', () => {
  it('passes again and again, whatever another chore does', async () => {
    const runner = new ChoreRunner(database);
    let passes = 0;
    let failures = 0;
    runner.start(chore('fine', async () => passes++));
    runner.start(
      chore('broken', async () => {
        failures++;
        throw new Error('on purpose');
      }),
    );
    runner.start(chore('hanging', (signal) => new Promise((resolve) => (signal.onabort = resolve))));
    while (passes < 3 || failures < 3) await sleep(5);
    const health = new Map(runner.health().map((one) => [one.name, one]));
    expect(health.get('fine')?.succeededAtMs).toBeDefined();
    expect(health.get('broken')?.succeededAtMs).toBeUndefined();
    expect(health.get('hanging')?.runningSinceMs).toBeDefined();
    await runner.onApplicationShutdown();
    const after = passes;
    await sleep(30);
    expect(passes).toBe(after);
  });

  it('refuses two chores of one name', async () => {
    const runner = new ChoreRunner(database);
    runner.start(chore('one', async () => undefined));
    expect(() => runner.start(chore('one', async () => undefined))).toThrow('two chores named one');
    await runner.onApplicationShutdown();
  });

  it('does exclusive chores two at a time, each in its turn, and none that another process is at', async () => {
    const runner = new ChoreRunner(database);
    const passes = new Map<string, number>();
    let atOnce = 0;
    let most = 0;
    for (const name of ['a', 'b', 'c', 'd', 'taken']) {
      const pass = async () => {
        passes.set(name, (passes.get(name) ?? 0) + 1);
        most = Math.max(most, ++atOnce);
        await sleep(5);
        atOnce--;
        if (name === 'b') throw new Error('on purpose');
      };
      runner.start({ ...chore(name, pass), isExclusive: true });
    }
    while (['a', 'b', 'c', 'd'].some((name) => (passes.get(name) ?? 0) < 3)) await sleep(5);
    expect(most).toBe(2);
    expect(passes.has('taken')).toBe(false);
    await runner.onApplicationShutdown();
  });
});
