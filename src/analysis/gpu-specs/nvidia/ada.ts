import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing, type KnownFigure } from '../sourced-figure';

const paper = citing('NVIDIA Ada GPU Architecture white paper, V2.01, 2023, appendix A');
const l4Sheet = citing('NVIDIA L4 Tensor Core GPU data sheet, 2023');
const l40Sheet = citing('NVIDIA L40 data sheet, 2023');
const rtx6000Sheet = citing('NVIDIA RTX 6000 Ada Generation data sheet, 2023');
const l40sSheet = citing('NVIDIA L40S data sheet, 2023');

const noSuchUnit = 'Ada has no tensor unit for this format';
const fp64 = (fp32FlopPerSec: number): KnownFigure =>
  paper.derives(fp32FlopPerSec / 64, '1/64 of the FP32 rate');
const adaPcie = link('pcie', l40sSheet.says(64e9));
const ada = { vendor: 'nvidia', computeMajor: 8, computeMinor: 9, otherPeaks: noSuchUnit } as const;

export const adaSpecs: readonly GpuSpec[] = [
  spec({
    ...ada,
    id: 'l4',
    label: 'NVIDIA L4',
    names: ['NVIDIA L4'],
    peaks: {
      fp64: fp64(30.3e12),
      fp32: l4Sheet.says(30.3e12),
      tf32: l4Sheet.halves(120e12),
      bf16: l4Sheet.halves(242e12),
      fp16: l4Sheet.halves(242e12),
      fp8: l4Sheet.halves(485e12),
      int8: l4Sheet.halves(485e12),
    },
    memoryBandwidthBytesPerSec: l4Sheet.says(300e9),
    memoryGib: 24,
    memorySource: l4Sheet.source,
    smCount: paper.derives(58, '7,424 CUDA cores, 128 per SM; drivers report 58'),
    boostClockHz: l4Sheet.derives(2.04e9, '30.3 TFLOPS FP32 over 7,424 cores'),
    scaleUpLink: link('pcie', l4Sheet.says(64e9)),
    hostLink: link('pcie', l4Sheet.says(64e9)),
    powerLimitW: l4Sheet.says(72),
  }),
  spec({
    ...ada,
    id: 'l40',
    label: 'NVIDIA L40',
    names: ['NVIDIA L40'],
    peaks: {
      fp64: fp64(90.5e12),
      fp32: l40Sheet.says(90.5e12),
      tf32: l40Sheet.says(90.5e12),
      bf16: l40Sheet.says(181.05e12),
      fp16: l40Sheet.says(181.05e12),
      fp8: l40Sheet.says(362e12),
      int8: l40Sheet.says(362e12),
    },
    memoryBandwidthBytesPerSec: l40Sheet.says(864e9),
    memoryGib: 48,
    memorySource: l40Sheet.source,
    smCount: l40Sheet.derives(142, '18,176 CUDA cores, 128 per SM'),
    boostClockHz: l40Sheet.derives(2.49e9, '90.5 TFLOPS FP32 over 18,176 cores'),
    scaleUpLink: link('pcie', l40Sheet.says(64e9)),
    hostLink: link('pcie', l40Sheet.says(64e9)),
    powerLimitW: l40Sheet.says(300),
  }),
  spec({
    ...ada,
    id: 'l40s',
    label: 'NVIDIA L40S',
    names: ['NVIDIA L40S'],
    peaks: {
      fp64: fp64(91.6e12),
      fp32: l40sSheet.says(91.6e12),
      tf32: l40sSheet.says(183e12),
      // Printed so; half of the 733 with sparsity would be 366.5.
      bf16: l40sSheet.says(362.05e12),
      fp16: l40sSheet.says(362.05e12),
      fp8: l40sSheet.says(733e12),
      int8: l40sSheet.says(733e12),
    },
    memoryBandwidthBytesPerSec: l40sSheet.says(864e9),
    memoryGib: 48,
    memorySource: l40sSheet.source,
    smCount: l40sSheet.derives(142, '18,176 CUDA cores, 128 per SM'),
    boostClockHz: l40sSheet.derives(2.52e9, '91.6 TFLOPS FP32 over 18,176 cores'),
    scaleUpLink: adaPcie,
    hostLink: adaPcie,
    powerLimitW: l40sSheet.says(350),
  }),
  spec({
    ...ada,
    id: 'rtx-6000-ada',
    label: 'NVIDIA RTX 6000 Ada Generation',
    names: ['NVIDIA RTX 6000 Ada Generation'],
    peaks: {
      fp64: fp64(91.1e12),
      fp32: rtx6000Sheet.says(91.1e12),
      tf32: rtx6000Sheet.derives(182.1e12, 'an eighth of the FP8 figure with sparsity'),
      bf16: rtx6000Sheet.derives(364.2e12, 'a quarter of the FP8 figure with sparsity'),
      fp16: rtx6000Sheet.derives(364.2e12, 'a quarter of the FP8 figure with sparsity'),
      fp8: rtx6000Sheet.halves(1457e12),
      int8: rtx6000Sheet.halves(1457e12),
    },
    memoryBandwidthBytesPerSec: rtx6000Sheet.says(960e9),
    memoryGib: 48,
    memorySource: rtx6000Sheet.source,
    smCount: rtx6000Sheet.derives(142, '18,176 CUDA cores, 128 per SM'),
    boostClockHz: rtx6000Sheet.derives(2.505e9, '91.1 TFLOPS FP32 over 18,176 cores'),
    scaleUpLink: link('pcie', rtx6000Sheet.derives(64e9, 'PCIe 4.0 x16')),
    hostLink: link('pcie', rtx6000Sheet.derives(64e9, 'PCIe 4.0 x16')),
    powerLimitW: rtx6000Sheet.says(300),
  }),
  spec({
    ...ada,
    id: 'rtx-4090',
    label: 'NVIDIA GeForce RTX 4090',
    names: ['NVIDIA GeForce RTX 4090'],
    peaks: {
      fp64: fp64(82.6e12),
      fp32: paper.says(82.6e12),
      tf32: paper.says(82.6e12),
      bf16: paper.says(165.2e12),
      fp16: paper.derives(
        165.2e12,
        'with FP32 accumulation, as frameworks use it; 330.3 with FP16 accumulation',
      ),
      fp8: paper.derives(330.3e12, 'with FP32 accumulation; 660.6 with FP16 accumulation'),
      int8: paper.says(660.6e12),
    },
    memoryBandwidthBytesPerSec: paper.says(1008e9),
    memoryGib: 24,
    memorySource: paper.source,
    smCount: paper.says(128),
    boostClockHz: paper.says(2.52e9),
    scaleUpLink: link('pcie', paper.derives(64e9, 'PCIe 4.0 x16')),
    hostLink: link('pcie', paper.derives(64e9, 'PCIe 4.0 x16')),
    powerLimitW: paper.says(450),
  }),
];
