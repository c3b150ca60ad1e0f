import fc from 'fast-check';
import { GPU_SPECS } from './index';
import { PEAK_IDS } from './gpu-spec';
import { applyGpuOverride, gpuSpecFromOverride, GpuOverrideInvalid, readGpuOverride } from './override';
import { peakFlopPerSec, ridgePoint } from './peaks';

const h200 = () => {
  const found = GPU_SPECS.find((spec) => spec.id === 'h200-sxm5-141gb');
  if (!found) throw new Error('no H200');
  return found;
};

const problemsOf = (raw: unknown): readonly string[] => {
  try {
    readGpuOverride(raw);
  } catch (error) {
    if (error instanceof GpuOverrideInvalid) return error.problems;
    throw error;
  }
  return [];
};

describe('override of peaks', () => {
  it('puts measured figures in place of the data sheet, and leaves the others', () => {
    const override = readGpuOverride({ peaks: { bf16: 7.9e14 }, memoryBandwidthBytesPerSec: 4.3e12 });
    const measured = applyGpuOverride(h200(), override);
    expect(peakFlopPerSec(measured, 'bf16')).toMatchObject({ flopPerSec: 7.9e14, source: 'user' });
    expect(measured.memoryBandwidthBytesPerSec).toEqual({ value: 4.3e12, source: 'user', derivation: null });
    expect(ridgePoint(measured, 'bf16')).toBeCloseTo(183.7, 1);
    expect(measured.peaks.fp8).toEqual(h200().peaks.fp8);
    expect(measured.scaleUpLink).toEqual(h200().scaleUpLink);
    expect(measured.powerLimitW).toEqual(h200().powerLimitW);
    expect(h200().peaks.bf16).toMatchObject({ value: 989.4e12 });
  });

  it('takes link, memory and power', () => {
    const raw = { scaleUpTotalBytesPerSec: 7e11, memoryBytes: 1.4e11, powerLimitW: 550 };
    const measured = applyGpuOverride(h200(), readGpuOverride(raw));
    expect(measured.scaleUpLink.perDirectionBytesPerSec).toMatchObject({ value: 3.5e11, source: 'user' });
    expect([measured.memoryBytes.value, measured.powerLimitW.value]).toEqual([1.4e11, 550]);
  });

  it('describes a GPU that the catalogue does not know, with nothing but what was given', () => {
    const override = readGpuOverride({ peaks: { bf16: 1.2e14 }, memoryBandwidthBytesPerSec: 1e12 });
    const known = gpuSpecFromOverride('NVIDIA RTX 9999', override);
    expect(known).toMatchObject({ id: 'user-defined', label: 'NVIDIA RTX 9999', vendor: 'unknown' });
    expect(ridgePoint(known, 'bf16')).toBeCloseTo(120, 5);
    expect(peakFlopPerSec(known, 'fp16')).toBeNull();
    for (const figure of [
      known.memoryBytes,
      known.smCount,
      known.powerLimitW,
      known.scaleUpLink.totalBytesPerSec,
    ])
      expect(figure).toMatchObject({ value: null, reason: expect.stringContaining('not given') });
    expect(gpuSpecFromOverride('  ', override).label).toBe('GPU given by the user');
  });

  it.each([
    [
      'units of the data sheet',
      { peaks: { bf16: 989 } },
      /peaks\.bf16 must be a number .*989 TFLOPS are 9\.89e14/,
    ],
    ['GB/s', { memoryBandwidthBytesPerSec: 4800 }, /memoryBandwidthBytesPerSec must be/],
    ['a negative figure', { powerLimitW: -1 }, /powerLimitW must be/],
    ['text', { peaks: { fp8: '2e15' } }, /peaks\.fp8 must be/],
    ['an unknown peak', { peaks: { bfloat16: 1e15 } }, /"bfloat16" is unknown; use fp64/],
    ['an unknown key', { bandwidth: 1e12 }, /"bandwidth" is unknown; use peaks/],
    ['peaks of another type', { peaks: [1] }, /peaks must be an object/],
    ['no figure', {}, /holds no figure/],
    ['empty peaks', { peaks: {} }, /holds no figure/],
    ['no object', 'fast', /must be a JSON object/],
    ['null', null, /must be a JSON object/],
    ['an array', [], /must be a JSON object/],
    ['a prototype', JSON.parse('{"__proto__": 1}'), /"__proto__" is unknown/],
    ['an inherited name', { toString: 1e12 }, /"toString" is unknown/],
  ])('refuses %s', (_what, raw, message) => {
    const problems = problemsOf(raw);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(message);
  });

  it('lists every problem at once, under one stable code', () => {
    expect(problemsOf({ peaks: { bf16: NaN, x: 1 }, powerLimitW: Infinity })).toHaveLength(3);
    expect(new GpuOverrideInvalid(['a'])).toMatchObject({
      code: 'gpu-override-invalid',
      name: 'GpuOverrideInvalid',
    });
  });

  it('accepts only plausible numbers, whatever JSON it gets', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        const problems = problemsOf({ peaks: raw });
        if (problems.length > 0) return true;
        const { peaks } = readGpuOverride({ peaks: raw });
        return PEAK_IDS.every((id) => peaks[id] === undefined || (peaks[id] >= 1e9 && peaks[id] <= 1e18));
      }),
    );
  });
});
