import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing } from '../sourced-figure';
import { ampereHasNoSuchUnit } from './ga102';

const sheet = citing('NVIDIA A30 Tensor Core GPU data sheet, 2022');
const brief = citing('NVIDIA A30 product brief, 2021');

export const a30Specs: readonly GpuSpec[] = [
  spec({
    id: 'a30',
    label: 'NVIDIA A30',
    vendor: 'nvidia',
    names: ['NVIDIA A30', 'A30-PCIE-24GB'],
    computeMajor: 8,
    computeMinor: 0,
    peaks: {
      fp64: sheet.says(5.2e12),
      fp64Tensor: sheet.says(10.3e12),
      fp32: sheet.says(10.3e12),
      tf32: sheet.says(82e12),
      bf16: sheet.says(165e12),
      fp16: sheet.says(165e12),
      int8: sheet.says(330e12),
    },
    otherPeaks: ampereHasNoSuchUnit,
    memoryBandwidthBytesPerSec: sheet.says(933e9),
    memoryGib: 24,
    memorySource: sheet.source,
    smCount: brief.says(56),
    boostClockHz: brief.says(1.44e9),
    scaleUpLink: link('nvlink-bridge', sheet.says(200e9)),
    hostLink: link('pcie', sheet.says(64e9)),
    powerLimitW: sheet.says(165),
  }),
];
