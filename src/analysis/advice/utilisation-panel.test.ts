import { collectives, op } from '../../../test/builders/option-cases';
import { type TrainingRun, trainingRun } from '../../../test/builders/training-run';
import { smActivity } from './sm-activity';
import { utilisationPanel, type UtilisationInputs } from './utilisation-panel';

const kernel = (at: number, dur: number, blocks: number, more: object = {}) =>
  op('aten::mm', at, {
    ...{ kernel: 'sm90_xmma_gemm_bf16', kernelAt: at, kernelDur: dur },
    kernelArgs: { grid: [blocks, 1, 1], ...more },
  });
const panel = async (run: TrainingRun, inputs?: UtilisationInputs) =>
  utilisationPanel(await trainingRun(run), inputs);
const value = async (id: string, run: TrainingRun, inputs?: UtilisationInputs) =>
  (await panel(run, inputs)).figures.find((f) => f.id === id)?.value;

describe('GPU-Util', () => {
  it('counts any kernel, however small, and no copies', async () => {
    const run = { step: [kernel(0, 400, 1)] };
    expect(await value('gpu-util', run)).toBe(0.4);
    const { figures } = await panel(run);
    expect(figures.find((f) => f.id === 'gpu-util')?.source).toBe('measured');
  });

  it('counts a collective that only waits', async () => {
    const { note, figures } = await panel({
      step: collectives(
        'allreduce',
        'allreduce',
        'allreduce',
        'allreduce',
        'allreduce',
        'allreduce',
        'allreduce',
        'allreduce',
      ),
      worldSize: 2,
    });
    expect(figures[0].value).toBe(0.8);
    expect(note).toBe('waiting-counts-as-busy');
  });

  it('is modelled for the run without the profiler when its step times are there', async () => {
    const run = { step: [kernel(0, 400, 132)], stepTimesS: [1, 1, 0.0005, 0.0005, 0.0005, 0.0005] };
    expect(await value('gpu-util-unprofiled', run)).toBeCloseTo(0.8, 2);
    expect(await value('gpu-util-unprofiled', { step: run.step })).toBeNull();
  });
});

describe('SM activity', () => {
  it('weighs kernel time by the share of multiprocessors that have a block', async () => {
    expect(await value('sm-activity', { step: [kernel(0, 400, 66)] })).toBeCloseTo(0.2, 9);
    expect(await value('sm-activity', { step: [kernel(0, 400, 13_200)] })).toBeCloseTo(0.4, 9);
  });

  it('adds kernels that run at the same time, up to the whole device', async () => {
    const both = (blocks: number) => ({
      step: [kernel(0, 400, blocks), kernel(1, 399, blocks, { stream: 8 })],
    });
    expect(smActivity(await trainingRun(both(33)))).toEqual({
      ratio: expect.closeTo((0.25 + 0.5 * 399) / 400, 9) as number,
    });
    expect(smActivity(await trainingRun(both(132)))).toEqual({ ratio: 1 });
  });

  it('needs grids and the number of multiprocessors', async () => {
    const withoutGrid = { step: [kernel(0, 400, 132, { grid: undefined })] };
    expect(smActivity(await trainingRun(withoutGrid))).toEqual({
      reason: expect.stringContaining('grid') as string,
    });
    const unknown = { step: [kernel(0, 400, 132)], device: { id: 0, name: 'NVIDIA H200' } };
    expect(smActivity(await trainingRun(unknown))).toEqual({
      reason: expect.stringContaining('multiprocessors') as string,
    });
  });

  it('shows a device that looks busy and is not', async () => {
    expect((await panel({ step: [kernel(0, 1000, 2)] })).note).toBe('busy-with-idle-sms');
    expect((await panel({ step: [kernel(0, 1000, 132)] })).note).toBeNull();
  });
});

test('full memory beside a hungry device is named as no contradiction', async () => {
  const run = { step: [kernel(0, 300, 132)], metadata: { world_size: 1, batch_size: 1, peak_mem: 140e9 } };
  expect((await panel(run)).note).toBe('memory-full-device-hungry');
});

test('what others measure is taken as it is; without it the figure says what it needs', async () => {
  const power = { id: 'x', value: 0.9, unit: 'ratio', source: 'measured' } as const;
  const run = { step: [kernel(0, 300, 132)] };
  expect(await value('power', run, { powerRatio: power })).toBe(0.9);
  for (const { value: v, source, reason } of (await panel(run)).figures) {
    expect(source === 'notMeasurable').toBe(v === null);
    if (v === null) expect(reason).toMatch(/^needs /);
  }
});

test('a trace without a device measures nothing and does not break', async () => {
  const { figures, note } = await panel({ step: [op('aten::mm', 0)] });
  expect(figures.filter((f) => f.value !== null)).toEqual([]);
  expect(note).toBeNull();
});
