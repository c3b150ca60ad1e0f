import { GPU_SPECS } from './index';
import { peakFlopPerSec, ridgePoint } from './peaks';

const byId = (id: string) => {
  const found = GPU_SPECS.find((spec) => spec.id === id);
  if (!found) throw new Error(`no GPU ${id}`);
  return found;
};

describe('peakFlopPerSec', () => {
  it('takes the unit of the format', () => {
    expect(peakFlopPerSec(byId('h200-sxm5-141gb'), 'bf16')).toMatchObject({
      flopPerSec: 989.4e12,
      peakId: 'bf16',
      note: null,
    });
    expect(peakFlopPerSec(byId('a100-sxm4-80gb'), 'fp64')).toMatchObject({
      flopPerSec: 19.5e12,
      peakId: 'fp64Tensor',
    });
    expect(peakFlopPerSec(byId('mi250x-gcd'), 'fp32')).toMatchObject({
      flopPerSec: 47.85e12,
      peakId: 'fp32Tensor',
    });
  });

  it('keeps FP32 apart from TF32', () => {
    expect(peakFlopPerSec(byId('a100-sxm4-80gb'), 'fp32')).toMatchObject({
      flopPerSec: 19.5e12,
      peakId: 'fp32',
    });
    expect(peakFlopPerSec(byId('a100-sxm4-80gb'), 'tf32')).toMatchObject({
      flopPerSec: 156e12,
      peakId: 'tf32',
    });
  });

  it('computes TF32 in FP32 where there is no such unit, and says so', () => {
    const choice = peakFlopPerSec(byId('v100-sxm2-32gb'), 'tf32');
    expect(choice).toMatchObject({ flopPerSec: 15.7e12, peakId: 'fp32' });
    expect(choice?.note).toContain('no TF32');
    expect(peakFlopPerSec(byId('mi355x'), 'tf32')?.peakId).toBe('fp32Tensor');
  });

  it('gives null for what the GPU or the figures do not have', () => {
    expect(peakFlopPerSec(byId('v100-sxm2-32gb'), 'bf16')).toBeNull();
    expect(peakFlopPerSec(byId('t4'), 'bf16')).toBeNull();
    expect(peakFlopPerSec(byId('a100-sxm4-80gb'), 'fp8')).toBeNull();
    expect(peakFlopPerSec(byId('h100-sxm5-80gb'), 'fp4')).toBeNull();
    expect(peakFlopPerSec(byId('h800-sxm5-80gb'), 'fp64')).toBeNull();
    for (const dtype of ['int64', 'int32', 'bool', 'complex64'] as const)
      expect(peakFlopPerSec(byId('h100-sxm5-80gb'), dtype)).toBeNull();
  });
});

describe('ridgePoint', () => {
  it('is peak over bandwidth', () => {
    expect(ridgePoint(byId('a100-sxm4-40gb'), 'bf16')).toBeCloseTo(200.6, 1);
    expect(ridgePoint(byId('h100-sxm5-80gb'), 'bf16')).toBeCloseTo(295.3, 1);
    expect(ridgePoint(byId('h200-sxm5-141gb'), 'bf16')).toBeCloseTo(206.1, 1);
    expect(ridgePoint(byId('h20-96gb'), 'bf16')).toBeCloseTo(37, 5);
    expect(ridgePoint(byId('v100-sxm2-16gb'), 'bf16')).toBeNull();
  });

  it('is null without a bandwidth', () => {
    const blind = {
      ...byId('h200-sxm5-141gb'),
      memoryBandwidthBytesPerSec: { value: null, reason: 'not given' },
    };
    expect(ridgePoint(blind, 'bf16')).toBeNull();
  });
});
