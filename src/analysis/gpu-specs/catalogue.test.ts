import { GPU_SPECS } from './index';
import { PEAK_IDS } from './gpu-spec';
import { normalizeGpuName } from './gpu-name';
import { ridgePoint } from './peaks';
import { type SourcedFigure } from './sourced-figure';

const byId = (id: string) => {
  const found = GPU_SPECS.find((spec) => spec.id === id);
  if (!found) throw new Error(`no GPU ${id}`);
  return found;
};

describe('every GPU of the catalogue', () => {
  it('has an id of its own', () => {
    const ids = GPU_SPECS.map((spec) => spec.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('has names that no other GPU has, and shares the others with at least one', () => {
    const owners = new Map<string, string[]>();
    for (const spec of GPU_SPECS)
      for (const name of new Set([...spec.names, ...spec.sharedNames].map(normalizeGpuName)))
        owners.set(name, [...(owners.get(name) ?? []), spec.id]);
    for (const spec of GPU_SPECS) {
      for (const name of spec.names)
        expect([name, owners.get(normalizeGpuName(name))]).toEqual([name, [spec.id]]);
      for (const name of spec.sharedNames)
        expect(owners.get(normalizeGpuName(name))?.length).toBeGreaterThan(1);
    }
  });

  it.each(GPU_SPECS.map((spec) => [spec.id, spec] as const))('%s can be found by something', (_id, spec) => {
    expect(spec.names.length + spec.sharedNames.length > 0 || spec.knownByProperties).toBe(true);
  });

  it.each(GPU_SPECS.map((spec) => [spec.id, spec] as const))(
    '%s: a positive figure with a source, or a reason',
    (_id, spec) => {
      const figures: SourcedFigure[] = [
        ...PEAK_IDS.map((id) => spec.peaks[id]),
        spec.memoryBandwidthBytesPerSec,
        spec.memoryBytes,
        spec.smCount,
        spec.boostClockHz,
        spec.powerLimitW,
        ...[spec.scaleUpLink, spec.hostLink].flatMap((l) => [l.totalBytesPerSec, l.perDirectionBytesPerSec]),
      ];
      for (const figure of figures) {
        if (figure.value === null) expect(figure.reason.length).toBeGreaterThan(10);
        else {
          expect(figure.value).toBeGreaterThan(0);
          expect(Number.isFinite(figure.value)).toBe(true);
          expect(figure.source.length).toBeGreaterThan(5);
        }
      }
    },
  );

  it.each(GPU_SPECS.map((spec) => [spec.id, spec] as const))(
    '%s: peaks and sizes are plausible',
    (_id, spec) => {
      const peak = (id: (typeof PEAK_IDS)[number]) => spec.peaks[id].value ?? 0;
      const half = Math.max(peak('bf16'), peak('fp16'));
      expect(peak('fp32')).toBeGreaterThan(5e12);
      expect(half).toBeGreaterThan(peak('fp32'));
      if (spec.peaks.bf16.value !== null) expect(peak('fp16')).toBe(peak('bf16'));
      // Where TF32 exists it has half the rate of 16-bit formats, up to rounding in print.
      if (spec.peaks.tf32.value !== null) expect(half / peak('tf32')).toBeCloseTo(2, 0);
      if (spec.peaks.fp8.value !== null) expect(peak('fp8') / half).toBeCloseTo(2, 0);
      if (spec.peaks.fp64Tensor.value !== null)
        expect(peak('fp64Tensor')).toBeGreaterThanOrEqual(peak('fp64'));
      expect(spec.memoryBandwidthBytesPerSec.value).toBeGreaterThan(250e9);
      expect(spec.memoryBandwidthBytesPerSec.value).toBeLessThan(9e12);
      expect((spec.memoryBytes.value ?? 0) / 2 ** 30).toBeGreaterThanOrEqual(16);
      expect(spec.smCount.value).toBeGreaterThanOrEqual(40);
      expect(spec.powerLimitW.value ?? 300).toBeGreaterThan(50);
    },
  );

  it.each(GPU_SPECS.map((spec) => [spec.id, spec] as const))(
    '%s: ridge points of the tensor formats',
    (_id, spec) => {
      for (const dtype of ['bf16', 'fp16', 'fp8', 'int8', 'fp4'] as const) {
        const ridge = ridgePoint(spec, dtype);
        if (ridge === null) continue;
        expect(ridge).toBeGreaterThan(10);
        expect(ridge).toBeLessThan(2000);
      }
    },
  );

  it('contains the models that runs are known from', () => {
    const ids = [
      'v100-sxm2-16gb',
      'v100-pcie-32gb',
      't4',
      'a10',
      'a100-sxm4-40gb',
      'a100-pcie-80gb',
      'a800-sxm4-80gb',
    ];
    ids.push(
      'a800-pcie-80gb',
      'rtx-a6000',
      'l4',
      'l40s',
      'rtx-3090',
      'rtx-4090',
      'rtx-5090',
      'h100-sxm5-80gb',
    );
    ids.push(
      'h100-pcie-80gb',
      'h100-nvl-94gb',
      'h800-sxm5-80gb',
      'h20-96gb',
      'h200-sxm5-141gb',
      'gh200-96gb',
    );
    ids.push('gh200-144gb', 'b200-180gb', 'b300-270gb', 'gb200-186gb', 'mi210', 'mi250-gcd', 'mi250x-gcd');
    ids.push('mi300x', 'mi325x', 'mi355x');
    for (const id of ids) expect(byId(id).id).toBe(id);
  });
});
