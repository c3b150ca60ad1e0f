import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing } from '../sourced-figure';

const paper = citing('NVIDIA Turing GPU Architecture white paper, WP-09183-001, 2018, Tesla T4');
const sheet = citing('NVIDIA T4 Tensor Core GPU data sheet, 2019');
const pcie = link('pcie', sheet.says(32e9));

export const t4Specs: readonly GpuSpec[] = [
  spec({
    id: 't4',
    label: 'NVIDIA T4',
    vendor: 'nvidia',
    names: ['Tesla T4', 'NVIDIA T4'],
    computeMajor: 7,
    computeMinor: 5,
    peaks: {
      fp64: paper.derives(254.4e9, '2 FP64 units per SM: 1/32 of the FP32 rate'),
      fp32: sheet.says(8.1e12),
      fp16: sheet.says(65e12),
      int8: sheet.says(130e12),
    },
    otherPeaks: 'Turing has tensor cores for FP16 and integers only',
    // The data sheet prints "300 GB/s"; 256 bit at 10 Gbit/s are the 320 GB/s of the white paper.
    memoryBandwidthBytesPerSec: paper.says(320e9),
    memoryGib: 16,
    memorySource: sheet.source,
    smCount: paper.says(40),
    boostClockHz: paper.says(1.59e9),
    scaleUpLink: pcie,
    hostLink: pcie,
    powerLimitW: sheet.says(70),
  }),
];
