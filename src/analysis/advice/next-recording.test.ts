import { annotation, collectives, GEMM, op } from '../../../test/builders/option-cases';
import { type TrainingRun, trainingRun } from '../../../test/builders/training-run';
import { nextRecordings } from './next-recording';
import { type RecordingStep } from './recording-schema';
import { gatherEvidence } from './trace-evidence';

const all = async (run: TrainingRun, ...formats: string[]): Promise<RecordingStep[]> =>
  nextRecordings({ evidence: gatherEvidence(await trainingRun(run)), formats: new Set(formats) });
const step = async (
  id: RecordingStep['id'],
  run: TrainingRun,
  ...formats: string[]
): Promise<RecordingStep> => {
  const found = (await all(run, ...formats)).find((s) => s.id === id);
  if (!found) throw new Error(`no step ${id}`);
  return found;
};

const whole = {
  ...{
    torch: '2.11',
    params: 1e6,
    batch_size: 4,
    peak_mem: 1e9,
    commit: 'abc',
    world_size: 1,
    cuda: '13.0',
    driver: '580',
  },
  ...{ loader: { num_workers: 4 }, layers: 2, hidden_size: 64 },
};

test('the six steps of the method, in their order', async () => {
  expect((await all({ step: [GEMM] })).map((s) => [s.step, s.id])).toEqual([
    [1, 'baseline'],
    [2, 'step-trace'],
    [3, 'data-and-cpu'],
    [4, 'communication'],
    [5, 'kernels'],
    [6, 'memory'],
  ]);
});

test('a bare trace lacks the baseline, and each missing thing has its command', async () => {
  const { state, have, missing, commands } = await step('baseline', { step: [GEMM] });
  expect(state).toBe('incomplete');
  expect(have).toEqual(['gpu']);
  expect(missing).toEqual(expect.arrayContaining(['parameters', 'commit', 'step-times']));
  expect(commands.map((c) => c.id)).toEqual(['write-metadata', 'record-step-times', 'monitor-gpu']);
});

test('a baseline is complete with metadata, step times and a monitor log', async () => {
  const run = { step: [GEMM], metadata: whole, stepTimesS: [1, 1, 1, 1] };
  expect(await step('baseline', run, 'dmon')).toMatchObject({ state: 'complete', missing: [], commands: [] });
  const unknownCommit = { ...run, metadata: { ...whole, commit: null } };
  expect((await step('baseline', unknownCommit, 'dmon')).missing).toEqual(['commit']);
});

test('three recorded steps are too few, because the first does not count', async () => {
  const { missing, commands } = await step('step-trace', { step: [GEMM] });
  expect(missing).toEqual(['counted-steps']);
  expect(commands).toEqual([{ id: 'record-trace', values: { activeSteps: 5 } }]);
});

test('Python functions come from with_stack or from a sampler', async () => {
  const loader = annotation('enumerate(DataLoader)#_It.__next__', 0, 5);
  const run = { step: [GEMM, loader], metadata: whole };
  expect(await step('data-and-cpu', run)).toMatchObject({
    missing: ['python-functions'],
    commands: [{ id: 'sample-python' }],
  });
  expect((await step('data-and-cpu', run, 'speedscope')).state).toBe('complete');
  const stacks = { ...run, step: [...run.step, { ...op('train.py(3): step', 0), cat: 'python_function' }] };
  expect((await step('data-and-cpu', stacks)).state).toBe('complete');
});

test('communication is not asked for on one GPU, and with all ranks on several', async () => {
  expect(await step('communication', { step: [GEMM], metadata: whole })).toMatchObject({
    state: 'not-needed',
    commands: [],
  });
  expect(await step('communication', { step: collectives('allreduce'), worldSize: 8 })).toMatchObject({
    state: 'incomplete',
    missing: expect.arrayContaining(['all-ranks', 'nccl-log']) as string[],
    commands: expect.arrayContaining([
      { id: 'record-all-ranks', values: { have: 1, worldSize: 8 } },
    ]) as object[],
  });
});

test.each([
  ['void at::native::layer_norm_kernel<float, std::array<char*, 3ul> >(int)', 'layer_norm_kernel'],
  ['evil_kernel; rm -rf / #', 'evil_kernel'],
  ['$(reboot)', 'reboot'],
  ['"`\'', null],
])('a kernel %j is looked for by plain letters only: %j', async (kernel, wanted) => {
  const { commands } = await step('kernels', { step: [op('aten::mm', 0, { kernel })] });
  expect(commands).toEqual([{ id: 'count-kernels', values: { kernel: wanted } }]);
});

test('memory: summary, timeline and the shape of the model', async () => {
  expect(await step('memory', { step: [GEMM], metadata: whole })).toMatchObject({ have: ['model-shape'] });
  expect(
    (await step('memory', { step: [GEMM], metadata: whole }, 'memory-summary', 'memory-snapshot')).state,
  ).toBe('complete');
});

test('without device activity the trace is what is missing', async () => {
  expect((await step('step-trace', { step: [op('aten::mm', 0)] })).missing).toContain('device-activity');
});
