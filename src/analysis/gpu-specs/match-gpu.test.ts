import fc from 'fast-check';
import { type GpuIdentity, matchGpu, whyNoMatch } from './match-gpu';
import { GPU_SPECS } from './index';

const GIB = 2 ** 30;

function device(
  name: string,
  totalMemoryBytes: number | null = null,
  smCount: number | null = null,
  compute: [number, number] | null = null,
): GpuIdentity {
  return {
    name,
    totalMemoryBytes,
    smCount,
    computeMajor: compute?.[0] ?? null,
    computeMinor: compute?.[1] ?? null,
  };
}

/** `deviceProperties` of real traces, as they are in the files. */
const FROM_TRACES: [string, number, number, [number, number], string, string][] = [
  ['NVIDIA A100-PG509-200', 42505273344, 108, [8, 0], 'a100-pg509-40gb', 'name'],
  ['NVIDIA A100-PG509-200', 42297524224, 108, [8, 0], 'a100-pg509-40gb', 'name'],
  ['NVIDIA A100-SXM4-40GB', 42297524224, 108, [8, 0], 'a100-sxm4-40gb', 'name'],
  ['NVIDIA A100 80GB PCIe', 84987740160, 108, [8, 0], 'a100-pcie-80gb', 'name'],
  ['NVIDIA A100-SXM4-80GB', 84990623744, 108, [8, 0], 'a100-sxm4-80gb', 'name'],
  ['NVIDIA H100', 102085492736, 132, [9, 0], 'h100-sxm5-96gb', 'name-and-memory'],
  ['AMD Instinct MI300X', 206141652992, 304, [9, 4], 'mi300x', 'name'],
  ['', 206141652992, 304, [9, 4], 'mi300x', 'properties'],
  ['AMD Radeon Graphics', 68702699520, 104, [9, 0], 'mi210-or-mi250-gcd', 'properties'],
  ['Tesla V100-SXM2-32GB', 34079637504, 80, [7, 0], 'v100-sxm2-32gb', 'name'],
  ['Tesla V100-SXM2-32GB', 34089730048, 80, [7, 0], 'v100-sxm2-32gb', 'name'],
  ['Tesla V100-SXM2-32GB', 34079899648, 80, [7, 0], 'v100-sxm2-32gb', 'name'],
  ['Tesla V100-DGXS-32GB', 34084028416, 80, [7, 0], 'v100-dgx-station-32gb', 'name'],
  ['Tesla V100-DGXS-32GB', 34087305216, 80, [7, 0], 'v100-dgx-station-32gb', 'name'],
  ['NVIDIA B200', 191503138816, 148, [10, 0], 'b200-180gb', 'name'],
  ['NVIDIA H200', 150109880320, 132, [9, 0], 'h200-sxm5-141gb', 'name'],
  // From device properties printed by frameworks.
  ['NVIDIA A10G', 22587 * 2 ** 20, 80, [8, 6], 'a10g', 'name'],
  ['NVIDIA H100 80GB HBM3', 81089 * 2 ** 20, 132, [9, 0], 'h100-sxm5-80gb', 'name'],
  ['NVIDIA H100 PCIe', 81008 * 2 ** 20, 114, [9, 0], 'h100-pcie-80gb', 'name'],
  ['Tesla T4', 15079 * 2 ** 20, 40, [7, 5], 't4', 'name'],
  ['NVIDIA GH200 144G HBM3e', 146831 * 2 ** 20, 132, [9, 0], 'gh200-144gb', 'name'],
  ['AMD Instinct MI250X/MI250', 65520 * 2 ** 20, 110, [9, 0], 'mi250x-gcd', 'name-and-memory'],
  ['AMD Instinct MI250X / MI250', 65520 * 2 ** 20, 104, [9, 0], 'mi250-gcd', 'name-and-memory'],
];

/** Names alone, as monitors and metadata files give them. */
const BY_NAME: [string, string][] = [
  ['NVIDIA H200', 'h200-sxm5-141gb'],
  ['NVIDIA H200 NVL', 'h200-nvl-141gb'],
  ['NVIDIA H100 NVL', 'h100-nvl-94gb'],
  ['nvidia h100 80gb  hbm3', 'h100-sxm5-80gb'],
  ['A100-PCIE-40GB', 'a100-pcie-40gb'],
  ['A100-SXM4-40GB', 'a100-sxm4-40gb'],
  ['NVIDIA PG509-210', 'a100-pg509-80gb'],
  ['NVIDIA A800-SXM4-80GB', 'a800-sxm4-80gb'],
  ['NVIDIA A800 80GB PCIe', 'a800-pcie-80gb'],
  ['Tesla V100-PCIE-32GB', 'v100-pcie-32gb'],
  ['Tesla V100-PCIE-16GB', 'v100-pcie-16gb'],
  ['Tesla V100-SXM2-16GB', 'v100-sxm2-16gb'],
  ['NVIDIA A10', 'a10'],
  ['NVIDIA RTX A6000', 'rtx-a6000'],
  ['RTX A6000', 'rtx-a6000'],
  ['NVIDIA L4', 'l4'],
  ['NVIDIA L40', 'l40'],
  ['NVIDIA L40S', 'l40s'],
  ['GeForce RTX 3090', 'rtx-3090'],
  ['NVIDIA GeForce RTX 3090', 'rtx-3090'],
  ['NVIDIA GeForce RTX 4090', 'rtx-4090'],
  ['NVIDIA GeForce RTX 5090', 'rtx-5090'],
  ['NVIDIA H20', 'h20-96gb'],
  ['NVIDIA GH200 480GB', 'gh200-96gb'],
  ['NVIDIA GH200 120GB', 'gh200-96gb'],
  ['NVIDIA GB200', 'gb200-186gb'],
  ['NVIDIA B300 SXM6 AC', 'b300-270gb'],
  ['NVIDIA GB300', 'gb300-279gb'],
  ['AMD Instinct(TM) MI210', 'mi210'],
  ['AMD Instinct™ MI325X', 'mi325x'],
  ['AMD INSTINCT MI250X (MCM) OAM AC MBA', 'mi250x-gcd'],
  ['AMD Instinct MI300X VF', 'mi300x'],
  ['AMD Instinct MI355X', 'mi355x'],
  // As people and schedulers shorten them.
  ['NVIDIA V100-SXM2-32GB', 'v100-sxm2-32gb'],
  ['MI300X', 'mi300x'],
  ['NVIDIA RTX 4090', 'rtx-4090'],
  ['NVIDIA Corporation L4', 'l4'],
];

describe('matchGpu', () => {
  it.each(FROM_TRACES)('%s, %d bytes, %d SMs', (name, bytes, sms, compute, id, matchedBy) => {
    const match = matchGpu(device(name, bytes, sms, compute));
    expect([match?.spec.id, match?.matchedBy]).toEqual([id, matchedBy]);
    expect(whyNoMatch(device(name, bytes, sms, compute))).toBeNull();
  });

  it.each(BY_NAME)('%s', (name, id) => {
    expect(matchGpu(device(name))).toMatchObject({ spec: { id }, matchedBy: 'name' });
  });

  it('tells models of one name apart by memory and SM count', () => {
    const ids = (name: string, sizes: [number, number][]) =>
      sizes.map(([gib, sms]) => matchGpu(device(name, gib * GIB, sms))?.spec.id ?? null);
    expect(
      ids('NVIDIA H100', [
        [79.2, 132],
        [95.1, 132],
        [93.6, 132],
        [79.1, 114],
        [139.8, 132],
      ]),
    ).toEqual(['h100-sxm5-80gb', 'h100-sxm5-96gb', 'h100-sxm5-96gb', 'h100-pcie-80gb', null]);
    expect(
      ids('NVIDIA A100-SXM4', [
        [39.4, 108],
        [79.2, 108],
      ]),
    ).toEqual(['a100-sxm4-40gb', 'a100-sxm4-80gb']);
    expect(
      ids('NVIDIA H800', [
        [79.2, 132],
        [79.2, 114],
      ]),
    ).toEqual(['h800-sxm5-80gb', 'h800-pcie-80gb']);
    expect(
      ids('NVIDIA GH200', [
        [94.5, 132],
        [143.4, 132],
      ]),
    ).toEqual(['gh200-96gb', 'gh200-144gb']);
  });

  it('reads LLVM targets of AMD GPUs as properties', () => {
    expect(matchGpu(device('gfx942:sramecc+:xnack-', 192 * GIB, 304))?.spec.id).toBe('mi300x');
    expect(matchGpu(device('gfx942', 256 * GIB, 304))?.spec.id).toBe('mi325x');
    expect(matchGpu(device('gfx90a', 64 * GIB, 110))?.spec.id).toBe('mi250x-gcd');
    expect(whyNoMatch(device('gfx950', 288 * GIB, 256))).toBe('ambiguous');
    expect(whyNoMatch(device('gfx942', 256 * GIB))).toBe('nameless');
    expect(whyNoMatch(device('gfx1100', 24 * GIB, 96, [11, 0]))).toBe('nameless');
  });

  it('gives no whole-GPU peaks to a part of a GPU', () => {
    expect(whyNoMatch(device('NVIDIA A100-SXM4-40GB MIG 1g.5gb', 5 * GIB, 14))).toBe('partition');
    expect(whyNoMatch(device('NVIDIA A100-SXM4-80GB', 79.2 * GIB, 42))).toBe('partition');
    expect(whyNoMatch(device('AMD Instinct MI300X', 24 * GIB, 38))).toBe('partition');
    expect(whyNoMatch(device('NVIDIA GB300', 250.7 * GIB, 152))).toBe('partition');
  });

  it('says why it gives none', () => {
    expect(whyNoMatch(device('NVIDIA H100'))).toBe('ambiguous');
    expect(whyNoMatch(device('NVIDIA A100', 79.2 * GIB, 108))).toBe('ambiguous');
    expect(whyNoMatch(device('', 150109880320, 132, [9, 0]))).toBe('nameless');
    expect(whyNoMatch(device('NVIDIA Graphics Device'))).toBe('nameless');
    // Boards of single operators that no document describes: 124 SMs, 96 GiB.
    expect(whyNoMatch(device('NVIDIA PG506-230', 96 * GIB, 124))).toBe('unknown-gpu');
    for (const name of [
      'NVIDIA H20-3e',
      'NVIDIA GeForce RTX 4090 D',
      'NVIDIA GeForce RTX 4090 Laptop GPU',
      'GRID A100-10C',
    ])
      expect(whyNoMatch(device(name))).toBe('unknown-gpu');
  });

  it('finds every GPU by every name of its own, however it is written', () => {
    for (const spec of GPU_SPECS)
      for (const name of spec.names)
        for (const written of [
          name,
          name.toUpperCase(),
          ` ${name.replace(/ /g, '  ')} `,
          name.replace(/^NVIDIA |^AMD /, ''),
        ])
          expect([written, matchGpu(device(written))?.spec.id]).toEqual([written, spec.id]);
  });

  it('never gives a GPU whose SM count or memory contradicts the device, and never throws', () => {
    const anyName = fc.oneof(
      fc.string({ maxLength: 400 }),
      fc.constantFrom(
        ...GPU_SPECS.flatMap((spec) => [...spec.names, ...spec.sharedNames]),
        '',
        'gfx942',
        'gfx90a',
      ),
    );
    const maybe = (max: number) => fc.option(fc.double({ min: 0, max, noNaN: true }), { nil: null });
    fc.assert(
      fc.property(anyName, maybe(4e11), fc.option(fc.nat(400), { nil: null }), (name, bytes, sms) => {
        const match = matchGpu(device(name, bytes, sms, [9, 0]));
        if (!match) return whyNoMatch(device(name, bytes, sms, [9, 0])) !== null;
        const { memoryBytes, smCount } = match.spec;
        return (
          (sms === null || sms === smCount.value) &&
          (bytes === null || bytes <= (memoryBytes.value ?? 0) * 1.005)
        );
      }),
      { numRuns: 500 },
    );
  });
});
