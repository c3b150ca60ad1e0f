import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing, type SourcedFigure, unpublished } from '../sourced-figure';
import {
  h100PcieBandwidth,
  h100PciePeaks,
  h100Paper,
  h100Sheet,
  hopper,
  sxm5BoostClockHz,
  sxm5Peaks,
} from './h100';

const deepseek = citing('Insights into DeepSeek-V3, ISCA 2025, description of the H800 node');
const asH100 =
  'the H800 is an H100 with less NVLink and FP64 throughput; NVIDIA publishes no data sheet of it';
const noFp64 = unpublished(
  'FP64 is cut on the H800; NVIDIA publishes no data sheet, resellers print 1 TFLOPS',
);
const derived = (figure: SourcedFigure): SourcedFigure =>
  figure.value === null ? figure : { ...figure, derivation: asH100 };

export const h800Specs: readonly GpuSpec[] = [
  spec({
    ...hopper,
    id: 'h800-sxm5-80gb',
    label: 'NVIDIA H800 SXM5 80 GB',
    names: ['NVIDIA H800 SXM5', 'NVIDIA H800 80GB HBM3'],
    sharedNames: ['NVIDIA H800'],
    peaks: {
      ...sxm5Peaks((value) => h100Paper.derives(value, asH100)),
      fp64: noFp64,
      fp64Tensor: noFp64,
    },
    memoryBandwidthBytesPerSec: h100Sheet.derives(3.35e12, asH100),
    memoryGib: 80,
    memorySource: h100Sheet.source,
    smCount: h100Paper.derives(132, asH100),
    boostClockHz: sxm5BoostClockHz,
    scaleUpLink: link('nvlink', deepseek.says(400e9)),
    hostLink: link('pcie', h100Sheet.derives(128e9, asH100)),
    powerLimitW: h100Sheet.derives(700, asH100),
  }),
  spec({
    ...hopper,
    id: 'h800-pcie-80gb',
    label: 'NVIDIA H800 PCIe 80 GB',
    names: ['NVIDIA H800 PCIe'],
    sharedNames: ['NVIDIA H800'],
    peaks: {
      ...Object.fromEntries(Object.entries(h100PciePeaks).map(([id, figure]) => [id, derived(figure)])),
      fp64: noFp64,
      fp64Tensor: noFp64,
    },
    memoryBandwidthBytesPerSec: derived(h100PcieBandwidth),
    memoryGib: 80,
    memorySource: h100Sheet.source,
    smCount: h100Paper.derives(114, asH100),
    boostClockHz: h100Paper.derives(1.755e9, asH100),
    scaleUpLink: link('nvlink-bridge', unpublished('NVIDIA publishes no data sheet of the H800 PCIe')),
    hostLink: link('pcie', h100Sheet.derives(128e9, asH100)),
    powerLimitW: h100Sheet.derives(350, asH100),
  }),
];
