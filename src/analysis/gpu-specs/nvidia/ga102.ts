import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing, type KnownFigure } from '../sourced-figure';

const paper = citing('NVIDIA Ampere GA102 GPU Architecture white paper, V2.0, 2021, appendices A and C');
const a6000Sheet = citing('NVIDIA RTX A6000 data sheet, 2020');
const a40Sheet = citing('NVIDIA A40 data sheet, 2021');

export const ampereHasNoSuchUnit = 'this Ampere GPU has no tensor unit for this format';

/** FP64 of a GA102: two FP64 units for 128 FP32 units in each SM. */
export function ga102Fp64(fp32FlopPerSec: number): KnownFigure {
  return paper.derives(fp32FlopPerSec / 64, '1/64 of the FP32 rate');
}

export const ga102Specs: readonly GpuSpec[] = [
  spec({
    id: 'rtx-a6000',
    label: 'NVIDIA RTX A6000',
    vendor: 'nvidia',
    names: ['NVIDIA RTX A6000', 'Quadro RTX A6000'],
    computeMajor: 8,
    computeMinor: 6,
    peaks: {
      fp64: ga102Fp64(38.7e12),
      fp32: paper.says(38.7e12),
      tf32: paper.says(77.4e12),
      bf16: paper.says(154.8e12),
      fp16: paper.says(154.8e12),
      int8: paper.says(309.7e12),
    },
    otherPeaks: ampereHasNoSuchUnit,
    memoryBandwidthBytesPerSec: a6000Sheet.says(768e9),
    memoryGib: 48,
    memorySource: a6000Sheet.source,
    smCount: paper.says(84),
    boostClockHz: paper.says(1.8e9),
    scaleUpLink: link('nvlink-bridge', a6000Sheet.says(112.5e9)),
    hostLink: link('pcie', a6000Sheet.derives(64e9, 'PCIe 4.0 x16')),
    powerLimitW: a6000Sheet.says(300),
  }),
  spec({
    id: 'a40',
    label: 'NVIDIA A40',
    vendor: 'nvidia',
    names: ['NVIDIA A40', 'A40-PCIE-48GB'],
    computeMajor: 8,
    computeMinor: 6,
    peaks: {
      fp64: ga102Fp64(37.4e12),
      fp32: a40Sheet.says(37.4e12),
      tf32: a40Sheet.says(74.8e12),
      bf16: a40Sheet.says(149.7e12),
      fp16: a40Sheet.says(149.7e12),
      int8: a40Sheet.says(299.3e12),
    },
    otherPeaks: ampereHasNoSuchUnit,
    memoryBandwidthBytesPerSec: a40Sheet.says(696e9),
    memoryGib: 48,
    memorySource: a40Sheet.source,
    smCount: a40Sheet.derives(84, '10,752 CUDA cores, 128 per SM'),
    boostClockHz: a40Sheet.derives(1.74e9, '37.4 TFLOPS FP32 over 10,752 cores'),
    scaleUpLink: link('nvlink-bridge', a40Sheet.says(112.5e9)),
    hostLink: link('pcie', a40Sheet.says(64e9)),
    powerLimitW: a40Sheet.says(300),
  }),
  spec({
    id: 'rtx-3090',
    label: 'NVIDIA GeForce RTX 3090',
    vendor: 'nvidia',
    names: ['NVIDIA GeForce RTX 3090'],
    computeMajor: 8,
    computeMinor: 6,
    peaks: {
      fp64: ga102Fp64(35.6e12),
      fp32: paper.says(35.6e12),
      tf32: paper.says(35.6e12),
      bf16: paper.says(71e12),
      fp16: paper.derives(71e12, 'with FP32 accumulation, as frameworks use it; 142 with FP16 accumulation'),
      int8: paper.says(284e12),
    },
    otherPeaks: ampereHasNoSuchUnit,
    memoryBandwidthBytesPerSec: paper.says(936e9),
    memoryGib: 24,
    memorySource: paper.source,
    smCount: paper.says(82),
    boostClockHz: paper.says(1.695e9),
    scaleUpLink: link('nvlink-bridge', paper.says(112.5e9)),
    hostLink: link('pcie', paper.derives(64e9, 'PCIe 4.0 x16')),
    powerLimitW: paper.says(350),
  }),
];
