import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing, unpublished } from '../sourced-figure';
import { hopper, hopperTensorPeaks } from './h100';

const table = citing(
  'NVIDIA table of HGX H20, L20 and L2, as printed by SemiAnalysis, 9 November 2023 (no public data sheet)',
);

export const h20Specs: readonly GpuSpec[] = [
  spec({
    ...hopper,
    id: 'h20-96gb',
    label: 'NVIDIA H20 96 GB',
    names: ['NVIDIA H20'],
    peaks: {
      fp64: table.says(1e12),
      fp32: table.says(44e12),
      ...hopperTensorPeaks(table.says, [74e12, 148e12, 296e12]),
    },
    memoryBandwidthBytesPerSec: table.says(4e12),
    memoryGib: 96,
    memorySource: table.source,
    smCount: citing('Geekbench listing of the H20, 2024; drivers report 78').says(78),
    boostClockHz: unpublished('the table gives no clock'),
    scaleUpLink: link('nvlink', table.says(900e9)),
    hostLink: link('pcie', table.derives(128e9, 'PCIe 5.0 x16')),
    powerLimitW: table.says(400),
    note: 'The 141 GB version reports another name (H20-3e) and is not in the catalogue: its bandwidth is not published.',
  }),
];
