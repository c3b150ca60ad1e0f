import { type GpuSpec, link, spec } from '../gpu-spec';
import { citing, type SourcedFigure, unpublished } from '../sourced-figure';

const sheet = citing('NVIDIA V100 Tensor Core GPU data sheet, 1165301-r5, January 2020');
const paper = citing('NVIDIA Tesla V100 GPU Architecture white paper, WP-08608-001 v1.1, August 2017');
const station = citing('NVIDIA DGX Station with V100 data sheet, 2018');

interface Variant {
  id: string;
  label: string;
  memoryGib: number;
  names: string[];
  sharedNames?: string[];
  tflops: [fp64: number, fp32: number, fp16: number];
  bandwidth?: number;
  boostClockHz: SourcedFigure;
  scaleUpLink: GpuSpec['scaleUpLink'];
  powerLimitW: SourcedFigure;
}

const pcie = link('pcie', sheet.says(32e9));
const noClock = unpublished('the data sheet gives no clock');

function v100({ tflops: [fp64, fp32, fp16], bandwidth = 900e9, ...variant }: Variant): GpuSpec {
  return spec({
    vendor: 'nvidia',
    computeMajor: 7,
    computeMinor: 0,
    peaks: { fp64: sheet.says(fp64 * 1e12), fp32: sheet.says(fp32 * 1e12), fp16: sheet.says(fp16 * 1e12) },
    otherPeaks: 'Volta has tensor cores for FP16 only',
    memoryBandwidthBytesPerSec: sheet.says(bandwidth),
    memorySource: sheet.source,
    smCount: paper.says(80),
    hostLink: pcie,
    ...variant,
  });
}

const sxm2 = {
  tflops: [7.8, 15.7, 125] as Variant['tflops'],
  boostClockHz: paper.says(1.53e9),
  scaleUpLink: link('nvlink', sheet.says(300e9)),
  powerLimitW: sheet.says(300),
};
const card = {
  tflops: [7, 14, 112] as Variant['tflops'],
  boostClockHz: citing('NVIDIA Tesla V100 PCIe product brief, PB-08744-001 v03, October 2017').says(1.38e9),
  scaleUpLink: pcie,
  powerLimitW: sheet.says(250),
};

export const v100Specs: readonly GpuSpec[] = [
  v100({
    id: 'v100-sxm2-16gb',
    label: 'NVIDIA V100 SXM2 16 GB',
    memoryGib: 16,
    names: ['Tesla V100-SXM2-16GB'],
    sharedNames: ['Tesla V100-SXM2'],
    ...sxm2,
  }),
  v100({
    id: 'v100-sxm2-32gb',
    label: 'NVIDIA V100 SXM2 32 GB',
    memoryGib: 32,
    names: ['Tesla V100-SXM2-32GB'],
    sharedNames: ['Tesla V100-SXM2'],
    ...sxm2,
  }),
  v100({
    id: 'v100-dgx-station-32gb',
    label: 'NVIDIA V100 32 GB of a DGX Station',
    memoryGib: 32,
    names: ['Tesla V100-DGXS-32GB'],
    ...sxm2,
    scaleUpLink: link(
      'nvlink',
      unpublished('the four-way NVLink of a DGX Station is published as a drawing only'),
    ),
    powerLimitW: unpublished(`published for the whole station only (1500 W, ${station.source})`),
  }),
  v100({
    id: 'v100-pcie-16gb',
    label: 'NVIDIA V100 PCIe 16 GB',
    memoryGib: 16,
    names: ['Tesla V100-PCIE-16GB'],
    sharedNames: ['Tesla V100-PCIE'],
    ...card,
  }),
  v100({
    id: 'v100-pcie-32gb',
    label: 'NVIDIA V100 PCIe 32 GB',
    memoryGib: 32,
    names: ['Tesla V100-PCIE-32GB'],
    sharedNames: ['Tesla V100-PCIE'],
    ...card,
  }),
  v100({
    id: 'v100s-pcie-32gb',
    label: 'NVIDIA V100S PCIe 32 GB',
    memoryGib: 32,
    names: ['Tesla V100S-PCIE-32GB'],
    tflops: [8.2, 16.4, 130],
    bandwidth: 1134e9,
    boostClockHz: noClock,
    scaleUpLink: pcie,
    powerLimitW: sheet.says(250),
  }),
];
