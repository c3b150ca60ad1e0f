import { type GpuSpec, link, type PeakId, spec } from '../gpu-spec';
import { citing, type KnownFigure, type SourcedFigure, unpublished } from '../sourced-figure';

const mi210Sheet = citing('AMD Instinct MI210 accelerator data sheet, 2022');
const mi250Sheet = citing('AMD Instinct MI250 accelerator data sheet, 2021');
const mi250xSheet = citing('AMD Instinct MI250X accelerator data sheet, 2021');
const rocm = citing('ROCm documentation, "AMD GPU specifications"');

const perGcd =
  'A package holds two dies (GCDs). Drivers and traces show each as a device of its own; all figures are for one GCD.';
const twoGcds = 'the package of two GCDs';
const cdna2 = {
  vendor: 'amd',
  computeMajor: 9,
  computeMinor: 0,
  gfx: 'gfx90a',
  otherPeaks: 'CDNA 2 has no matrix unit for this format',
  memoryGib: 64,
  boostClockHz: mi210Sheet.says(1.7e9),
  hostLink: link('pcie', mi210Sheet.derives(64e9, 'PCIe 4.0 x16; some hosts use Infinity Fabric')),
} as const;

/** `figure` takes the figure of one device out of the printed one. */
function peaks(
  figure: (printed: number) => KnownFigure,
  [vector, matrix, half]: readonly [number, number, number],
): Partial<Record<PeakId, SourcedFigure>> {
  return {
    fp64: figure(vector),
    fp64Tensor: figure(matrix),
    fp32: figure(vector),
    fp32Tensor: figure(matrix),
    bf16: figure(half),
    fp16: figure(half),
    int8: figure(half),
  };
}

const mi210Figures = {
  peaks: peaks(mi210Sheet.says, [22.6e12, 45.3e12, 181e12]),
  memoryBandwidthBytesPerSec: mi210Sheet.says(1638.4e9),
  memorySource: mi210Sheet.source,
  smCount: rocm.says(104),
};

export const mi200Specs: readonly GpuSpec[] = [
  spec({
    ...cdna2,
    ...mi210Figures,
    id: 'mi210',
    label: 'AMD Instinct MI210',
    names: ['AMD Instinct MI210'],
    scaleUpLink: link('infinity-fabric', mi210Sheet.derives(300e9, '3 links of 100 GB/s')),
    powerLimitW: mi210Sheet.says(300),
  }),
  spec({
    ...cdna2,
    id: 'mi250-gcd',
    label: 'AMD Instinct MI250 (one GCD)',
    names: ['AMD Instinct MI250', 'AMD INSTINCT MI250 (MCM) OAM AC MBA'],
    sharedNames: ['AMD Instinct MI250X / MI250'],
    peaks: peaks((printed) => mi250Sheet.splits(printed, 2, twoGcds), [45.3e12, 90.5e12, 362.1e12]),
    memoryBandwidthBytesPerSec: mi250Sheet.splits(3276.8e9, 2, twoGcds),
    memorySource: mi250Sheet.source,
    smCount: mi250Sheet.splits(208, 2, twoGcds),
    scaleUpLink: link(
      'infinity-fabric',
      mi250Sheet.splits(600e9, 2, 'the 6 links of 100 GB/s of the package'),
    ),
    powerLimitW: unpublished('published for the package of two GCDs: 500 W, 560 W at peak'),
    note: perGcd,
  }),
  spec({
    ...cdna2,
    id: 'mi250x-gcd',
    label: 'AMD Instinct MI250X (one GCD)',
    names: ['AMD Instinct MI250X', 'AMD INSTINCT MI250X (MCM) OAM AC MBA'],
    sharedNames: ['AMD Instinct MI250X / MI250'],
    knownByProperties: true,
    peaks: peaks((printed) => mi250xSheet.splits(printed, 2, twoGcds), [47.9e12, 95.7e12, 383e12]),
    memoryBandwidthBytesPerSec: mi250xSheet.splits(3276.8e9, 2, twoGcds),
    memorySource: mi250xSheet.source,
    smCount: mi250xSheet.splits(220, 2, twoGcds),
    scaleUpLink: link(
      'infinity-fabric',
      mi250xSheet.splits(
        800e9,
        2,
        'the 8 links of 100 GB/s of the package, some of which may go to the host',
      ),
    ),
    powerLimitW: unpublished('published for the package of two GCDs: 500 W, 560 W at peak'),
    note: perGcd,
  }),
  spec({
    ...cdna2,
    ...mi210Figures,
    id: 'mi210-or-mi250-gcd',
    label: 'AMD Instinct MI210 or MI250 (one GCD)',
    names: [],
    knownByProperties: true,
    scaleUpLink: link('infinity-fabric', unpublished('MI210 and MI250 differ in their links')),
    powerLimitW: unpublished('MI210 and MI250 differ in their power limits'),
    note: 'Without a name, an MI210 and a GCD of an MI250 look alike; their arithmetic and memory are the same.',
  }),
];
