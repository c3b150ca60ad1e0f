import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing, unpublished } from '../sourced-figure';
import { h100Paper, hopper, nvlPeaks, sxm5BoostClockHz, sxm5Peaks } from './h100';

const sheet = citing('NVIDIA H200 Tensor Core GPU data sheet, 2024');
const sameChip = 'the chip and clocks of the H100 SXM5; the H200 data sheet prints 1,979 with sparsity';

export const h200Specs: readonly GpuSpec[] = [
  spec({
    ...hopper,
    id: 'h200-sxm5-141gb',
    label: 'NVIDIA H200 SXM5 141 GB',
    names: ['NVIDIA H200', 'NVIDIA H200 141GB HBM3e', 'NVIDIA H200 SXM5'],
    peaks: sxm5Peaks((value) => h100Paper.derives(value, sameChip)),
    memoryBandwidthBytesPerSec: sheet.says(4.8e12),
    memoryGib: 141,
    memorySource: sheet.source,
    smCount: h100Paper.derives(132, 'the chip of the H100 SXM5; drivers report 132'),
    boostClockHz: sxm5BoostClockHz,
    scaleUpLink: link('nvlink', sheet.says(900e9)),
    hostLink: link('pcie', sheet.says(128e9)),
    powerLimitW: sheet.says(700),
  }),
  spec({
    ...hopper,
    id: 'h200-nvl-141gb',
    label: 'NVIDIA H200 NVL 141 GB',
    names: ['NVIDIA H200 NVL'],
    peaks: nvlPeaks(sheet),
    memoryBandwidthBytesPerSec: sheet.says(4.8e12),
    memoryGib: 141,
    memorySource: sheet.source,
    smCount: h100Paper.derives(132, 'the chip of the H100 NVL; drivers report 132'),
    boostClockHz: unpublished('the data sheet gives no clock'),
    scaleUpLink: link('nvlink-bridge', sheet.says(900e9)),
    hostLink: link('pcie', sheet.says(128e9)),
    powerLimitW: sheet.says(600),
  }),
];
