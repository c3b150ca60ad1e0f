/** One direction of one port, as its standard names it; protocol overhead is not taken off, so times are floors. */
export interface NamedLink {
  bytesPerSec: number;
  source: string;
}

const port = (gigabitPerSec: number, standard: string): NamedLink => ({
  bytesPerSec: (gigabitPerSec * 1e9) / 8,
  source: `${gigabitPerSec} Gb/s per port and direction: ${standard}`,
});

/** Links between nodes by name. Links of the GPU itself (`nvlink`, `pcie`) come from the GPU catalogue. */
export const NETWORK_LINKS = {
  'ib-xdr': port(800, 'InfiniBand XDR, 4 lanes'),
  'ib-ndr': port(400, 'InfiniBand NDR, 4 lanes'),
  'ib-hdr': port(200, 'InfiniBand HDR, 4 lanes'),
  'ib-edr': port(100, 'InfiniBand EDR, 4 lanes'),
  'eth-400': port(400, 'IEEE 802.3bs'),
  'eth-200': port(200, 'IEEE 802.3bs'),
  'eth-100': port(100, 'IEEE 802.3ba'),
  'eth-25': port(25, 'IEEE 802.3by'),
  'eth-10': port(10, 'IEEE 802.3ae'),
} as const satisfies Record<string, NamedLink>;

/** Links that the GPU has: to other GPUs (NVLink, Infinity Fabric), and to its host. */
export const GPU_LINKS = ['nvlink', 'pcie'] as const;

export const LINK_NAMES = [
  ...GPU_LINKS,
  ...(Object.keys(NETWORK_LINKS) as (keyof typeof NETWORK_LINKS)[]),
] as const;
export type LinkName = (typeof LINK_NAMES)[number];
