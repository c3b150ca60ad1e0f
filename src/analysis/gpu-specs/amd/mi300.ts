import { type GpuSpec, link, type PeakId, spec } from '../gpu-spec';
import { type Citation, citing, type SourcedFigure, unpublished } from '../sourced-figure';

const mi300xSheet = citing('AMD Instinct MI300X accelerator data sheet, 2023');
const mi300aSheet = citing('AMD Instinct MI300A APU data sheet, 2023');
const mi325xSheet = citing('AMD Instinct MI325X accelerator data sheet, 2024');

const cdna3 = {
  vendor: 'amd',
  computeMajor: 9,
  computeMinor: 4,
  gfx: 'gfx942',
  otherPeaks: 'CDNA 3 has no matrix unit for this format',
  knownByProperties: true,
} as const;

/** Peaks of a CDNA 3 GPU in TFLOPS, as the data sheets print them without sparsity. */
function peaks(
  sheet: Citation,
  [fp64, fp32, tf32, half, byte]: readonly [number, number, number, number, number],
): Partial<Record<PeakId, SourcedFigure>> {
  return {
    fp64: sheet.says(fp64 * 1e12),
    fp64Tensor: sheet.says(fp32 * 1e12),
    fp32: sheet.says(fp32 * 1e12),
    fp32Tensor: sheet.says(fp32 * 1e12),
    tf32: sheet.says(tf32 * 1e12),
    bf16: sheet.says(half * 1e12),
    fp16: sheet.says(half * 1e12),
    fp8: sheet.says(byte * 1e12),
    int8: sheet.says(byte * 1e12),
  };
}

const sevenLinks = (sheet: Citation) => link('infinity-fabric', sheet.derives(896e9, '7 links of 128 GB/s'));
const pcie5 = (sheet: Citation) => link('pcie', sheet.derives(128e9, 'PCIe 5.0 x16'));

export const mi300Specs: readonly GpuSpec[] = [
  spec({
    ...cdna3,
    id: 'mi300x',
    label: 'AMD Instinct MI300X',
    names: ['AMD Instinct MI300X', 'AMD Instinct MI300X OAM', 'AMD Instinct MI300X VF'],
    peaks: peaks(mi300xSheet, [81.7, 163.4, 653.7, 1307.4, 2614.9]),
    memoryBandwidthBytesPerSec: mi300xSheet.says(5.3e12),
    memoryGib: 192,
    memorySource: mi300xSheet.source,
    smCount: mi300xSheet.says(304),
    boostClockHz: mi300xSheet.says(2.1e9),
    scaleUpLink: sevenLinks(mi300xSheet),
    hostLink: pcie5(mi300xSheet),
    powerLimitW: mi300xSheet.says(750),
  }),
  spec({
    ...cdna3,
    id: 'mi325x',
    label: 'AMD Instinct MI325X',
    names: ['AMD Instinct MI325X', 'AMD Instinct MI325X OAM', 'AMD Instinct MI325X VF'],
    peaks: peaks(mi325xSheet, [81.7, 163.4, 653.7, 1307.4, 2614.9]),
    memoryBandwidthBytesPerSec: mi325xSheet.says(6e12),
    memoryGib: 256,
    memorySource: mi325xSheet.source,
    smCount: mi325xSheet.says(304),
    boostClockHz: mi325xSheet.says(2.1e9),
    scaleUpLink: sevenLinks(mi325xSheet),
    hostLink: pcie5(mi325xSheet),
    powerLimitW: mi325xSheet.says(1000),
  }),
  spec({
    ...cdna3,
    id: 'mi300a',
    label: 'AMD Instinct MI300A',
    names: ['AMD Instinct MI300A'],
    peaks: peaks(mi300aSheet, [61.3, 122.6, 490.3, 980.6, 1961.2]),
    memoryBandwidthBytesPerSec: mi300aSheet.says(5.3e12),
    memoryGib: 128,
    memorySource: mi300aSheet.source,
    smCount: mi300aSheet.says(228),
    boostClockHz: mi300aSheet.says(2.1e9),
    scaleUpLink: link('infinity-fabric', unpublished('depends on how the board shares the links with PCIe')),
    hostLink: link(
      'infinity-fabric',
      unpublished('CPU and GPU share one memory; there is no link to copy over'),
    ),
    powerLimitW: unpublished('published for CPU and GPU together: 550 W, 760 W at peak'),
    note: 'CPU and GPU share the memory and its bandwidth.',
  }),
];
