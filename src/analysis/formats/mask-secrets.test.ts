import { maskSecrets } from './mask-secrets';
import { processName } from './process-name';

test.each([
  ['bind http://me:hunter2@proxy:80 failed', 'bind http://***@proxy:80 failed'],
  ['run with HF_TOKEN=hf_abc LR=3', 'run with HF_TOKEN=*** LR=3'],
  ['NET/IB : mlx5_0:1/RoCE', 'NET/IB : mlx5_0:1/RoCE'],
])('%s', (text, masked) => {
  expect(maskSecrets(text)).toBe(masked);
});

test.each([
  ['12: /usr/bin/python3.12 /home/me/train.py --api-key abc', '12: python3.12 train.py'],
  ['12: python -m torch.distributed.run', '12: python'],
  ['12: WANDB_KEY=abc python', '12: python'],
  ['12: A=b', '12'],
  ['12', '12'],
  ['pt_data_worker', 'pt_data_worker'],
])('the process %s is called %s', (text, name) => {
  expect(processName(text)).toBe(name);
});
