import { type GpuSpec } from '../gpu-spec';
import { citing } from '../sourced-figure';
import { ga100 } from './a100';

const statement = citing('NVIDIA statement on the A800, as reported by Reuters, 7 November 2022');
const sheet = citing('NVIDIA A100 Tensor Core GPU data sheet, nvidia-1758950-r4');
const asA100 = 'an A100 with NVLink cut to 400 GB/s; its product table repeats the other figures of the A100';
const nvlink = statement.says(400e9);

export const a800Specs: readonly GpuSpec[] = [
  ga100({
    id: 'a800-sxm4-80gb',
    label: 'NVIDIA A800 SXM4 80 GB',
    names: ['NVIDIA A800-SXM4-80GB'],
    sharedNames: ['NVIDIA A800-SXM4'],
    memoryGib: 80,
    bandwidthBytesPerSec: 2039e9,
    scaleUp: { kind: 'nvlink', total: nvlink },
    powerLimitW: sheet.derives(400, asA100),
    derivation: asA100,
  }),
  ga100({
    id: 'a800-sxm4-40gb',
    label: 'NVIDIA A800 SXM4 40 GB',
    names: ['NVIDIA A800-SXM4-40GB'],
    sharedNames: ['NVIDIA A800-SXM4'],
    memoryGib: 40,
    bandwidthBytesPerSec: 1555e9,
    scaleUp: { kind: 'nvlink', total: nvlink },
    powerLimitW: sheet.derives(400, asA100),
    derivation: asA100,
  }),
  ga100({
    id: 'a800-pcie-80gb',
    label: 'NVIDIA A800 PCIe 80 GB',
    names: ['NVIDIA A800 80GB PCIe', 'NVIDIA A800-PCIE-80GB'],
    memoryGib: 80,
    bandwidthBytesPerSec: 1935e9,
    scaleUp: { kind: 'nvlink-bridge', total: nvlink },
    powerLimitW: sheet.derives(300, asA100),
    derivation: asA100,
  }),
  ga100({
    id: 'a800-pcie-40gb',
    label: 'NVIDIA A800 PCIe 40 GB',
    names: ['NVIDIA A800-PCIE-40GB', 'NVIDIA A800 40GB PCIe'],
    memoryGib: 40,
    bandwidthBytesPerSec: 1555e9,
    scaleUp: { kind: 'nvlink-bridge', total: nvlink },
    powerLimitW: sheet.derives(250, asA100),
    derivation: asA100,
  }),
];
