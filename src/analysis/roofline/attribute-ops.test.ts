import { hostEvent, kernelEvent, runtimeEvent } from '../../../test/builders/kineto-trace';
import { opEvent, rankOf, stepEvent } from '../../../test/builders/shaped-trace';
import { attributeOps } from './attribute-ops';

/** Kernels by name: the op that each belongs to, or why it belongs to none. */
async function owners(events: readonly string[]): Promise<Record<string, string>> {
  const rank = await rankOf(events);
  const { byKernel } = attributeOps(rank);
  const { device, strings } = rank.timeline;
  return Object.fromEntries(
    byKernel.map((work, i) => {
      const name = strings.get(device.nameId[i]);
      if (!work) return [name, 'none'];
      return [name, 'reason' in work ? `${work.reason} ${work.opName ?? ''}`.trim() : work.call.name];
    }),
  );
}

const launch = (ts: number, id: number, thread = 11): string =>
  runtimeEvent('cudaLaunchKernel', ts, 2, id, { tid: thread });
const matrix = [
  [64, 64],
  [64, 64],
];

test('a kernel belongs to the innermost op with a cost, not to ops inside that have none', async () => {
  const events = [
    opEvent('aten::linear', 0, 40, matrix),
    opEvent('aten::addmm', 10, 20, [[64], ...matrix]),
    opEvent('aten::some_check', 15, 10, matrix),
    launch(18, 1),
    kernelEvent('gemm', 100, 50, 1),
  ];
  expect(await owners(events)).toEqual({ gemm: 'aten::addmm' });
});

test('a composite counts once: its own kernels are part of the op inside that does the work', async () => {
  const events = [
    opEvent('aten::linear', 0, 60, matrix),
    launch(2, 1),
    opEvent('aten::addmm', 10, 20, [[64], ...matrix]),
    launch(12, 2),
    kernelEvent('prepare', 100, 10, 1),
    kernelEvent('gemm', 110, 50, 2),
  ];
  expect(await owners(events)).toEqual({ prepare: 'part-of-another-op aten::linear', gemm: 'aten::addmm' });
  const { ops } = attributeOps(await rankOf(events));
  expect(ops.map((op) => [op.call.name, op.cost.flop, op.durationNs])).toEqual([
    ['aten::addmm', 2 * 64 ** 3, 50_000],
  ]);
});

test('a composite whose work has no op of its own counts itself', async () => {
  const events = [opEvent('aten::linear', 0, 40, matrix), launch(5, 1), kernelEvent('gemm', 100, 50, 1)];
  expect(await owners(events)).toEqual({ gemm: 'aten::linear' });
});

test('a copy inside an op is its own, and leaves the op its work', async () => {
  const events = [
    opEvent('aten::bmm', 0, 60, [
      [2, 64, 64],
      [2, 64, 64],
    ]),
    opEvent('aten::copy_', 5, 20, [
      [2, 64, 64],
      [2, 64, 64],
    ]),
    launch(8, 1),
    launch(40, 2),
    kernelEvent('copy', 100, 10, 1),
    kernelEvent('gemm', 110, 50, 2),
  ];
  expect(await owners(events)).toEqual({ copy: 'aten::copy_', gemm: 'aten::bmm' });
});

test('an op with several kernels counts once', async () => {
  const events = [
    opEvent('aten::mm', 0, 40, matrix),
    launch(5, 1),
    launch(10, 2),
    kernelEvent('splitK', 100, 30, 1),
    kernelEvent('reduce', 130, 10, 2),
  ];
  const { ops } = attributeOps(await rankOf(events));
  expect(ops).toHaveLength(1);
  expect(ops[0].durationNs).toBe(40_000);
});

test('threads have ops of their own, even at one time', async () => {
  const events = [
    opEvent('aten::mm', 0, 100, matrix, { thread: 11 }),
    opEvent(
      'aten::bmm',
      10,
      50,
      [
        [1, 64, 64],
        [1, 64, 64],
      ],
      { thread: 12 },
    ),
    launch(20, 1, 11),
    launch(30, 2, 12),
    launch(70, 3, 12),
    kernelEvent('a', 200, 10, 1),
    kernelEvent('b', 210, 10, 2),
    kernelEvent('c', 220, 10, 3),
  ];
  expect(await owners(events)).toEqual({ a: 'aten::mm', b: 'aten::bmm', c: 'outside-ops' });
});

test('kernels without a model say why', async () => {
  const events = [
    opEvent('aten::topk', 0, 10, matrix),
    launch(2, 1),
    hostEvent('aten::mm', 20, 10),
    launch(22, 2),
    opEvent('aten::mm', 40, 10, [
      [64, 64],
      [63, 64],
    ]),
    launch(42, 3),
    opEvent('triton_poi_fused_add_0', 60, 10, matrix),
    launch(62, 4),
    hostEvent('Torch-Compiled Region: 0/0', 80, 30),
    runtimeEvent('cudaGraphLaunch', 82, 5, 5),
    kernelEvent('sort', 200, 10, 1),
    kernelEvent('no_shapes', 210, 10, 2),
    kernelEvent('odd_shapes', 220, 10, 3),
    kernelEvent('triton_poi_fused_add_0', 230, 10, 4),
    kernelEvent('replayed', 240, 10, 5),
    kernelEvent('replayed_too', 250, 10, 5),
    kernelEvent('orphan', 260, 10, 6),
  ];
  expect(await owners(events)).toEqual({
    sort: 'op-not-modelled aten::topk',
    no_shapes: 'no-shapes aten::mm',
    odd_shapes: 'inputs-not-modelled aten::mm',
    triton_poi_fused_add_0: 'compiled triton_poi_fused_add_0',
    replayed: 'graph-replay Torch-Compiled Region: 0/0',
    replayed_too: 'graph-replay Torch-Compiled Region: 0/0',
    orphan: 'launch-not-recorded',
  });
});

test('a graph replay inside a costed op stays without a model', async () => {
  const events = [
    opEvent('aten::mm', 0, 20, matrix),
    runtimeEvent('hipGraphLaunch', 5, 5, 1),
    kernelEvent('replayed', 100, 10, 1),
  ];
  expect(await owners(events)).toEqual({ replayed: 'graph-replay aten::mm' });
});

test('collectives and copies are no compute kernels', async () => {
  const events = [
    opEvent('aten::copy_', 0, 20, matrix),
    launch(5, 1),
    launch(8, 2),
    kernelEvent('ncclDevKernel_AllReduce', 100, 10, 1),
    kernelEvent('Memcpy DtoD (Device -> Device)', 110, 10, 2, { cat: 'gpu_memcpy' }),
  ];
  expect(await owners(events)).toEqual({
    ncclDevKernel_AllReduce: 'none',
    'Memcpy DtoD (Device -> Device)': 'none',
  });
});

test('products of 32-bit operands are TF32 when a tensor core kernel ran them', async () => {
  const run = async (kernel: string, types: string): Promise<string | null> => {
    const events = [
      opEvent('aten::mm', 0, 20, matrix, { types }),
      launch(5, 1),
      kernelEvent(kernel, 100, 10, 1),
    ];
    return attributeOps(await rankOf(events)).ops[0].cost.dtype;
  };
  expect(await run('cutlass_80_tensorop_s1688gemm_128x128', 'float')).toBe('tf32');
  expect(await run('sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_ffma', 'float')).toBe('fp32');
  expect(await run('Cijk_Ailk_Bljk_SB_MT128x128x16_MI32x32x2', 'float')).toBe('fp32');
  expect(await run('Cijk_Ailk_Bljk_S_MX_B_MT128x128x16_MI32x32x4', 'float')).toBe('tf32');
  expect(await run('nvjet_tst_128x256', 'c10::BFloat16')).toBe('bf16');
});

test('a forward op inside a backward node is recompute', async () => {
  const events = [
    opEvent('aten::mm', 0, 10, matrix, { sequence: 1 }),
    launch(2, 1),
    hostEvent('autograd::engine::evaluate_function: CheckpointBackward', 100, 100),
    opEvent('aten::mm', 110, 10, matrix, { sequence: 2 }),
    launch(112, 2),
    opEvent('aten::mm', 150, 10, matrix),
    launch(152, 3),
    kernelEvent('forward', 20, 10, 1),
    kernelEvent('again', 120, 10, 2),
    kernelEvent('backward', 160, 10, 3),
  ];
  const { ops } = attributeOps(await rankOf(events));
  expect(ops.map((op) => op.isRecompute)).toEqual([false, true, false]);
});

describe('lists of tensors', () => {
  const adam =
    'multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata<4>, FusedAdamMathFunctor<float, 4>>';
  const gradient = (ts: number, shape: number[]): string =>
    opEvent('torch::autograd::AccumulateGrad', ts, 1, [shape]);
  // 300 × 1000 elements take 5 blocks of 65,536; a vector of 1000 takes one.
  const gradients = [gradient(10, [300, 1000]), gradient(12, [1000])];
  const fused = (shapes: unknown): string[] => [
    opEvent('aten::_fused_adamw_', 40, 20, new Array<unknown>(4).fill(shapes), {
      types: new Array<string>(4).fill('TensorList'),
    }),
    launch(45, 1),
  ];
  const step = stepEvent(3, 0, 100);
  const kernel = (blocks: number): string =>
    kernelEvent(adam, 200, 50, 1, { args: { device: 0, stream: 7, correlation: 1, grid: [blocks, 1, 1] } });

  test('shapes that are there are used, with the type that the kernel names', async () => {
    const { ops } = attributeOps(await rankOf([step, ...fused([[8, 8], [8]]), kernel(2)]));
    expect(ops[0].cost).toMatchObject({ dtype: 'fp32', leastBytes: 7 * 4 * 72 });
  });

  test('a list that was cut is the parameters when the grid proves it', async () => {
    const { ops, parameterCount } = attributeOps(await rankOf([step, ...gradients, ...fused([]), kernel(6)]));
    expect(parameterCount).toBe(301_000);
    expect(ops[0].cost.leastBytes).toBe(7 * 4 * 301_000);
  });

  test('optimizers with a group of vectors and one of matrices are recognised', async () => {
    const { ops } = attributeOps(await rankOf([step, ...gradients, ...fused([]), kernel(1)]));
    expect(ops[0].cost.leastBytes).toBe(7 * 4 * 1000);
  });

  test('gradient accumulation does not make more parameters', async () => {
    const twice = [...gradients, gradient(20, [300, 1000]), gradient(22, [1000])];
    expect(attributeOps(await rankOf([step, ...twice, ...fused([]), kernel(6)])).parameterCount).toBe(
      301_000,
    );
  });

  test('any other grid proves nothing', async () => {
    expect(await owners([step, ...gradients, ...fused([]), kernel(7)])).toEqual({
      [adam]: 'inputs-not-modelled aten::_fused_adamw_',
    });
  });
});

test('the size of a convolution without stride follows from its gradient', async () => {
  const [x, w, y] = [
    [2, 3, 32, 32],
    [8, 3, 3, 3],
    [2, 8, 30, 30],
  ];
  const forward = [
    opEvent('aten::cudnn_convolution', 0, 10, [x, w]),
    launch(2, 1),
    kernelEvent('conv', 100, 10, 1),
  ];
  const backward = [opEvent('aten::convolution_backward', 20, 10, [y, x, w])];
  expect(await owners(forward)).toEqual({ conv: 'inputs-not-modelled aten::cudnn_convolution' });
  const { ops } = attributeOps(await rankOf([...forward, ...backward]));
  expect(ops[0].cost.flop).toBe(2 * 2 * 8 * 900 * 27);
  const otherStride = opEvent('aten::convolution_backward', 40, 10, [[2, 8, 15, 15], x, w]);
  expect(await owners([...forward, ...backward, otherStride])).toEqual({
    conv: 'inputs-not-modelled aten::cudnn_convolution',
  });
});

test('hostile nesting and shapes cost neither time nor the run', async () => {
  const depth = 4_000;
  const nested = Array.from({ length: depth }, (_, i) => opEvent('aten::mm', i, 2 * (depth - i), matrix));
  const launches = Array.from({ length: depth }, (_, i) => launch(i + 0.5, i + 1));
  const kernels = [kernelEvent('gemm', 3 * depth, 10, depth)];
  const hostile = opEvent('aten::mm', 4 * depth, 5, [[-1, 1e300], ['x']]);
  const { ops } = attributeOps(await rankOf([...nested, ...launches, ...kernels, hostile]));
  expect(ops).toHaveLength(1);
});
