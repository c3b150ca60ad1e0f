import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing } from '../sourced-figure';
import { blackwellHasNoSuchUnit } from './b200';

const paper = citing('NVIDIA RTX Blackwell GPU Architecture white paper, 2025, GeForce RTX 5090');
const pcie = link('pcie', paper.derives(128e9, 'PCIe 5.0 x16'));

export const rtx5090Specs: readonly GpuSpec[] = [
  spec({
    id: 'rtx-5090',
    label: 'NVIDIA GeForce RTX 5090',
    vendor: 'nvidia',
    names: ['NVIDIA GeForce RTX 5090'],
    computeMajor: 12,
    computeMinor: 0,
    peaks: {
      fp64: paper.derives(104.8e12 / 64, '1/64 of the FP32 rate'),
      fp32: paper.says(104.8e12),
      tf32: paper.says(104.8e12),
      bf16: paper.says(209.5e12),
      fp16: paper.derives(
        209.5e12,
        'with FP32 accumulation, as frameworks use it; 419 with FP16 accumulation',
      ),
      fp8: paper.derives(419e12, 'with FP32 accumulation; 838 with FP16 accumulation'),
      int8: paper.says(838e12),
      fp4: paper.says(1676e12),
    },
    otherPeaks: blackwellHasNoSuchUnit,
    memoryBandwidthBytesPerSec: paper.says(1792e9),
    memoryGib: 32,
    memorySource: paper.source,
    smCount: paper.says(170),
    boostClockHz: paper.says(2.407e9),
    scaleUpLink: pcie,
    hostLink: pcie,
    powerLimitW: paper.says(575),
  }),
];
