import { Turnstile } from './turnstile';

const full = () => new Error('full');

/** Work that ends when it is told to. */
function openWork() {
  const ends: (() => void)[] = [];
  let most = 0;
  return {
    run: () =>
      new Promise<void>((resolve) => {
        ends.push(resolve);
        most = Math.max(most, ends.length);
      }),
    endOne: () => ends.shift()?.(),
    running: () => ends.length,
    most: () => most,
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('Turnstile', () => {
  it('lets two through, keeps three waiting, refuses the others, and never runs more', async () => {
    const turnstile = new Turnstile(2, 3);
    const work = openWork();
    const outcomes = Array.from({ length: 8 }, () => turnstile.pass(work.run, full));
    const refused = outcomes.slice(5).map((one) => one.catch((error: Error) => error.message));
    expect(await Promise.all(refused)).toEqual(['full', 'full', 'full']);
    for (let ended = 0; ended < 5; ended++) {
      await settle();
      expect(work.running()).toBe(Math.min(2, 5 - ended));
      work.endOne();
    }
    await Promise.all(outcomes.slice(0, 5));
    expect(work.most()).toBe(2);
  });

  it('hands its place on when work fails', async () => {
    const turnstile = new Turnstile(1, 1);
    const failing = turnstile.pass(() => Promise.reject(new Error('broken')), full);
    const next = turnstile.pass(async () => 'done', full);
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
    expect(await turnstile.pass(async () => 'again', full)).toBe('again');
  });
});
