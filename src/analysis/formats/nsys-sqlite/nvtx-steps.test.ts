import { NsysExport } from '../../../../test/builders/nsys-export';
import { readText } from '../../../../test/builders/read-format';
import { parseNvtxText } from './nvtx-text';

/** Names of the ranges as read, in order of time, when they follow each other in steps of 10 ns. */
async function namesOf(texts: readonly string[], lengthNs = 9): Promise<string[]> {
  const file = new NsysExport().kernel('k', { start: 0, end: 1 });
  texts.forEach((text, i) => file.range(text, 10 * i, 10 * i + lengthNs));
  const { content } = await readText(file.bytes());
  if (content.kind !== 'timelines') throw new Error(content.kind);
  const [{ host, strings }] = content.timelines;
  return Array.from(host.nameId, (id) => strings.get(id));
}

test.each([
  [
    ['step 4', 'step 5'],
    [4, 5],
  ],
  [
    ['Step: 4', 'Step: 5'],
    [4, 5],
  ],
  [
    ['train_step_12', 'train_step_13'],
    [12, 13],
  ],
  [
    ['Iteration 7/500', 'Iteration 8/500'],
    [7, 8],
  ],
  [
    ['iter=7', 'iter=8'],
    [7, 8],
  ],
  [
    ['global_step[70]', 'global_step[71]'],
    [70, 71],
  ],
  [
    ['batch 1', 'batch 2'],
    [1, 2],
  ],
  [
    ['train_step', 'train_step', 'train_step'],
    [0, 1, 2],
  ],
  [
    ['iteration', 'iteration'],
    [0, 1],
  ],
])('%j mark steps', async (texts, numbers) => {
  expect(await namesOf(texts)).toEqual(numbers.map((number) => `ProfilerStep#${number}`));
});

test.each([[['epoch 1', 'epoch 2']], [['step 1 forward', 'step 1 backward']], [['stepper', 'batch_norm 3']]])(
  '%j mark none',
  async (texts) => {
    expect(await namesOf(texts)).toEqual(texts);
  },
);

test('the most telling word marks steps, and only it', async () => {
  expect(await namesOf(['batch 1', 'step 3', 'batch 2', 'step 4'])).toEqual([
    'batch 1',
    'ProfilerStep#3',
    'batch 2',
    'ProfilerStep#4',
  ]);
  expect(await namesOf(['ProfilerStep#8', 'step 3'])).toEqual(['ProfilerStep#8', 'step 3']);
});

test('ranges that overlap are no steps', async () => {
  expect(await namesOf(['step 3', 'step 4'], 15)).toEqual(['step 3', 'step 4']);
});

test.each([
  ['aten::mm', 'aten::mm', true, NaN, null],
  ['forward', 'forward', false, NaN, null],
  ['detach_, op_id = 993405', 'detach_', true, NaN, null],
  ['aten::to, seq = 48294, op_id = 7', 'aten::to', true, 48294, null],
  [
    'aten::mm, seq = 3, op_id = 7, sizes = [[2, 3], []], input_op_ids = [(1, 0)]',
    'aten::mm',
    true,
    3,
    '[[2, 3], []]',
  ],
  ['aten::t, op_id = 7, sizes = [[2, 3]]', 'aten::t', true, NaN, '[[2, 3]]'],
  ['Optimizer.step#AdamW.step, op_id = 9', 'Optimizer.step#AdamW.step', false, NaN, null],
  ['loss, seq = first', 'loss', true, NaN, null],
  ['a, sizes = [[2]', 'a', true, NaN, '[[2]'],
  ['a, sizes = cut', 'a', true, NaN, null],
])('%j is taken apart', (text, name, isOperator, sequence, shapes) => {
  const parsed = parseNvtxText(text);
  expect({ ...parsed, name: text.slice(0, parsed.nameEnd) }).toMatchObject({ name, isOperator, sequence });
  expect(parsed.shapes && text.slice(...parsed.shapes)).toBe(shapes);
});
