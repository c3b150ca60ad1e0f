/** What a kernel does, by its name. The first class whose pattern matches wins. */
export const KERNEL_CLASSES = [
  'collective',
  'attention',
  'convolution',
  'optimizer',
  'norm',
  'softmax',
  'gemm',
  'reduction',
  'elementwise',
  'copy',
  'other',
] as const;
export type KernelClass = (typeof KERNEL_CLASSES)[number];

/**
 * Names of communication kernels: NCCL and RCCL (with and without `Dev`), vLLM and TensorRT custom all-reduce,
 * symmetric-memory (multimem), NVSHMEM and DeepEP. A name that merely begins with `hip` is not communication.
 */
const COLLECTIVE =
  /^(void )?(nccl|rccl|mscclpp?)|^ncclDevKernel|cross_device_reduce|multimem_(all_reduce|all_gather)|one_shot_all_reduce|two_shot_all_reduce|all_?reduce_kernel|all_?gather_kernel|nvshmem|deep_?ep::|^rccl|^hccl/i;

const PATTERNS: readonly (readonly [KernelClass, RegExp])[] = [
  ['collective', COLLECTIVE],
  ['attention', /flash|fmha|sdpa|attention|sage_fwd|sage_bwd|paged_attn|mha_|_fwd_kernel_stage/i],
  [
    'convolution',
    /conv(?!ert)|wgrad_alg|dgrad|winograd|implicit_gemm|igemm_|cudnn.*engine|miopen.*(conv|gtc)|im2col|col2im/i,
  ],
  ['optimizer', /adam|sgd|lamb(?!da)|adagrad|FusedOptimizer|multi_tensor_apply|foreach/i],
  [
    'norm',
    /layer_?norm|rms_?norm|group_?norm|batch_?norm|GammaBeta|bn_(fw|bw)|norm_(forward|backward)|triton_.*(native_layer_norm|rsqrt)/i,
  ],
  ['softmax', /soft_?max/i],
  [
    'gemm',
    /gemm|nvjet|cutlass|Cijk_|xmma|matmul|(^|_)mm(_|$)|addmm|bmm_|splitK|gemv|dot_kernel|triton_(tem|mm)/i,
  ],
  [
    'reduction',
    /reduce|(^|_)sum(_|$)|argm(ax|in)|cumsum|scan|sort|topk|nll_loss|cross_entropy|triton_(red|per)/i,
  ],
  [
    'copy',
    /^Memcpy|^Memset|rocclr_(copy|fill)Buffer|CatArray|transpose|permute|gather|scatter|index_(select|copy|put)|nchwToNhwc|nhwcToNchw|copy_kernel/i,
  ],
  [
    'elementwise',
    /elementwise|vectorized|unrolled|dropout|gelu|silu|relu|mul|add|fill|where|triton_poi|SubTensorOp|distribution|clamp/i,
  ],
];

/** Matrix kernels that run on tensor cores (NVIDIA) or matrix cores (AMD), by name family. */
const TENSOR_CORE =
  /nvjet|tensorop|[hi]mma|s?16816|s1688|s?884|wgmma|sm(90|100)_xmma|sm90_.*gemm|xmma_gemm_(bf16|f16|e4m3|tf32|i8)|tf32|_fort_native_sdpa|flash|fmha|Cijk_.*(BBS|HHS|HSS|BSS|F8|B8|MI\d)|xdlops|wmma|mfma|gtcx|bf16gemm|MxE|_tc_|tcgen/i;

/** 32-bit matrix kernels that run on the ordinary (CUDA) cores. */
const FP32_CORE_GEMM = /sgemm(?!.*tensorop)|simt|ffma|gemm_f32f32_f32f32|Cijk_.*_SB_(?!.*MI\d)/i;

/** Class of a device operation by its kernel name. */
export function kernelClass(name: string): KernelClass {
  for (const [id, pattern] of PATTERNS) if (pattern.test(name)) return id;
  return 'other';
}

export function isCollectiveKernel(name: string): boolean {
  return COLLECTIVE.test(name);
}

/** True when the name shows 32-bit matrix work on cores without matrix units. */
export function isFp32CoreGemm(name: string): boolean {
  return FP32_CORE_GEMM.test(name);
}

/** True when the name shows matrix units at work. A false answer for an unknown name is not proof of the opposite. */
export function isTensorCoreKernel(name: string): boolean {
  return !isFp32CoreGemm(name) && TENSOR_CORE.test(name);
}

/** Classes that read and write memory for little arithmetic: below the ridge point of every GPU in use. */
export const MEMORY_BOUND_CLASSES: ReadonlySet<KernelClass> = new Set([
  'norm',
  'softmax',
  'reduction',
  'elementwise',
  'copy',
  'optimizer',
]);
