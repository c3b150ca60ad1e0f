import { type GpuSpec, link, type LinkKind, type PeakId, spec } from '../gpu-spec';
import { citing, type SourcedFigure, unpublished } from '../sourced-figure';
import { ampereHasNoSuchUnit } from './ga102';

const sheet = citing('NVIDIA A100 Tensor Core GPU data sheet, nvidia-1758950-r4');
const paper = citing('NVIDIA A100 Tensor Core GPU Architecture white paper, V1.0, 2020');

/** What the variants differ in; the A800 is another variant. */
export interface Ga100Variant {
  id: string;
  label: string;
  names: string[];
  sharedNames?: string[];
  memoryGib: 40 | 80;
  bandwidthBytesPerSec: number;
  scaleUp: { kind: LinkKind; total: SourcedFigure };
  powerLimitW: SourcedFigure;
  /** For a variant without a data sheet of its own. */
  derivation?: string;
  note?: string;
}

/** An A100 or A800: all have the arithmetic of the A100. */
export function ga100({ derivation, ...variant }: Ga100Variant): GpuSpec {
  const says = (value: number) => (derivation ? sheet.derives(value, derivation) : sheet.says(value));
  const peaks: Partial<Record<PeakId, SourcedFigure>> = {
    fp64: says(9.7e12),
    fp64Tensor: says(19.5e12),
    fp32: says(19.5e12),
    tf32: says(156e12),
    bf16: says(312e12),
    fp16: says(312e12),
    int8: says(624e12),
  };
  const { bandwidthBytesPerSec, scaleUp, ...rest } = variant;
  return spec({
    vendor: 'nvidia',
    computeMajor: 8,
    computeMinor: 0,
    peaks,
    otherPeaks: ampereHasNoSuchUnit,
    memoryBandwidthBytesPerSec: says(bandwidthBytesPerSec),
    memorySource: sheet.source,
    smCount: paper.says(108),
    boostClockHz: paper.says(1.41e9),
    scaleUpLink: link(scaleUp.kind, scaleUp.total),
    hostLink: link('pcie', says(64e9)),
    ...rest,
  });
}

const nvlink = { kind: 'nvlink', total: sheet.says(600e9) } as const;
const bridge = { kind: 'nvlink-bridge', total: sheet.says(600e9) } as const;
const oam = {
  derivation: 'a board of one operator, known by its number; arithmetic and memory of the A100 SXM4',
  powerLimitW: unpublished('NVIDIA publishes no data sheet of this board; drivers show 330 W'),
  note: 'Named by its board number in the NVIDIA driver.',
};

export const a100Specs: readonly GpuSpec[] = [
  ga100({
    id: 'a100-sxm4-40gb',
    label: 'NVIDIA A100 SXM4 40 GB',
    names: ['NVIDIA A100-SXM4-40GB'],
    sharedNames: ['NVIDIA A100-SXM4', 'NVIDIA A100-SXM', 'NVIDIA A100'],
    memoryGib: 40,
    bandwidthBytesPerSec: 1555e9,
    scaleUp: nvlink,
    powerLimitW: sheet.says(400),
  }),
  ga100({
    id: 'a100-sxm4-80gb',
    label: 'NVIDIA A100 SXM4 80 GB',
    names: ['NVIDIA A100-SXM4-80GB', 'NVIDIA A100-SXM-80GB'],
    sharedNames: ['NVIDIA A100-SXM4', 'NVIDIA A100-SXM', 'NVIDIA A100'],
    memoryGib: 80,
    bandwidthBytesPerSec: 2039e9,
    scaleUp: nvlink,
    powerLimitW: sheet.says(400),
  }),
  ga100({
    id: 'a100-pcie-40gb',
    label: 'NVIDIA A100 PCIe 40 GB',
    names: ['NVIDIA A100-PCIE-40GB', 'NVIDIA A100 40GB PCIe'],
    sharedNames: ['NVIDIA A100-PCIE', 'NVIDIA A100'],
    memoryGib: 40,
    bandwidthBytesPerSec: 1555e9,
    scaleUp: bridge,
    powerLimitW: sheet.says(250),
  }),
  ga100({
    id: 'a100-pcie-80gb',
    label: 'NVIDIA A100 PCIe 80 GB',
    names: ['NVIDIA A100 80GB PCIe', 'NVIDIA A100-PCIE-80GB'],
    sharedNames: ['NVIDIA A100-PCIE', 'NVIDIA A100'],
    memoryGib: 80,
    bandwidthBytesPerSec: 1935e9,
    scaleUp: bridge,
    powerLimitW: sheet.says(300),
  }),
  ga100({
    id: 'a100-pg509-40gb',
    label: 'NVIDIA A100 40 GB (board PG509-200)',
    names: ['NVIDIA A100-PG509-200', 'NVIDIA PG509-200'],
    memoryGib: 40,
    bandwidthBytesPerSec: 1555e9,
    scaleUp: nvlink,
    ...oam,
  }),
  ga100({
    id: 'a100-pg509-80gb',
    label: 'NVIDIA A100 80 GB (board PG509-210)',
    names: ['NVIDIA PG509-210', 'NVIDIA A100-PG509-210'],
    memoryGib: 80,
    bandwidthBytesPerSec: 2039e9,
    scaleUp: nvlink,
    ...oam,
  }),
];
