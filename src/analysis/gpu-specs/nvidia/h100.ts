import { type GpuSpec, link, type PeakId, spec } from '../gpu-spec';
import { citing, type Citation, type KnownFigure, type SourcedFigure, unpublished } from '../sourced-figure';

export const h100Paper = citing('NVIDIA H100 Tensor Core GPU Architecture white paper, V1.04');
export const h100Sheet = citing('NVIDIA H100 Tensor Core GPU data sheet, 2024');
const pcieBrief = citing('NVIDIA H100 PCIe GPU product brief, PB-11133-001 v02, November 2022');
const meta = citing(
  'PyTorch torchao, roofline_utils.py, "NVIDIA H100"; arXiv 2604.11391 measures on the same module',
);

export const hopperHasNoSuchUnit = 'Hopper has no tensor unit for this format';
export const hopper = {
  vendor: 'nvidia',
  computeMajor: 9,
  computeMinor: 0,
  otherPeaks: hopperHasNoSuchUnit,
} as const;

/** Tensor peaks as multiples of the 16-bit one, which hold on every Hopper GPU. */
export function hopperTensorPeaks(
  figure: (value: number) => KnownFigure,
  [tf32, half, byte]: readonly [number, number, number],
): Partial<Record<PeakId, SourcedFigure>> {
  return {
    tf32: figure(tf32),
    bf16: figure(half),
    fp16: figure(half),
    fp8: figure(byte),
    int8: figure(byte),
  };
}

/** Peaks of the 132 SMs of an SXM5 module; `from` says the figures or derives them from the H100. */
export function sxm5Peaks(from: (value: number) => KnownFigure): Partial<Record<PeakId, SourcedFigure>> {
  return {
    fp64: from(33.5e12),
    fp64Tensor: from(66.9e12),
    fp32: from(66.9e12),
    ...hopperTensorPeaks(from, [494.7e12, 989.4e12, 1978.9e12]),
  };
}

/** Peaks of an NVL card (132 SMs at lower clocks); its data sheets print tensor figures with sparsity only. */
export function nvlPeaks(sheet: Citation): Partial<Record<PeakId, SourcedFigure>> {
  return {
    fp64: sheet.says(30e12),
    fp64Tensor: sheet.says(60e12),
    fp32: sheet.says(60e12),
    ...hopperTensorPeaks(sheet.halves, [835e12, 1671e12, 3341e12]),
  };
}

/** Peaks of the PCIe card (114 SMs). */
export const h100PciePeaks = {
  fp64: h100Paper.says(25.6e12),
  fp64Tensor: h100Paper.says(51.2e12),
  fp32: h100Paper.says(51.2e12),
  ...hopperTensorPeaks(h100Paper.says, [378e12, 756e12, 1513e12]),
};

export const sxm5BoostClockHz = h100Paper.derives(1.98e9, 'the tensor peaks are stated at 1.83 GHz');
export const h100PcieBandwidth = pcieBrief.says(2039e9);
const pcie5 = link('pcie', h100Sheet.says(128e9));

export const h100Specs: readonly GpuSpec[] = [
  spec({
    ...hopper,
    id: 'h100-sxm5-80gb',
    label: 'NVIDIA H100 SXM5 80 GB',
    names: ['NVIDIA H100 80GB HBM3', 'NVIDIA H100-SXM5-80GB', 'NVIDIA H100 SXM5'],
    sharedNames: ['NVIDIA H100'],
    peaks: sxm5Peaks(h100Paper.says),
    memoryBandwidthBytesPerSec: h100Sheet.says(3.35e12),
    memoryGib: 80,
    memorySource: h100Sheet.source,
    smCount: h100Paper.says(132),
    boostClockHz: sxm5BoostClockHz,
    scaleUpLink: link('nvlink', h100Sheet.says(900e9)),
    hostLink: pcie5,
    powerLimitW: h100Sheet.says(700),
  }),
  spec({
    ...hopper,
    id: 'h100-sxm5-96gb',
    label: 'NVIDIA H100 SXM5 96 GB HBM2e',
    names: [],
    sharedNames: ['NVIDIA H100'],
    peaks: sxm5Peaks((value) => h100Paper.derives(value, 'the SXM5 module with other memory')),
    memoryBandwidthBytesPerSec: meta.says(2.4e12),
    memoryGib: 96,
    memorySource: meta.source,
    smCount: h100Paper.says(132),
    boostClockHz: sxm5BoostClockHz,
    scaleUpLink: link('nvlink', h100Sheet.says(900e9)),
    hostLink: pcie5,
    powerLimitW: unpublished('operators cap this module at 500 to 700 W; NVIDIA publishes no data sheet'),
    note: 'Made for single operators; drivers call it "NVIDIA H100", and only its memory size tells it from the 80 GB module.',
  }),
  spec({
    ...hopper,
    id: 'h100-pcie-80gb',
    label: 'NVIDIA H100 PCIe 80 GB',
    names: ['NVIDIA H100 PCIe', 'NVIDIA H100 80GB HBM2e', 'NVIDIA H100 80GB PCIe'],
    sharedNames: ['NVIDIA H100'],
    peaks: h100PciePeaks,
    memoryBandwidthBytesPerSec: h100PcieBandwidth,
    memoryGib: 80,
    memorySource: pcieBrief.source,
    smCount: h100Paper.says(114),
    boostClockHz: h100Paper.says(1.755e9),
    scaleUpLink: link('nvlink-bridge', h100Paper.says(600e9)),
    hostLink: pcie5,
    powerLimitW: pcieBrief.says(350),
  }),
  spec({
    ...hopper,
    id: 'h100-nvl-94gb',
    label: 'NVIDIA H100 NVL 94 GB',
    names: ['NVIDIA H100 NVL'],
    peaks: nvlPeaks(h100Sheet),
    memoryBandwidthBytesPerSec: h100Sheet.says(3.9e12),
    memoryGib: 94,
    memorySource: h100Sheet.source,
    smCount: h100Sheet.derives(132, '60 TFLOPS FP32 at 1.785 GHz; drivers report 132'),
    boostClockHz: citing('NVIDIA H100 NVL GPU product brief, 2024').says(1.785e9),
    scaleUpLink: link('nvlink-bridge', h100Sheet.says(600e9)),
    hostLink: pcie5,
    powerLimitW: h100Sheet.derives(400, 'the upper end of 350 to 400 W'),
    note: 'One card. Early data sheets give the figures of a bridged pair, which are twice these.',
  }),
];
