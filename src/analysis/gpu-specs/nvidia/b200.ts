import { type GpuSpec, link, type PeakId, spec } from '../gpu-spec';
import { citing, type SourcedFigure, unpublished } from '../sourced-figure';

const sheet = citing(
  'NVIDIA Blackwell Architecture data sheet, 2025, "Individual Blackwell GPU specifications"',
);
const noClock = unpublished('NVIDIA publishes no clock of this GPU');
const drivers = citing('CUDA device properties of this GPU; NVIDIA prints no SM count');

export const blackwellHasNoSuchUnit = 'Blackwell has no tensor unit for this format';
const nvlink5 = link('nvlink', sheet.says(1.8e12));

function peaks(
  fp64: number,
  fp32: number,
  sparse: [tf32: number, half: number, byte: number, fp4: number],
): Partial<Record<PeakId, SourcedFigure>> {
  return {
    fp64: sheet.says(fp64),
    fp64Tensor: sheet.says(fp64),
    fp32: sheet.says(fp32),
    tf32: sheet.halves(sparse[0]),
    bf16: sheet.halves(sparse[1]),
    fp16: sheet.halves(sparse[1]),
    fp8: sheet.halves(sparse[2]),
    int8: sheet.halves(sparse[2]),
    fp4: sheet.halves(sparse[3]),
  };
}

export const b200Specs: readonly GpuSpec[] = [
  spec({
    id: 'b200-180gb',
    label: 'NVIDIA B200 180 GB',
    vendor: 'nvidia',
    names: ['NVIDIA B200', 'NVIDIA B200 SXM6'],
    computeMajor: 10,
    computeMinor: 0,
    peaks: peaks(37e12, 75e12, [2.2e15, 4.5e15, 9e15, 18e15]),
    otherPeaks: blackwellHasNoSuchUnit,
    // 7,680 bit at 3,996 MHz, as drivers report them; the DGX B200 data sheet rounds to 64 TB/s for eight.
    memoryBandwidthBytesPerSec: sheet.says(7.7e12),
    memoryGib: 180,
    memorySource: sheet.source,
    smCount: drivers.says(148),
    boostClockHz: noClock,
    scaleUpLink: nvlink5,
    hostLink: link('pcie', sheet.says(128e9)),
    powerLimitW: sheet.says(1000),
  }),
  spec({
    id: 'gb200-186gb',
    label: 'NVIDIA GB200 186 GB',
    vendor: 'nvidia',
    names: ['NVIDIA GB200', 'NVIDIA GB200 NVL'],
    computeMajor: 10,
    computeMinor: 0,
    peaks: peaks(40e12, 80e12, [2.5e15, 5e15, 10e15, 20e15]),
    otherPeaks: blackwellHasNoSuchUnit,
    memoryBandwidthBytesPerSec: sheet.says(8e12),
    memoryGib: 186,
    memorySource: sheet.source,
    smCount: drivers.says(152),
    boostClockHz: noClock,
    scaleUpLink: nvlink5,
    hostLink: link(
      'nvlink-c2c',
      unpublished('900 GB/s are published for the superchip, which has two GPUs, not for one GPU'),
    ),
    powerLimitW: sheet.says(1200),
  }),
];
