import {
  annotation,
  collectives,
  describeOptions,
  GEMM,
  type MemoryOption,
  meta,
  op,
  type OptionCase,
  types,
} from '../../../test/builders/option-cases';
import { type OptionId } from './option-schema';

const OPTIMIZER = annotation('Optimizer.step#AdamW.step', 700, 200);
const LATE = op('aten::mm', 510, { dur: 490, launchAt: 980, kernel: 'gemm', kernelAt: 990, kernelDur: 10 });
const AUTOCAST = op('ToCopyBackward0', 650);
const CAST = op('aten::_to_copy', 20, { kernel: 'bfloat16_copy_kernel', kernelAt: 520, kernelDur: 40 });
const FP32 = op('aten::mm', 0, {
  kernel: 'sm80_xmma_gemm_f32f32_f32f32_f32_ffma',
  kernelDur: 400,
  args: types('float'),
});

const CASES: Record<Exclude<OptionId, MemoryOption>, Record<string, OptionCase>> = {
  'flash-attention': {
    'a fused kernel': {
      run: {
        step: [
          op('aten::_cudnn_attention_forward', 0, {
            kernel: 'cudnn_generated_fort_native_sdpa_sm90_flash_fprop',
          }),
        ],
      },
      is: { state: 'on', form: 'cudnn', note: 'flash-attention-on' },
    },
    'softmax between two products': {
      run: {
        step: [
          op('aten::bmm', 0),
          op('aten::_softmax', 50, { kernel: 'softmax_warp_forward', kernelDur: 60 }),
        ],
      },
      is: { state: 'off', form: 'eager', actsOnNs: 60_000, note: 'flash-attention-off' },
    },
    'the math path of the fused operator': {
      run: { step: [GEMM, op('aten::_scaled_dot_product_attention_math', 50)] },
      is: { state: 'off', form: 'math', note: 'flash-attention-off' },
    },
    'a loss is no attention': {
      run: { step: [GEMM, op('aten::_log_softmax', 50)] },
      is: { state: 'not-visible', note: 'no-attention' },
    },
  },
  compile: {
    'generated kernels': {
      run: { step: [op('CompiledFunction', 0, { kernel: 'triton_poi_fused_add_0' })] },
      is: { state: 'on', note: 'compile-on' },
    },
    'asked for and not seen': {
      run: meta({ compile: 'default' }),
      is: { state: 'off', note: 'compile-without-effect' },
    },
    'much to fuse': {
      run: {
        step: [op('aten::add', 0, { kernel: 'vectorized_elementwise_kernel', kernelAt: 0, kernelDur: 1000 })],
      },
      is: { state: 'off', actsOnNs: 1_000_000, note: 'compile-would-fuse' },
    },
    'kernels of the optimizer are not fused': {
      run: {
        step: [op('aten::add', 0, { kernel: 'multi_tensor_apply_kernel', kernelAt: 0, kernelDur: 1000 })],
      },
      is: { state: 'off', actsOnNs: 0, note: 'compile-little-to-fuse' },
    },
    'gaps between launches': {
      run: { step: [GEMM, LATE] },
      is: { state: 'off', note: 'compile-would-cut-launches' },
    },
  },
  'cuda-graphs': {
    'graph launches': {
      run: { step: [GEMM, { ...op('cudaGraphLaunch', 50), cat: 'cuda_runtime' }] },
      is: { state: 'on', note: 'graphs-on' },
    },
    'none, and the device never waits': {
      run: { step: [op('aten::mm', 0, { kernel: 'gemm', kernelAt: 0, kernelDur: 1000 })] },
      is: { state: 'off', actsOnNs: 0, note: 'graphs-gain-nothing' },
    },
    'none, and it waits': {
      run: { step: [GEMM, LATE] },
      is: { state: 'off', note: 'graphs-would-help' },
    },
  },
  'mixed-precision': {
    'bf16 with what the conversions take': {
      run: { step: [GEMM, AUTOCAST, CAST] },
      is: { state: 'on', form: 'bf16 autocast', costNs: 40_000, note: 'precision-16-bit' },
    },
    'dear conversions': {
      run: { step: [GEMM, { ...CAST, kernelDur: 90 }] },
      is: { state: 'on', form: 'bf16', costNs: 90_000, note: 'precision-dear-casts' },
    },
    'fp16 on a GPU that has bf16': {
      run: { step: [op('aten::mm', 0, { kernel: 'gemm', args: types('c10::Half') })] },
      is: { state: 'on', form: 'fp16', note: 'precision-fp16-where-bf16-is' },
    },
    'fp16 on a GPU that has none': {
      run: {
        step: [op('aten::mm', 0, { kernel: 'gemm', args: types('c10::Half') })],
        device: { id: 0, name: 'Tesla V100-SXM2-32GB', computeMajor: 7, computeMinor: 0 },
      },
      is: { state: 'on', form: 'fp16', note: 'precision-16-bit' },
    },
    '32 bits': {
      run: { step: [FP32] },
      is: { state: 'off', form: 'fp32', actsOnNs: 400_000, note: 'precision-32-bit' },
    },
    '16 bits in the metadata only': {
      run: meta({ dtype: 'bfloat16' }, [FP32]),
      is: { state: 'off', form: 'fp32', note: 'precision-without-effect' },
    },
    'kernel names where operators are compiled away': {
      run: { step: [op('CompiledFunction', 0, { kernel: 'nvjet_sm90_tst_128x256_64x4_NTN' })] },
      is: { state: 'on', form: 'bf16', note: 'precision-16-bit' },
    },
    'nothing that tells': {
      run: { step: [op('x', 0, { kernel: 'y' })] },
      is: { state: 'not-visible', note: 'dtype-not-visible' },
    },
  },
  'grad-scaler': {
    'with bf16': {
      run: {
        step: [
          GEMM,
          op('aten::_amp_foreach_non_finite_check_and_unscale_', 550, { kernel: 'amp', kernelDur: 5 }),
        ],
      },
      is: { state: 'on', costNs: 5_000, note: 'scaler-with-bf16' },
    },
    'with fp16': {
      run: { step: [op('aten::mm', 0, { args: types('c10::Half') }), op('aten::_amp_update_scale_', 50)] },
      is: { state: 'on', note: 'scaler-with-fp16' },
    },
    'fp16 without': {
      run: { step: [op('aten::mm', 0, { args: types('c10::Half') })] },
      is: { state: 'off', note: 'scaler-missing-for-fp16' },
    },
    'bf16 without': { run: { step: [GEMM] }, is: { state: 'off', note: 'scaler-off' } },
  },
  tf32: {
    'on the matrix units': {
      run: { step: [op('aten::mm', 0, { kernel: 'sm80_xmma_gemm_f32f32_tf32f32_f32', kernelDur: 100 })] },
      is: { state: 'on', note: 'tf32-on' },
    },
    'on the ordinary cores': {
      run: { step: [FP32] },
      is: { state: 'off', actsOnNs: 400_000, note: 'tf32-off' },
    },
    'on a GPU without it': {
      run: {
        step: [FP32],
        device: { id: 0, name: 'Tesla V100-SXM2-32GB', computeMajor: 7, computeMinor: 0 },
      },
      is: { state: 'off', note: 'tf32-not-there' },
    },
    'no 32-bit products': { run: { step: [GEMM] }, is: { state: 'not-visible', note: 'no-32-bit-products' } },
  },
  'fused-optimizer': {
    'one operator for the update': {
      run: {
        step: [GEMM, OPTIMIZER, op('aten::_fused_adamw_', 710, { kernel: 'FusedOptimizer', kernelDur: 80 })],
      },
      is: { state: 'on', form: 'fused', costNs: 200_000, note: 'optimizer-fused' },
    },
    'one operator per operation': {
      run: {
        step: [
          GEMM,
          OPTIMIZER,
          op('aten::_foreach_lerp_', 710, { kernel: 'multi_tensor_apply', kernelDur: 80 }),
        ],
      },
      is: { state: 'off', form: 'foreach', actsOnNs: 200_000, note: 'optimizer-not-fused' },
    },
    'one operator per tensor': {
      run: {
        step: [
          GEMM,
          annotation('Optimizer.step#SGD.step', 705, 20),
          op('aten::addcdiv_', 710, { kernel: 'elementwise', kernelAt: 710, kernelDur: 5 }),
        ],
      },
      is: { state: 'off', form: 'for-loop', note: 'optimizer-little-to-gain' },
    },
    none: { run: { step: [GEMM] }, is: { state: 'not-visible', note: 'no-optimizer' } },
  },
  'device-max-connections': {
    one: {
      run: meta({ env: { CUDA_DEVICE_MAX_CONNECTIONS: '1' } }),
      is: { state: 'on', form: '1', note: 'connections-one' },
    },
    'one, beside collectives': {
      run: { ...meta({ env: { CUDA_DEVICE_MAX_CONNECTIONS: '1' } }, collectives('allreduce')), worldSize: 2 },
      is: { state: 'on', note: 'connections-one-with-collectives' },
    },
    several: {
      run: meta({ env: { CUDA_DEVICE_MAX_CONNECTIONS: '32' } }),
      is: { state: 'off', form: '32', note: 'connections-several' },
    },
    'not written': {
      run: meta({ env: { OMP_NUM_THREADS: '8' } }),
      is: { state: 'not-visible', note: 'connections-not-visible' },
    },
  },
};

describeOptions(CASES);
