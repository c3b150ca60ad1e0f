import { type GpuSpec, link, type PeakId, spec } from '../gpu-spec';
import { citing, type SourcedFigure } from '../sourced-figure';

const mi355xSheet = citing('AMD Instinct MI355X GPU data sheet, 2025');
const mi350xSheet = citing('AMD Instinct MI350X GPU data sheet, 2025');
const paper = citing('AMD CDNA 4 Architecture white paper, 2025');

const cdna4 = {
  vendor: 'amd',
  computeMajor: 9,
  computeMinor: 5,
  gfx: 'gfx950',
  otherPeaks: 'CDNA 4 has no matrix unit for this format',
  // MI350X and MI355X have the same units and memory, so properties alone stay ambiguous, and are reported so.
  knownByProperties: true,
  memoryGib: 288,
  scaleUpLink: link('infinity-fabric', paper.derives(1075.2e9, '7 links of 153.6 GB/s')),
  hostLink: link('pcie', paper.derives(128e9, 'PCIe 5.0 x16')),
} as const;

/** Dense flop per clock and compute unit, CDNA 4. */
const FLOP_PER_CLOCK = { fp64: 128, fp32: 256, half: 4096, byte: 8192, fp4: 16384 };
const COMPUTE_UNITS = 256;

/** The data sheets round to 0.1 PFLOPS; clock, units and rates give the exact figures behind them. */
function peaks(clockHz: number): Partial<Record<PeakId, SourcedFigure>> {
  const figure = (rate: number) =>
    paper.derives(
      rate * COMPUTE_UNITS * clockHz,
      `${rate} flop per clock and compute unit, ${COMPUTE_UNITS} compute units, ${clockHz / 1e9} GHz, without sparsity`,
    );
  const { fp64, fp32, half, byte, fp4 } = FLOP_PER_CLOCK;
  return {
    fp64: figure(fp64),
    fp64Tensor: figure(fp64),
    fp32: figure(fp32),
    fp32Tensor: figure(fp32),
    bf16: figure(half),
    fp16: figure(half),
    fp8: figure(byte),
    int8: figure(byte),
    fp4: figure(fp4),
  };
}

export const mi350Specs: readonly GpuSpec[] = [
  spec({
    ...cdna4,
    id: 'mi350x',
    label: 'AMD Instinct MI350X',
    names: ['AMD Instinct MI350X', 'AMD Instinct MI350X OAM', 'AMD Instinct MI350X VF'],
    peaks: peaks(2.2e9),
    memoryBandwidthBytesPerSec: mi350xSheet.says(8e12),
    memorySource: mi350xSheet.source,
    smCount: mi350xSheet.says(256),
    boostClockHz: mi350xSheet.says(2.2e9),
    powerLimitW: mi350xSheet.says(1000),
  }),
  spec({
    ...cdna4,
    id: 'mi355x',
    label: 'AMD Instinct MI355X',
    names: ['AMD Instinct MI355X', 'AMD Instinct MI355X OAM', 'AMD Instinct MI355X VF'],
    peaks: peaks(2.4e9),
    memoryBandwidthBytesPerSec: mi355xSheet.says(8e12),
    memorySource: mi355xSheet.source,
    smCount: mi355xSheet.says(256),
    boostClockHz: mi355xSheet.says(2.4e9),
    powerLimitW: mi355xSheet.says(1400),
  }),
];
