import { Logger } from '@nestjs/common';
import { type ChoreHealth } from '../src/platform/chores';
import { type ConsumerHealth } from '../src/platform/queue';
import { WorkerHealth } from './worker-health';

const GRACE_S = 10;
const startMs = 1_000_000;

/** A worker whose parts the test sets, looked at once a second. */
function observed() {
  const state = {
    consumer: { job: 'j', concurrency: 2, runningSinceMs: [], taken: 0 } as ConsumerHealth,
    chore: {
      name: 'c',
      intervalS: 5,
      succeededAtMs: undefined,
      runningSinceMs: undefined,
    } as ChoreHealth,
    waiting: 0,
    missing: [] as string[],
    nowMs: startMs,
  };
  const health = new WorkerHealth(
    {
      consumers: () => [state.consumer],
      chores: () => [state.chore],
      waiting: async () => {
        if (state.waiting < 0) throw new Error('the queue is away');
        return state.waiting;
      },
      longestS: () => 60,
      missingServers: async () => state.missing,
    },
    GRACE_S,
  );
  /** Lets time pass; what is stuck at its end. */
  const pass = async (seconds: number, each: () => void = () => undefined): Promise<string[]> => {
    for (let i = 0; i < seconds; i++) {
      state.nowMs += 1_000;
      each();
      await health.look(state.nowMs);
    }
    return health.stuck(state.nowMs);
  };
  return { state, pass };
}

beforeAll(() => void Logger.overrideLogger(false));

describe('a worker is stuck when', () => {
  it('a handler is at work for longer than it may be, and the grace is over', async () => {
    const { state, pass } = observed();
    state.consumer = { ...state.consumer, runningSinceMs: [startMs] };
    expect(await pass(65)).toEqual([]);
    expect(await pass(10)).toEqual(['a handler of j is at work for longer than it may be']);
    state.consumer = { ...state.consumer, runningSinceMs: [] };
    expect(await pass(1)).toEqual([]);
  });

  it('jobs wait, it has room, and it takes none', async () => {
    const { state, pass } = observed();
    state.waiting = 3;
    expect(await pass(13)).toEqual(['no jobs of j are taken, and some wait']);
    state.consumer = { ...state.consumer, taken: 1 };
    expect(await pass(1)).toEqual([]);
  });

  it('a pass of a chore hangs, also the first', async () => {
    const { state, pass } = observed();
    state.chore = { ...state.chore, runningSinceMs: startMs };
    expect(await pass(20)).toEqual([]);
    expect(await pass(10)).toEqual(['the chore c does not come to an end']);
  });

  it('a chore that went well here no longer does', async () => {
    const { state, pass } = observed();
    state.chore = { ...state.chore, succeededAtMs: startMs };
    expect(await pass(30)).toEqual(['the chore c does not come to an end']);
  });
});

describe('a worker is not stuck when', () => {
  it.each([
    ['it takes jobs, however many wait', { waiting: 1000 }, true],
    ['nothing waits', { waiting: 0 }, false],
    ['the queue does not answer', { waiting: -1 }, false],
  ])('%s', async (_what, given, takes) => {
    const { state, pass } = observed();
    Object.assign(state, given);
    const take = () => {
      if (takes) state.consumer = { ...state.consumer, taken: state.consumer.taken + 1 };
    };
    expect(await pass(60, take)).toEqual([]);
  });

  it('it is full', async () => {
    const { state, pass } = observed();
    state.waiting = 5;
    expect(
      await pass(50, () => {
        state.consumer = { ...state.consumer, runningSinceMs: [state.nowMs - 1, state.nowMs - 2] };
      }),
    ).toEqual([]);
  });

  it('a server is away, and not at once when it is back', async () => {
    const { state, pass } = observed();
    state.consumer = { ...state.consumer, runningSinceMs: [startMs] };
    state.missing = ['database'];
    expect(await pass(600)).toEqual([]);
    state.missing = [];
    expect(await pass(9)).toEqual([]);
  });

  it('a chore never went well here: that is for the alerts', async () => {
    const { pass } = observed();
    expect(await pass(600)).toEqual([]);
  });
});
