import { mayMove, RUN_STATES, RUN_TRANSITIONS, type RunState, type RunTransition } from './run-state';

const transitions = Object.keys(RUN_TRANSITIONS) as RunTransition[];
const next = (state: RunState) =>
  transitions
    .filter((transition) => mayMove(state, transition))
    .map((t) => RUN_TRANSITIONS[t].to as RunState);

describe('run states', () => {
  it('allows exactly these changes', () => {
    const allowed = Object.fromEntries(RUN_STATES.map((state) => [state, [...new Set(next(state))].sort()]));
    expect(allowed).toEqual({
      awaitingUpload: ['failed', 'queued'],
      queued: ['analyzing', 'failed'],
      analyzing: ['analyzing', 'done', 'failed', 'queued'],
      done: ['queued'],
      failed: ['queued'],
    });
  });

  it('lets every state be reached and left', () => {
    const reached = new Set<RunState>(['awaitingUpload']);
    for (let grew = true; grew;) {
      const before = reached.size;
      for (const state of [...reached]) next(state).forEach((s) => reached.add(s));
      grew = reached.size > before;
    }
    expect([...reached].sort()).toEqual([...RUN_STATES].sort());
    expect(RUN_STATES.filter((state) => next(state).length === 0)).toEqual([]);
  });

  it('analyses a run again only when it is over', () => {
    expect(RUN_STATES.filter((state) => mayMove(state, 'requeue'))).toEqual(['done', 'failed']);
  });

  it('never finishes a run that nobody analyses', () => {
    expect(RUN_STATES.filter((state) => mayMove(state, 'finish'))).toEqual(['analyzing']);
  });
});
