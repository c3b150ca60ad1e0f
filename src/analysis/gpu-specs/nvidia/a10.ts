import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing, unpublished } from '../sourced-figure';
import { ampereHasNoSuchUnit, ga102Fp64 } from './ga102';

const sheet = citing('NVIDIA A10 Tensor Core GPU data sheet, 2021');
const brief = citing('NVIDIA A10 product brief, 2021');
const awsSheet = citing('NVIDIA A10G Tensor Core GPU data sheet for AWS, 17 February 2022');
const pcie = link('pcie', sheet.says(64e9));

export const a10Specs: readonly GpuSpec[] = [
  spec({
    id: 'a10',
    label: 'NVIDIA A10',
    vendor: 'nvidia',
    names: ['NVIDIA A10', 'A10-PCIE-24GB'],
    computeMajor: 8,
    computeMinor: 6,
    peaks: {
      fp64: ga102Fp64(31.2e12),
      fp32: sheet.says(31.2e12),
      tf32: sheet.says(62.5e12),
      bf16: sheet.says(125e12),
      fp16: sheet.says(125e12),
      int8: sheet.says(250e12),
    },
    otherPeaks: ampereHasNoSuchUnit,
    memoryBandwidthBytesPerSec: sheet.says(600e9),
    memoryGib: 24,
    memorySource: sheet.source,
    smCount: brief.says(72),
    boostClockHz: brief.says(1.695e9),
    scaleUpLink: pcie,
    hostLink: pcie,
    powerLimitW: sheet.says(150),
  }),
  spec({
    id: 'a10g',
    label: 'NVIDIA A10G',
    vendor: 'nvidia',
    names: ['NVIDIA A10G'],
    computeMajor: 8,
    computeMinor: 6,
    peaks: {
      fp64: ga102Fp64(35e12),
      fp32: awsSheet.says(35e12),
      tf32: awsSheet.says(35e12),
      bf16: awsSheet.says(70e12),
      fp16: awsSheet.says(70e12),
      int8: awsSheet.says(140e12),
    },
    otherPeaks: ampereHasNoSuchUnit,
    memoryBandwidthBytesPerSec: awsSheet.says(600e9),
    memoryGib: 24,
    memorySource: awsSheet.source,
    smCount: awsSheet.derives(80, '10,240 CUDA cores, 128 per SM; drivers report 80'),
    boostClockHz: unpublished('the data sheet gives no clock'),
    scaleUpLink: link('pcie', awsSheet.says(64e9)),
    hostLink: link('pcie', awsSheet.says(64e9)),
    powerLimitW: unpublished('150 W in the data sheet, 300 W in the driver of G5 instances'),
  }),
];
