import { readStepTimes, readText, takersOf } from '../../../../test/builders/read-format';

const state = (log: unknown) => JSON.stringify({ epoch: 3, global_step: 500, log_history: log });

describe('trainer_state.json', () => {
  it('gives the mean step of a finished training', async () => {
    const text = state([
      { epoch: 1, loss: 1.5, step: 100 },
      { epoch: 3, step: 500, train_runtime: 250, train_samples_per_second: 16, train_steps_per_second: 2 },
    ]);
    expect(takersOf(text)).toEqual(['trainer-state']);
    const { stepTimes, problems } = await readStepTimes(text, 'trainer_state.json');
    expect(stepTimes).toMatchObject({
      source: 'huggingface',
      step: [500],
      stepsAveraged: [500],
      hostNs: [5e8],
    });
    expect(stepTimes.figures).toEqual({ samplesPerSecond: [16] });
    expect(problems.list()).toEqual([]);
  });

  it('takes nothing from entries that make no sense', async () => {
    const { stepTimes, problems } = await readStepTimes(
      state([
        null,
        7,
        { train_runtime: 'x', step: 5 },
        { train_runtime: 1e300, step: 0 },
        { train_runtime: -1, step: 4 },
      ]),
    );
    expect(stepTimes.step).toEqual([]);
    expect(problems.count('log-without-step-times')).toBe(1);
  });

  it.each([
    ['cut', state([{ step: 1 }]).slice(0, -4)],
    ['of another shape', state({ step: 1 })],
  ])('refuses a file that is %s', async (_, text) => {
    await expect(readText(text, 'trainer_state.json')).rejects.toMatchObject({ code: 'unreadable' });
  });
});
