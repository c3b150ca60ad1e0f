import {
  annotation,
  collectives,
  describeOptions,
  GEMM,
  type MemoryOption,
  meta,
  op,
  type OptionCase,
} from '../../../test/builders/option-cases';
import { type OptionId } from './option-schema';

const NODE = op('autograd::engine::evaluate_function: MmBackward0', 600, {
  dur: 300,
  args: { 'Sequence number': 7, 'Fwd thread id': 1 },
});

const REPEATED = op('aten::mm', 610, {
  args: { 'Sequence number': 90, 'Fwd thread id': 0 },
  kernel: 'gemm_again',
  kernelDur: 100,
});
const OPTIMIZER = annotation('Optimizer.step#AdamW.step', 700, 200);

const CASES: Record<MemoryOption & OptionId, Record<string, OptionCase>> = {
  'activation-checkpointing': {
    'a forward operator in a backward node': {
      run: { step: [GEMM, NODE, REPEATED] },
      is: { state: 'on', costNs: 100_000, note: 'checkpointing-on' },
    },
    'the same with most of the memory free': {
      run: meta({ activation_checkpointing: 'all', peak_mem: 15e9 }, [GEMM, NODE, REPEATED]),
      is: { state: 'on', form: 'all', note: 'checkpointing-with-free-memory' },
    },
    'backward nodes without one': {
      run: { step: [GEMM, NODE] },
      is: { state: 'off', note: 'checkpointing-off' },
    },
    'a compiled backward pass': {
      run: { step: [GEMM, NODE, op('CompiledFunctionBackward', 600)] },
      is: { state: 'not-visible', note: 'checkpointing-hidden-by-compile' },
    },
    'no backward pass at all': {
      run: { step: [GEMM] },
      is: { state: 'not-visible', note: 'no-backward-operators' },
    },
  },
  sharding: {
    'two gathers for each scatter': {
      run: {
        step: [
          annotation('FullyShardedDataParallel.forward', 0, 50),
          ...collectives('_allgather_base', '_allgather_base', '_reduce_scatter_base'),
        ],
        worldSize: 2,
      },
      is: { state: 'on', form: 'zero3', costNs: 300_000, note: 'sharding-on' },
    },
    'one gather for each scatter': {
      run: {
        step: [
          annotation('FSDP::pre_forward', 0, 50),
          ...collectives('_allgather_base', '_reduce_scatter_base'),
        ],
        worldSize: 2,
      },
      is: { state: 'on', form: 'zero2', note: 'sharding-on' },
    },
    'states that would fit unsharded': {
      run: {
        ...meta({ parallel: 'fsdp full_shard', params: 1e9 }, [
          GEMM,
          ...collectives('_allgather_base', '_reduce_scatter_base'),
        ]),
        step: collectives('_allgather_base', '_reduce_scatter_base'),
        worldSize: 2,
      },
      is: { state: 'on', form: 'zero3', note: 'sharding-not-needed' },
    },
    'plain data parallelism': {
      run: {
        step: [annotation('DistributedDataParallel.forward', 0, 50), ...collectives('allreduce')],
        worldSize: 2,
      },
      is: { state: 'off', note: 'sharding-off' },
    },
    'one rank': { run: meta({}), is: { state: 'off', note: 'sharding-one-rank' } },
    'several ranks and no sign': {
      run: { step: collectives('allreduce'), worldSize: 2 },
      is: { state: 'not-visible', note: 'sharding-not-visible' },
    },
  },
  lora: {
    'fewer trained parameters': {
      run: meta({ params: 1000, trainable_params: 10 }),
      is: { state: 'on', note: 'lora-on' },
    },
    'all parameters trained': {
      run: meta({ params: 1000, trainable_params: 1000 }),
      is: { state: 'off', note: 'lora-off' },
    },
    'an adapter among the Python functions': {
      run: { step: [GEMM, { ...op('peft/tuners/lora/layer.py(1): forward', 0), cat: 'python_function' }] },
      is: { state: 'on', note: 'lora-on' },
    },
    'nothing that could show it': {
      run: { step: [GEMM] },
      is: { state: 'not-visible', note: 'lora-not-visible' },
    },
  },
  quantisation: {
    'a kernel that expands weights': {
      run: { step: [op('MatMul4Bit', 0, { kernel: 'kDequantizeBlockwise<float>', kernelDur: 30 })] },
      is: { state: 'on', costNs: 30_000, note: 'quantisation-on' },
    },
    'none among all kernels': { run: { step: [GEMM] }, is: { state: 'off', note: 'quantisation-off' } },
    'no kernels': {
      run: { step: [op('aten::mm', 0)] },
      is: { state: 'not-visible', note: 'no-kernels-and-operators' },
    },
  },
  'gradient-accumulation': {
    'as the job says': {
      run: meta({ grad_accum: 4 }),
      is: { state: 'on', form: '4', note: 'accumulation-on' },
    },
    'one, as the job says': { run: meta({ grad_accum: 1 }), is: { state: 'off', note: 'accumulation-off' } },
    'three batches for one update': {
      run: {
        step: [
          GEMM,
          ...[0, 100, 200].map((at) => annotation('enumerate(DataLoader)#_It.__next__', at, 5)),
          OPTIMIZER,
        ],
      },
      is: { state: 'on', form: '3', note: 'accumulation-on' },
    },
    'one batch for one update': {
      run: { step: [GEMM, annotation('enumerate(DataLoader)#_It.__next__', 0, 5), OPTIMIZER] },
      is: { state: 'off', note: 'accumulation-off' },
    },
    neither: { run: { step: [GEMM] }, is: { state: 'not-visible', note: 'accumulation-not-visible' } },
  },
};

describeOptions(CASES);
