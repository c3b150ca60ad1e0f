import { setTimeout as sleep } from 'node:timers/promises';
import { ChoreRunner } from './chore-runner';

const chore = (name: string, pass: (signal: AbortSignal) => Promise<unknown>) => ({
  name,
  intervalS: 0.005,
  pass,
});

describe('ChoreRunner', () => {
  it('passes again and again, whatever another chore does', async () => {
    const runner = new ChoreRunner();
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
    const runner = new ChoreRunner();
    runner.start(chore('one', async () => undefined));
    expect(() => runner.start(chore('one', async () => undefined))).toThrow('two chores named one');
    await runner.onApplicationShutdown();
  });
});
