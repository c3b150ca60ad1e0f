import { knownCost, costOfCall } from '../../../../test/builders/op-cost';

const fp32 = { types: 'float' };
const rows = [32, 1024];
const n = 32 * 1024;

describe('norms', () => {
  test('forward: input, parameters, output', () => {
    const cost = knownCost('aten::native_layer_norm', [rows, null, [1024], [1024], null], fp32);
    expect(cost).toMatchObject({
      flop: 7 * n,
      leastBytes: 4 * (2 * n + 2048),
      flopKind: 'vector',
      dtype: 'fp32',
    });
  });

  test('backward: gradient and input read, gradient written', () => {
    const shapes = [rows, rows, null, [32, 1], [32, 1], [1024], [1024], null];
    const cost = knownCost('aten::native_layer_norm_backward', shapes, fp32);
    expect(cost).toMatchObject({ flop: 13 * n, leastBytes: 4 * (3 * n + 2 * 1024) });
  });

  test('batch norm of cuDNN has input and gradient the other way round', () => {
    const shapes = [[8, 4, 6, 6], [8, 4, 6, 6], [4], [4], [4], [4], [4], null, [0]];
    const types = [
      'c10::BFloat16',
      'float',
      'float',
      'float',
      'float',
      'float',
      'float',
      'Scalar',
      'unsigned char',
    ];
    const cost = knownCost('aten::cudnn_batch_norm_backward', shapes, { types });
    expect(cost.leastBytes).toBe(1152 * (2 + 2 * 2) + 1152 * 2 + 2 * 16);
  });

  test('a gradient of another size is none', () => {
    expect(
      costOfCall('aten::native_layer_norm_backward', [[4], rows, null, [32, 1], [32, 1], [1024]]),
    ).toBeNull();
  });
});

describe('softmax and cross-entropy', () => {
  test('forward and backward', () => {
    expect(knownCost('aten::_softmax', [rows, null, null])).toMatchObject({ flop: 5 * n, leastBytes: 4 * n });
    expect(knownCost('aten::_log_softmax_backward_data', [rows, rows, null, null])).toMatchObject({
      flop: 4 * n,
      leastBytes: 6 * n,
    });
  });

  test('the result may be wider than the input', () => {
    expect(knownCost('aten::_softmax', [rows, null, null], { values: { 2: 'True' } }).leastBytes).toBe(
      n * (2 + 4),
    );
  });

  test('the loss reads one value of each row', () => {
    const types = ['float', 'long int', '', 'Scalar', 'Scalar'];
    const cost = knownCost('aten::nll_loss_forward', [[32, 1024], [32], null, null, null], { types });
    expect(cost.leastBytes).toBe(32 * (8 + 4));
    const backward = knownCost('aten::nll_loss_backward', [[], [32, 1024], [32]], {
      types: ['float', 'float', 'long int'],
    });
    expect(backward.leastBytes).toBe(32 * (8 + 4));
  });
});

describe('elementwise', () => {
  test('operands at their own size, the result at the broadcast one and in the wider type', () => {
    const cost = knownCost('aten::add', [[32, 1024], [1024], null], {
      types: ['c10::BFloat16', 'float', 'Scalar'],
    });
    expect(cost).toMatchObject({ flop: n, leastBytes: n * 2 + 1024 * 4 + n * 4, dtype: 'fp32' });
  });

  test('in place the first operand is the result', () => {
    const cost = knownCost('aten::add_', [rows, rows, null], { types: ['float', 'c10::BFloat16', 'Scalar'] });
    expect(cost.leastBytes).toBe(n * (4 + 2 + 4));
  });

  test('numbers are nothing to read, and an output that is given is written once', () => {
    expect(knownCost('aten::mul', [rows, null], fp32).leastBytes).toBe(8 * n);
    const given = knownCost('aten::mul', [[1024], [], [1024]], { types: ['float', 'double', 'float'] });
    expect(given.leastBytes).toBe(1024 * 4 + 8 + 1024 * 4);
    expect(given.dtype).toBe('fp32');
  });

  test('comparisons write bytes, dropout a mask, fills read nothing', () => {
    expect(knownCost('aten::eq', [rows, rows], fp32).leastBytes).toBe(n * (4 + 4 + 1));
    expect(knownCost('aten::native_dropout', [rows, null, null], fp32).leastBytes).toBe(n * (4 + 4 + 1));
    expect(knownCost('aten::fill_', [rows, null], fp32)).toMatchObject({ flop: 0, leastBytes: 4 * n });
  });

  test('masked_fill_ reads a mask that is broadcast', () => {
    const types = ['float', 'bool', 'Scalar'];
    const cost = knownCost('aten::masked_fill_', [[8, 16, 64, 64], [64, 64], null], { types });
    expect(cost.leastBytes).toBe(8 * 16 * 4096 * (4 + 4) + 4096);
  });

  test('shapes that do not fit have no cost', () => {
    expect(costOfCall('aten::add', [[3], [4], null])).toBeNull();
    expect(costOfCall('aten::add', [null, null, null])).toBeNull();
  });
});

describe('reductions, look-ups and copies', () => {
  test('a reduction reads its input; the size of its output is open', () => {
    const cost = knownCost('aten::sum', [rows, null, null, null]);
    expect(cost).toMatchObject({ flop: n, leastBytes: 2 * n + 2, notes: ['bytes-lower-bound'] });
    expect(knownCost('aten::sum', [rows, null, null, null, [32]])).toMatchObject({
      leastBytes: 2 * n + 64,
      notes: [],
    });
    expect(knownCost('aten::cumsum', [rows, null, null]).leastBytes).toBe(4 * n);
    expect(knownCost('aten::max', [rows, rows]).leastBytes).toBe(6 * n);
  });

  test('an embedding reads each row at most once', () => {
    const types = ['float', 'long int'];
    const few = knownCost('aten::embedding', [[50_000, 64], [16]], { types });
    expect(few.leastBytes).toBe(16 * 8 + 2 * 16 * 64 * 4);
    const many = knownCost('aten::embedding', [[10, 64], [1000]], { types });
    expect(many.leastBytes).toBe(1000 * 8 + 10 * 64 * 4 + 1000 * 64 * 4);
    const backward = knownCost('aten::embedding_dense_backward', [[1000, 64], [1000]], { types });
    expect(backward).toMatchObject({ leastBytes: 1000 * (64 * 4 + 8), notes: ['bytes-lower-bound'] });
  });

  test('index_select knows along which dimension', () => {
    const types = ['float', 'Scalar', 'long int'];
    const cost = knownCost('aten::index_select', [[8, 100], null, [5]], { types, values: { 1: '1' } });
    expect(cost.leastBytes).toBe(5 * 8 + 2 * 5 * 8 * 4);
    const gather = knownCost('aten::gather', [[8, 100], null, [8, 5]], { types });
    expect(gather.leastBytes).toBe(2 * 40 * 4);
  });

  test('a cast reads one type and writes the other; a concatenation moves every part', () => {
    expect(
      knownCost('aten::copy_', [rows, rows, null], { types: ['c10::BFloat16', 'float', 'Scalar'] }),
    ).toMatchObject({
      flop: 0,
      leastBytes: 6 * n,
      dtype: 'bf16',
    });
    const parts = [
      [
        [4, 8],
        [6, 8],
      ],
      null,
    ];
    expect(knownCost('aten::cat', parts, { listType: { dtype: null, bytes: 2 } })).toMatchObject({
      leastBytes: 2 * 2 * 80,
      dtype: null,
    });
    expect(costOfCall('aten::cat', parts)).toBeNull();
  });
});

describe('optimizers', () => {
  const listType = { dtype: 'fp32', bytes: 4 } as const;
  const parameters = [[10, 10], [20]];

  test('fused Adam moves seven values of each parameter', () => {
    const shapes = [...new Array<number[][]>(4).fill(parameters), null];
    const cost = knownCost('aten::_fused_adamw_', shapes, { listType });
    expect(cost).toMatchObject({ flop: 14 * 120, leastBytes: 7 * 4 * 120, flopKind: 'vector' });
  });

  test('fused SGD has a momentum when the call says so', () => {
    const shapes = [parameters, parameters, parameters, null, null];
    expect(knownCost('aten::_fused_sgd_', shapes, { listType }).leastBytes).toBe(3 * 4 * 120);
    expect(knownCost('aten::_fused_sgd_', shapes, { listType, values: { 4: '0.9' } }).leastBytes).toBe(
      5 * 4 * 120,
    );
  });

  test('foreach ops read every list and write the first', () => {
    expect(knownCost('aten::_foreach_mul_', [parameters, null], { listType }).leastBytes).toBe(2 * 4 * 120);
    expect(knownCost('aten::_foreach_lerp_', [parameters, parameters, null], { listType }).leastBytes).toBe(
      3 * 4 * 120,
    );
    expect(knownCost('aten::_foreach_copy_', [parameters, parameters], { listType })).toMatchObject({
      flop: 0,
      leastBytes: 2 * 4 * 120,
    });
  });

  test('the two factors of addcmul may be one list', () => {
    const shapes = [parameters, parameters, parameters, null];
    expect(knownCost('aten::_foreach_addcmul_', shapes, { listType }).leastBytes).toBe(3 * 4 * 120);
  });
});
