import { Command } from 'commander';
import { addEstimateFlags, readEstimateRequest } from './estimate-flags';

const read = (line: string) => {
  const command = addEstimateFlags(
    new Command().exitOverride().configureOutput({ writeErr: () => undefined }),
  );
  command.parse(line.split(' '), { from: 'user' });
  return readEstimateRequest(command.opts());
};

test('flags become the fields of a request', () => {
  const line =
    '--params 7b --dtype fp16 --trainable 4.2m --parameter-dtype fp32 --gradient-dtype fp16 --master-weights ' +
    '--optimizer sgd --state-dtype bf16 --world-size 16 --gpus-per-node 8 --sharding hybrid --accumulation 4 ' +
    '--micro-batch 2 --sequence 4k --layers 32 --hidden 4096 --heads 32 --vocabulary 32000 --checkpointing full ' +
    '--no-flash-attention --gpu h200-sxm5-141gb --peak-flops 9e14 --gpu-memory 80g --link ib-ndr --step-time 1.25 --tokens 1e6';
  expect(read(line)).toEqual({
    ...{
      parameters: 7e9,
      dtype: 'fp16',
      trainableParameters: 4_200_000,
      parameterDtype: 'fp32',
      gradientDtype: 'fp16',
    },
    ...{
      masterWeights: true,
      optimizer: 'sgd',
      stateDtype: 'bf16',
      worldSize: 16,
      gpusPerNode: 8,
      sharding: 'hybrid',
    },
    ...{
      gradientAccumulation: 4,
      microBatchSize: 2,
      sequenceLength: 4000,
      layers: 32,
      hiddenSize: 4096,
      heads: 32,
    },
    ...{
      vocabulary: 32000,
      checkpointing: 'full',
      flashAttention: false,
      gpu: 'h200-sxm5-141gb',
      stepTimeS: 1.25,
    },
    ...{ peakFlopPerSec: 9e14, gpuMemoryBytes: 80e9, link: 'ib-ndr', tokensPerStep: 1e6 },
  });
});

test('a sharding may have the name that a framework gives it', () => {
  const sharding = (name: string) => read(`--params 1e9 --sharding ${name}`).sharding;
  expect(['FULL_SHARD', 'shard_grad_op', 'NO_SHARD', 'zero1'].map(sharding)).toEqual([
    'zero3',
    'zero2',
    'none',
    'zero1',
  ]);
});

test('what is wrong is named by its flag', () => {
  expect(() => read('--params 1e9 --trainable 2e9')).toThrow('--trainable: must not be more than parameters');
  expect(() => read('--params 1e9 --sharding some')).toThrow(/^--sharding: /);
  expect(() => read('--params 1.5')).toThrow(/^--params: /);
  expect(() => read('--params 7q')).toThrow('7q');
  expect(() => read('--dtype bf16')).toThrow('--params');
});
