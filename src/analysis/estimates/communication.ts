import { type GpuSpec } from '../gpu-specs/gpu-spec';
import { CITATIONS } from './citations';
import { elementBytes } from './element-bytes';
import { type EstimateFigure, figuresOf } from './estimate-figure';
import { type EstimateRequest } from './estimate-request';
import { linkBetween } from './link-between';

const { known, missing } = figuresOf('communication');

/** Bytes that one rank sends in one optimizer step over one kind of path. */
interface Traffic {
  path: 'inside-node' | 'all-ranks' | 'between-nodes';
  bytes: number;
  formula: string;
  citation: string;
}

/**
 * Bytes that each rank must send per optimizer step, and the seconds they take on the link at least: ring algorithms, no
 * latency, no protocol overhead, nothing hidden behind compute. Gradients are exchanged once per step where the sharding
 * allows it (`no_sync`).
 */
export function communicationFigures(request: EstimateRequest, gpu: GpuSpec | null): EstimateFigure[] {
  const bytes = elementBytes(request);
  const trainable = request.trainableParameters ?? request.parameters;
  const gradientBytes = trainable * bytes.gradient;
  const gradients = known(
    'gradient-size',
    gradientBytes,
    'bytes',
    `${trainable} trained parameters · ${bytes.gradient} bytes`,
  );
  if (request.worldSize === 1) {
    const alone = 'one rank: nothing to exchange';
    return [
      gradients,
      known('communication-volume', 0, 'bytes', alone),
      known('communication-time', 0, 'ns', alone),
    ];
  }
  const traffic = trafficOf(request, gradientBytes);
  const volume = known(
    'communication-volume',
    traffic.reduce((sum, t) => sum + t.bytes, 0),
    'bytes',
    traffic.map((t) => t.formula).join('; plus '),
    traffic[0].citation,
  );
  return [gradients, volume, ...timeFigures(request, gpu, traffic)];
}

function trafficOf(request: EstimateRequest, gradientBytes: number): Traffic[] {
  const { worldSize: n, gradientAccumulation: a, gpusPerNode: g } = request;
  const bytes = elementBytes(request);
  const parameterBytes = request.parameters * bytes.parameter;
  const trainedBytes = (request.trainableParameters ?? request.parameters) * bytes.parameter;
  const part = (n - 1) / n;
  switch (request.sharding) {
    case 'none':
      return [
        {
          path: 'all-ranks',
          bytes: 2 * part * gradientBytes,
          formula: 'all-reduce of the gradients: 2(n−1)/n · gradient bytes',
          citation: CITATIONS.ring,
        },
      ];
    case 'zero1':
      return [
        {
          path: 'all-ranks',
          bytes: part * (gradientBytes + trainedBytes),
          formula:
            'reduce-scatter of the gradients and all-gather of the updated parameters: (n−1)/n · (gradient bytes + parameter bytes)',
          citation: CITATIONS.zero,
        },
      ];
    case 'zero2':
      return [
        {
          path: 'all-ranks',
          bytes: part * (a * gradientBytes + trainedBytes),
          formula:
            'reduce-scatter of the gradients in each micro-batch and one all-gather of the parameters: (n−1)/n · (accumulation · gradient bytes + parameter bytes)',
          citation: CITATIONS.zero,
        },
      ];
    case 'zero3':
      return [
        {
          path: 'all-ranks',
          bytes: part * a * (2 * parameterBytes + gradientBytes),
          formula:
            'in each micro-batch two all-gathers of the parameters and one reduce-scatter of the gradients: (n−1)/n · accumulation · (2 · parameter bytes + gradient bytes)',
          citation: CITATIONS.zero,
        },
      ];
    case 'hybrid':
      return hybridTraffic(n, g ?? n, a, parameterBytes, gradientBytes);
  }
}

/** Shards inside a node, replicates between nodes. */
function hybridTraffic(
  n: number,
  g: number,
  a: number,
  parameterBytes: number,
  gradientBytes: number,
): Traffic[] {
  const nodes = n / g;
  return [
    {
      path: 'inside-node',
      bytes: ((g - 1) / g) * a * (2 * parameterBytes + gradientBytes),
      formula:
        'inside a node of g GPUs, in each micro-batch: (g−1)/g · accumulation · (2 · parameter bytes + gradient bytes)',
      citation: CITATIONS.fsdp,
    },
    {
      path: 'between-nodes',
      bytes: ((2 * (nodes - 1)) / nodes) * (gradientBytes / g),
      formula: 'between m nodes all-reduce of one shard of the gradients: 2(m−1)/m · gradient bytes/g',
      citation: CITATIONS.fsdp,
    },
  ];
}

function timeFigures(request: EstimateRequest, gpu: GpuSpec | null, traffic: Traffic[]): EstimateFigure[] {
  const links = traffic.map(({ path }) => linkBetween(path, request, gpu));
  const bandwidths = traffic.map(({ path }, i): EstimateFigure => {
    const id = traffic.length > 1 ? `link-bandwidth-${path}` : 'link-bandwidth';
    const link = links[i];
    return link.bytesPerSec === null
      ? missing(id, 'bytesPerSec', link.reason, 'per GPU and direction')
      : known(id, link.bytesPerSec, 'bytesPerSec', 'per GPU and direction', link.source);
  });
  const formula = 'bytes sent by one rank / bandwidth of the link in one direction, nothing hidden';
  let seconds = 0;
  for (const [i, { bytes }] of traffic.entries()) {
    const link = links[i];
    if (bytes === 0) continue;
    if (link.bytesPerSec === null) {
      return [
        ...bandwidths,
        missing('communication-time', 'ns', link.reason, formula),
        ...shareOfStep(request, null),
      ];
    }
    seconds += bytes / link.bytesPerSec;
  }
  return [
    ...bandwidths,
    known('communication-time', Math.round(seconds * 1e9), 'ns', formula, CITATIONS.ring),
    ...shareOfStep(request, seconds),
  ];
}

function shareOfStep({ stepTimeS }: EstimateRequest, seconds: number | null): EstimateFigure[] {
  const formula = 'communication time / step time: exposed at most when the link is as fast as stated';
  if (stepTimeS === undefined) return [];
  return seconds === null
    ? [missing('communication-share', 'ratio', needsLink, formula)]
    : [known('communication-share', seconds / stepTimeS, 'ratio', formula)];
}

const needsLink = 'needs the link';
