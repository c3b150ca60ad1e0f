import { type GpuSpec, link, type PeakId, spec } from '../gpu-spec';
import { citing, type KnownFigure, type SourcedFigure, unpublished } from '../sourced-figure';
import { blackwellHasNoSuchUnit } from './b200';

const sheet = citing(
  'NVIDIA Blackwell Ultra data sheet, table of single GPUs, as reprinted without sparsity by Verda, "GB300 NVL72 architecture", 2025',
);
const hgx = citing('NVIDIA HGX platform page, HGX B300, 2025');
const hotChips = citing('NVIDIA, "Blackwell Ultra", Hot Chips 2025, as reported by Tom’s Hardware');
const drivers = citing('CUDA device properties of this GPU; NVIDIA prints no SM count');

function peaks(
  fp64: KnownFigure,
  fp4: KnownFigure,
  [fp32, tf32, half, fp8, int8]: readonly [number, number, number, number, number],
): Partial<Record<PeakId, SourcedFigure>> {
  return {
    fp64,
    fp64Tensor: fp64,
    fp32: sheet.says(fp32),
    tf32: sheet.says(tf32),
    bf16: sheet.says(half),
    fp16: sheet.says(half),
    fp8: sheet.says(fp8),
    int8: sheet.says(int8),
    fp4,
  };
}

const blackwellUltra = {
  vendor: 'nvidia',
  computeMajor: 10,
  computeMinor: 3,
  otherPeaks: blackwellHasNoSuchUnit,
  memorySource: sheet.source,
  boostClockHz: unpublished('NVIDIA publishes no clock of this GPU'),
  scaleUpLink: link('nvlink', hgx.says(1.8e12)),
} as const;

export const b300Specs: readonly GpuSpec[] = [
  spec({
    ...blackwellUltra,
    id: 'b300-270gb',
    label: 'NVIDIA B300 270 GB',
    names: ['NVIDIA B300 SXM6 AC', 'NVIDIA B300', 'NVIDIA B300 SXM6'],
    peaks: peaks(
      hgx.splits(10e12, 8, 'eight GPUs'),
      hgx.splits(108e15, 8, 'eight GPUs, without sparsity'),
      [75e12, 1.1e15, 2.25e15, 4.5e15, 150e12],
    ),
    memoryBandwidthBytesPerSec: sheet.says(7.7e12),
    memoryGib: 270,
    smCount: drivers.says(148),
    hostLink: link('pcie', hotChips.derives(256e9, 'PCIe 6.0 x16: 128 GB/s each way')),
    powerLimitW: sheet.says(1100),
  }),
  spec({
    ...blackwellUltra,
    id: 'gb300-279gb',
    label: 'NVIDIA GB300 279 GB',
    names: ['NVIDIA GB300', 'NVIDIA GB300 NVL'],
    peaks: peaks(hotChips.says(1.39e12), sheet.says(15e15), [80e12, 1.25e15, 2.5e15, 5e15, 165e12]),
    memoryBandwidthBytesPerSec: sheet.says(8e12),
    memoryGib: 279,
    smCount: drivers.says(152),
    hostLink: link(
      'nvlink-c2c',
      unpublished('900 GB/s are published for the superchip, which has two GPUs, not for one GPU'),
    ),
    powerLimitW: sheet.says(1400),
  }),
];
