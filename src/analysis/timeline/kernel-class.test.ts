import { isCollectiveKernel, isFp32CoreGemm, isTensorCoreKernel, kernelClass } from './kernel-class';

test.each([
  ['ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)', 'collective'],
  ['ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)', 'collective'],
  ['void vllm::cross_device_reduce_1stage<half, 2>(…)', 'collective'],
  ['nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_NTN', 'gemm'],
  ['Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT128x192x64_MI16x16x1', 'gemm'],
  ['void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>', 'gemm'],
  ['cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_f16_knob_26', 'attention'],
  ['void at::native::layer_norm_grad_input_kernel_vectorized<float, float, false>', 'norm'],
  ['void softmax_warp_backward<float, float, float, 10, false, false>', 'softmax'],
  [
    'void at::native::multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata<4>, FusedAdamMathFunctor>',
    'optimizer',
  ],
  [
    'void at::native::elementwise_kernel<128, 2, gelu_kernel(at::TensorIteratorBase&)::{lambda()#1}>',
    'elementwise',
  ],
  ['triton_poi_fused_gelu_gelu_backward_view_7', 'elementwise'],
  ['Memcpy HtoD (Pinned -> Device)', 'copy'],
])('%s is %s', (name, expected) => {
  expect(kernelClass(name)).toBe(expected);
});

test('a kernel whose name begins with hip is not communication', () => {
  expect(isCollectiveKernel('hipblasLtKernel_gemm')).toBe(false);
});

test('32-bit matrix work on ordinary cores is told from matrix units', () => {
  expect(isFp32CoreGemm('sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_ffma')).toBe(true);
  expect(isTensorCoreKernel('sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_ffma')).toBe(
    false,
  );
  expect(isTensorCoreKernel('cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4')).toBe(true);
  expect(isTensorCoreKernel('sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64')).toBe(true);
});
