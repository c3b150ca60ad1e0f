import { comparabilityKey } from '../../analysis';
import { conditionsOf, type TrendedRun } from './run-conditions';

const keyOf = (run: Partial<TrendedRun>) =>
  comparabilityKey(
    conditionsOf({ worldSize: null, setup: {}, reportedGpu: null, reportedFacts: null, ...run }),
  );
const facts = { world_size: '8', dtype: 'bfloat16', batch_size: '16', seq_len: '1024', optimizer: 'adam' };

describe('conditionsOf', () => {
  it('takes from the uploaded files what was not told', () => {
    const told = {
      worldSize: 8,
      setup: { dtype: 'bf16', batch: { micro: 16 }, sequenceLength: 1024, hardware: { gpu: 'NVIDIA H200' } },
    };
    const key = keyOf({ reportedFacts: facts, reportedGpu: 'NVIDIA H200' });
    expect(key).toBe('gpu=h200;worldSize=8;dtype=bf16;microBatch=16;sequenceLength=1024');
    expect(keyOf(told)).toBe(key);
    expect(keyOf({ ...told, reportedFacts: facts })).toBe(key);
  });

  it('prefers what was told', () => {
    expect(keyOf({ worldSize: 4, reportedFacts: facts })).toContain('worldSize=4;');
  });

  it.each(['', 'many', '-1', '1.5', 'NaN', '1e400'])('takes no count from %j', (text) => {
    expect(keyOf({ reportedFacts: { world_size: text, batch_size: text } })).toBe('');
  });

  it('keeps names of files short', () => {
    expect(keyOf({ reportedFacts: { dtype: 'x'.repeat(10_000) } }).length).toBeLessThan(200);
  });
});
