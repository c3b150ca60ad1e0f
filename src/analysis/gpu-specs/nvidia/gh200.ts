import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing, unpublished } from '../sourced-figure';
import { h100Paper, hopper, hopperTensorPeaks, sxm5BoostClockHz } from './h100';

const sheet = citing('NVIDIA GH200 Grace Hopper Superchip data sheet, 2024');

const gh200 = {
  ...hopper,
  peaks: {
    fp64: sheet.says(34e12),
    fp64Tensor: sheet.says(67e12),
    fp32: sheet.says(67e12),
    ...hopperTensorPeaks(sheet.halves, [989e12, 1979e12, 3958e12]),
  },
  memorySource: sheet.source,
  smCount: h100Paper.derives(132, 'the chip of the H100 SXM5; drivers report 132'),
  boostClockHz: sxm5BoostClockHz,
  scaleUpLink: link('nvlink', sheet.says(900e9)),
  hostLink: link('nvlink-c2c', sheet.says(900e9)),
  powerLimitW: unpublished('published for CPU, GPU and memory together: 450 to 1000 W, set by the operator'),
};

export const gh200Specs: readonly GpuSpec[] = [
  spec({
    ...gh200,
    id: 'gh200-96gb',
    label: 'NVIDIA GH200 96 GB HBM3',
    names: ['NVIDIA GH200 480GB', 'NVIDIA GH200 120GB', 'NVIDIA GH200 240GB', 'NVIDIA GH200 96GB HBM3'],
    sharedNames: ['NVIDIA GH200'],
    memoryBandwidthBytesPerSec: sheet.says(4e12),
    memoryGib: 96,
    note: 'The size in the name is that of the memory of the CPU.',
  }),
  spec({
    ...gh200,
    id: 'gh200-144gb',
    label: 'NVIDIA GH200 144 GB HBM3e',
    names: ['NVIDIA GH200 144G HBM3e', 'NVIDIA GH200 144GB HBM3e'],
    sharedNames: ['NVIDIA GH200'],
    memoryBandwidthBytesPerSec: sheet.says(4.9e12),
    memoryGib: 144,
  }),
];
