import { activityOf, type HostActivityKind } from './function-activity';

test.each<[HostActivityKind, name: string, file: string]>([
  ['tokenisation', '_batch_encode_plus', 'transformers/tokenization_utils_fast.py'],
  ['tokenisation', 'encode', '/venv/lib/python3.12/site-packages/tiktoken/core.py'],
  ['tokenisation', 'tokenize_fn', 'train.py'],
  ['image-decoding', 'load', 'PIL/ImageFile.py'],
  ['image-decoding', 'resize', 'torchvision/transforms/functional.py'],
  ['audio-decoding', 'load', 'torchaudio/backend/soundfile.py'],
  ['collate', 'default_collate', 'torch/utils/data/_utils/collate.py'],
  ['collate', 'my_collate_fn', '/home/user/train.py'],
  ['logging', 'emit', 'logging/__init__.py'],
  ['logging', '_log', 'wandb/sdk/wandb_run.py'],
  ['logging', '<built-in function print>', ''],
  ['checkpointing', '_save', 'torch/serialization.py'],
  ['checkpointing', 'save_checkpoint', 'train.py'],
  ['garbage-collection', '<built-in function collect>', ''],
  ['device-wait', 'synchronize', 'torch/cuda/__init__.py'],
  ['device-wait', '<built-in method item of Tensor>', ''],
  ['data-loading', '_next_data', 'torch/utils/data/dataloader.py'],
  ['data-loading', '__getitem__', 'dataset.py'],
  ['data-loading', '_query_table', 'datasets/formatting/formatting.py'],
  ['inter-process', 'recv', '/usr/lib/python3.13/multiprocessing/connection.py'],
  ['framework', 'forward', 'torch/nn/modules/linear.py'],
  ['framework', 'checkpoint', 'torch/utils/checkpoint.py'],
  ['framework', 'wait', 'threading.py'],
  ['framework', '<built-in function len>', ''],
  ['user-code', 'forward', 'model.py'],
  ['user-code', 'step', 'C:\\project\\train.py'],
  ['user-code', 'main', '/home/torch_user/train.py'],
])('%s: %s of %s', (activity, name, file) => {
  expect(activityOf(name, file)).toBe(activity);
});
