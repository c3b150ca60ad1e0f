import { canonicalKernelName } from './kernel-name';

test.each([
  [
    'void at::<unnamed>::multi_tensor_apply_kernel<at::<unnamed>::FusedOptimizerTensorListMetadata<4>, at::<unnamed>::FusedAdamMathFunctor<float, 4, 1, 0>, const float *, double, bool>(T1, T2, T3...)',
    'void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false>, float const*, double, bool>(at::native::(anonymous namespace)::FusedOptimizerTensorListMetadata<4>)',
  ],
  [
    'void at::vectorized_elementwise_kernel<4, at::<unnamed>::pow_impl<float, float>(at::TensorIteratorBase &, float)::[lambda(float) (instance 1)], std::array<char *, 2>>(int, T2, T3)',
    'void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::pow_impl<float, float>(at::TensorIteratorBase&, float)::{lambda(float)#1}, std::array<char*, 2ul> >(int, at::native::(anonymous namespace)::pow_impl<float, float>(at::TensorIteratorBase&, float)::{lambda(float)#1}, std::array<char*, 2ul>)',
  ],
  ['nvjet_sm90_tst_128x64_64x8_1x2_h_bz_TNT', 'nvjet_sm90_tst_128x64_64x8_1x2_h_bz_TNT'],
  ['triton_poi_fused_add_0', 'triton_poi_fused_add_0'],
])('Nsight Compute and the PyTorch profiler name one kernel: %s', (measured, traced) => {
  expect(canonicalKernelName(measured)).toBe(canonicalKernelName(traced));
});

test.each([
  ['vectorized_elementwise_kernel<4, at::A>(int)', 'vectorized_elementwise_kernel<8, at::A>(int)'],
  ['reduce_kernel<512, 1, float>(T3)', 'reduce_kernel<512, 1, double>(T3)'],
  ['f<true>(int)', 'f<false>(int)'],
])('%s and %s are two', (one, other) => {
  expect(canonicalKernelName(one)).not.toBe(canonicalKernelName(other));
});

test('hostile names are cut and read in one go', () => {
  expect(canonicalKernelName('<'.repeat(1e6)).length).toBeLessThanOrEqual(4_000);
  expect(canonicalKernelName(`${'(a::'.repeat(900)}f(int)`)).toBeDefined();
  expect(canonicalKernelName('(anonymous namespace)::f<int>(int)')).toBe('f<int>');
});
