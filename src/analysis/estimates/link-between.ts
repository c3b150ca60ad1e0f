import { type GpuSpec, type Link } from '../gpu-specs/gpu-spec';
import { type EstimateRequest } from './estimate-request';
import { NETWORK_LINKS } from './links';

export type LinkChoice = { bytesPerSec: number; source: string } | { bytesPerSec: null; reason: string };

/**
 * The link that ranks exchange over: the one that the request names; inside a node, where it names none, the GPU's own.
 * What joins nodes is never guessed.
 */
export function linkBetween(
  path: 'inside-node' | 'all-ranks' | 'between-nodes',
  request: EstimateRequest,
  gpu: GpuSpec | null,
): LinkChoice {
  const { gpusPerNode, worldSize, link, linkBandwidthBytesPerSec } = request;
  if (path !== 'inside-node') {
    if (linkBandwidthBytesPerSec !== undefined)
      return { bytesPerSec: linkBandwidthBytesPerSec, source: 'as given' };
    if (link !== undefined) return namedLink(link, gpu);
  }
  const oneNode = path === 'inside-node' || (gpusPerNode !== undefined && worldSize <= gpusPerNode);
  if (oneNode && gpu) return fromSpec(gpu, gpu.scaleUpLink);
  return {
    bytesPerSec: null,
    reason: oneNode
      ? 'needs the GPU (its link to the others in the node), or the link by name or bandwidth'
      : 'needs the link between the ranks: its name, its bandwidth, or how many GPUs a node has',
  };
}

function namedLink(name: NonNullable<EstimateRequest['link']>, gpu: GpuSpec | null): LinkChoice {
  if (name !== 'nvlink' && name !== 'pcie') return NETWORK_LINKS[name];
  if (!gpu) return { bytesPerSec: null, reason: `needs the GPU: its ${name} bandwidth is in the catalogue` };
  return fromSpec(gpu, name === 'pcie' ? gpu.hostLink : gpu.scaleUpLink);
}

function fromSpec(gpu: GpuSpec, { kind, perDirectionBytesPerSec }: Link): LinkChoice {
  return perDirectionBytesPerSec.value === null
    ? { bytesPerSec: null, reason: `${kind} of ${gpu.label}: ${perDirectionBytesPerSec.reason}` }
    : {
        bytesPerSec: perDirectionBytesPerSec.value,
        source: `${kind} of ${gpu.label}: ${perDirectionBytesPerSec.source}`,
      };
}
