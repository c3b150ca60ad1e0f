import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStepTimes, takersOf } from '../builders/read-format';
import { CORPUS, withCorpus } from './corpus-folder';

const fileOf = (path: string) => readFileSync(join(CORPUS, 'public/train-log', path));

const readFile = async (path: string) => {
  const bytes = fileOf(path);
  expect(takersOf(bytes)).toHaveLength(1);
  return readStepTimes(bytes, path);
};

withCorpus(() => {
  test('Megatron-DeepSpeed: five iterations with what each line says', async () => {
    const { format, stepTimes, problems } = await readFile(
      'superbench-megatron-deepspeed/megatron_deepspeed.log',
    );
    expect(format).toBe('training-log');
    expect(stepTimes).toMatchObject({
      source: 'megatron',
      step: [1, 2, 3, 4, 5],
      stepsAveraged: [1, 1, 1, 1, 1],
    });
    expect(stepTimes.hostNs.map((ns) => ns / 1e6)).toEqual([76015.3, 75254, 75249.6, 75182.4, 74494.9]);
    expect(stepTimes.figures.deviceFlopPerSecond?.map((v) => v / 1e12)).toEqual([
      147.61, 149.1, 149.11, 149.24, 150.62,
    ]);
    expect(stepTimes.figures.samplesPerSecond).toEqual([26.942, 27.215, 27.216, 27.24, 27.492]);
    expect(stepTimes.figures.peakMemoryBytes?.[0]).toBe(68581.8095703125 * 2 ** 20);
    expect(problems.list()).toEqual([]);
  });

  test('modded-nanogpt: 5,100 steps whose mean is the step_avg of the log', async () => {
    const { stepTimes } = await readFile('moddednanogpt-101424/dabaaddd-237c-4ec9-939d-6608a9ed5e27.txt');
    expect(stepTimes).toMatchObject({ source: 'modded-nanogpt' });
    const sinceWarmUp = stepTimes.hostNs.filter((_, i) => stepTimes.step[i] > 11);
    expect(sinceWarmUp).toHaveLength(5100 - 11);
    const meanMs = sinceWarmUp.reduce((sum, ns) => sum + ns, 0) / sinceWarmUp.length / 1e6;
    expect(Math.abs(meanMs - 178.89)).toBeLessThan(0.05);
  });

  test.each([
    ['moddednanogpt-main-llmc/main.log', 'training-log', 'llm.c'],
    ['hf-trainer-state/trainer_state.json', 'trainer-state', 'huggingface'],
  ])('%s has no times of training steps, and that is said', async (path, format, source) => {
    const read = await readFile(path);
    expect(read.format).toBe(format);
    expect(read.stepTimes).toMatchObject({ source, step: [] });
    expect(read.problems.count('log-without-step-times')).toBe(1);
  });
});
