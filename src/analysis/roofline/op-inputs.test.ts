import fc from 'fast-check';
import { OpInputs } from './op-inputs';

const parse = (dims: string, types: string, values = ''): OpInputs => {
  const inputs = OpInputs.parse(dims, types, values);
  if (!inputs) throw new Error(`not readable: ${dims}`);
  return inputs;
};

test('tensors, numbers of Python, and tensors without dimensions are told apart', () => {
  const inputs = parse('[[4, 1024], [], [], []]', '["c10::BFloat16", "Scalar", "float", ""]');
  expect(inputs.tensor(0)).toEqual({
    dims: [4, 1024],
    elements: 4096,
    dtype: 'bf16',
    elementBytes: 2,
    bytes: 8192,
  });
  expect(inputs.tensor(1)).toBeNull();
  expect(inputs.tensor(2)).toMatchObject({ elements: 1, bytes: 4 });
  expect(inputs.tensor(3)).toBeNull();
  expect(inputs.tensors(1)).toHaveLength(1);
});

test('the names that 2021 gave to numbers of Python are no tensor types', () => {
  const inputs = parse('[[8], [], []]', '["float", "Int", "Double"]');
  expect(inputs.tensors()).toHaveLength(1);
});

test('lists have sizes of their own, and their type comes from elsewhere', () => {
  const inputs = parse('[[[2, 3], [4]], []]', '["TensorList", "Scalar"]');
  expect(inputs.hasLists).toBe(true);
  expect(inputs.hasCutLists).toBe(false);
  expect(inputs.list(0)).toBeNull();
  const typed = inputs.withLists({ dtype: 'fp16', bytes: 2 });
  expect(typed.list(0)?.map((t) => t.bytes)).toEqual([12, 8]);
});

test('a list without shapes was cut, and takes those that are proven otherwise', () => {
  const inputs = parse('[[], []]', '["TensorList", "Scalar"]');
  expect(inputs.hasCutLists).toBe(true);
  expect(inputs.withLists({ dtype: 'fp32', bytes: 4 }).list(0)).toBeNull();
  expect(
    inputs
      .withLists({ dtype: 'fp32', bytes: 4 }, [[5]])
      .list(0)
      ?.map((t) => t.bytes),
  ).toEqual([20]);
});

test('values are read where they are recorded', () => {
  const inputs = parse('[[1], [], [], []]', '["float", "", "", ""]', '["", "True", "[2, 3]", "0.5"]');
  expect(inputs.flag(1)).toBe(true);
  expect(inputs.integers(2)).toEqual([2, 3]);
  expect(inputs.number(3)).toBe(0.5);
  expect([inputs.flag(0), inputs.number(0), inputs.integers(9)]).toEqual([null, null, null]);
  expect(parse('[[1]]', '["float"]').flag(0)).toBeNull();
});

test.each([
  ['no JSON', '[[4, 1024', '["float"]'],
  ['no array', '{"a": 1}', '["float"]'],
  ['types that are no array', '[[4]]', '"float"'],
  ['negative sizes', '[[-1, 4]]', '["float"]'],
  ['fractions', '[[1.5]]', '["float"]'],
  ['words', '[["4"]]', '["float"]'],
  ['numbers without a shape', '[4]', '["float"]'],
  ['more than any device holds', '[[1000000000, 1000000000]]', '["float"]'],
  ['more than doubles hold', '[[1e400]]', '["float"]'],
  ['shapes in shapes in shapes', '[[[[4]]]]', '["float"]'],
  ['too many dimensions', `[[${new Array(65).fill(1).join()}]]`, '["float"]'],
  ['too many arguments', `[${new Array(257).fill('[]').join()}]`, '[]'],
  ['too long a text', `[[${' '.repeat(1 << 17)}1]]`, '["float"]'],
  ['deep nesting', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, '[]'],
])('%s are no inputs', (_, dims, types) => {
  expect(OpInputs.parse(dims, types)).toBeNull();
});

test('no text makes it throw, and what it accepts is finite and not negative', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(fc.array(fc.double())).map((v) => JSON.stringify(v)),
    fc.array(fc.array(fc.array(fc.integer()))).map((v) => JSON.stringify(v)),
  );
  fc.assert(
    fc.property(texts, texts, texts, (dims, types, values) => {
      const inputs = OpInputs.parse(dims, types, values)?.withLists({ dtype: null, bytes: 2 });
      for (const tensor of inputs?.tensors() ?? []) {
        expect(tensor.bytes).toBeGreaterThanOrEqual(0);
        expect(tensor.bytes).toBeLessThan(Infinity);
      }
      for (const index of inputs?.listIndices() ?? []) inputs?.list(index);
      for (let i = 0; i < 4; i++) expect(inputs?.integers(i) ?? []).toBeInstanceOf(Array);
    }),
  );
});
