import { totalNs } from '../timeline/intervals';
import {
  hostEvent,
  kernelEvent,
  readTrace,
  runtimeEvent,
  traceOf,
} from '../../../test/builders/kineto-trace';
import { computeDeviceActivity } from './device-activity';
import { findRecompute } from './recompute';

async function recomputeNs(events: string[]): Promise<number> {
  const { timeline } = await readTrace(traceOf(events));
  const activity = computeDeviceActivity(timeline);
  return activity ? totalNs(findRecompute(timeline, activity)) : NaN;
}

const node = hostEvent('autograd::engine::evaluate_function: AddmmBackward0', 100, 100, {
  args: { 'Sequence number': 7, 'Fwd thread id': 1 },
});
const repeated = hostEvent('aten::addmm', 110, 20, { args: { 'Sequence number': 90, 'Fwd thread id': 0 } });
const ordinary = hostEvent('aten::mm', 150, 20);

test('a forward operator inside a backward node is computed a second time', async () => {
  const launches = [runtimeEvent('cudaLaunchKernel', 115, 2, 1), runtimeEvent('cudaLaunchKernel', 155, 2, 2)];
  const kernels = [kernelEvent('gemm_again', 200, 30, 1), kernelEvent('gemm_backward', 230, 50, 2)];
  expect(await recomputeNs([node, repeated, ordinary, ...launches, ...kernels])).toBe(30_000);
});

test('the same operator in the forward pass is not', async () => {
  const forward = hostEvent('aten::addmm', 10, 20, { args: { 'Sequence number': 6, 'Fwd thread id': 0 } });
  expect(
    await recomputeNs([forward, runtimeEvent('cudaLaunchKernel', 15, 2, 1), kernelEvent('gemm', 40, 30, 1)]),
  ).toBe(0);
});

test('the backward node of a user-defined function is not a repeated forward pass', async () => {
  const custom = [
    hostEvent('autograd::engine::evaluate_function: torch::autograd::CppNode<Fused>', 100, 50, {
      args: { 'Sequence number': 3 },
    }),
    hostEvent('torch::autograd::CppNode<Fused>', 105, 40, { args: { 'Sequence number': 3 } }),
  ];
  expect(
    await recomputeNs([
      ...custom,
      runtimeEvent('cudaLaunchKernel', 110, 2, 1),
      kernelEvent('fused_backward', 120, 30, 1),
    ]),
  ).toBe(0);
});
