import { runMetadataOf } from './formats/run-metadata';
import { uploadedFacts } from './uploaded-facts';

describe('uploadedFacts', () => {
  const rank = (number: number, more: object) => runMetadataOf({ rank: number, ...more }, 'uploaded');

  it('takes the first rank, flat', () => {
    const facts = uploadedFacts([
      rank(1, { dtype: 'fp8' }),
      rank(0, { dtype: 'bf16', loader: { num_workers: 4 } }),
    ]);
    expect(facts).toEqual({ rank: '0', dtype: 'bf16', 'loader.num_workers': '4' });
  });

  it('leaves out what looks like a secret', () => {
    const env = {
      HF_TOKEN: 'hf_x',
      WANDB_API_KEY: 'x',
      OMP_NUM_THREADS: '8',
      TOKENIZERS_PARALLELISM: 'false',
    };
    expect(uploadedFacts([rank(0, { tokens_per_step: 8, env })])).toEqual({
      ...{ rank: '0', tokens_per_step: '8' },
      ...{ 'env.OMP_NUM_THREADS': '8', 'env.TOKENIZERS_PARALLELISM': 'false' },
    });
  });

  it('says nothing where nothing was uploaded', () => {
    expect(uploadedFacts([runMetadataOf({ dtype: 'bf16' }, 'declared')])).toEqual({});
  });
});
