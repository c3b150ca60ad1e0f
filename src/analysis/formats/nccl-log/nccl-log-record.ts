/** How a connection carries bytes. RoCE is `ib`: the same verbs; `adapters` tells the link. */
export const TRANSPORT_KINDS = ['p2p', 'shm', 'ib', 'socket', 'plugin', 'other'] as const;
export type TransportKind = (typeof TRANSPORT_KINDS)[number];

/** One direction between two ranks by one path. Ranks count within their communicator. */
export interface NcclConnection {
  from: number;
  to: number;
  kind: TransportKind;
  /** As written, without the channel: `P2P/CUMEM`, `SHM/direct/direct`, `NET/IB/0/GDRDMA`. */
  path: string;
  /** The network card reads and writes GPU memory itself. */
  gpuDirect: boolean;
  /** Distinct channels that use it. */
  channels: number;
}

/** One rank of one communicator, as the process says of itself. */
export interface NcclRank {
  rank: number;
  rankCount: number;
  host: string;
  pid: number;
  cudaDevice: number | null;
  /** PCI bus id, hexadecimal as written. */
  busId: string | null;
  /** Same on all ranks of a communicator; null before 2.17. */
  communicator: string | null;
  /** Nodes as NCCL counts them: GPUs that reach each other by neither P2P nor shared memory count as two nodes. */
  nodeCount: number | null;
  localRankCount: number | null;
  initialised: boolean;
}

/** Why a faster path was not taken, as far as the library says so. */
export const OBSTACLE_KINDS = [
  'ib-device-missing',
  'ib-library-missing',
  'ib-declined',
  'network-start-failed',
  'network-plugin-missing',
  'p2p-refused',
  'gpu-direct-off',
] as const;
export type ObstacleKind = (typeof OBSTACLE_KINDS)[number];

export interface NcclObstacle {
  kind: ObstacleKind;
  /** The first line of this kind. */
  text: string;
  count: number;
}

export interface NcclAdapter {
  /** `mlx5_0` or `eth0`. */
  device: string;
  port: number | null;
  link: 'IB' | 'RoCE' | 'Ethernet';
  /** Of sockets only. */
  address: string | null;
}

export interface NcclRing {
  channel: number;
  ranks: number[];
}

/** Neighbours of one rank in the ring of one channel. */
export interface NcclRingPlace {
  channel: number;
  previous: number;
  rank: number;
  next: number;
}

/** Place of one rank in the tree of one channel; `parent` is null at the root. */
export interface NcclTreePlace {
  channel: number;
  parent: number | null;
  rank: number;
  children: number[];
}

/** Calls of one collective that were carried out the same way. */
export interface NcclCollectiveUse {
  collective: string;
  algorithm: string;
  protocol: string;
  calls: number;
  sizeBytes: number;
}

export interface NcclWarning {
  text: string;
  /** Source file and line in the library. */
  where: string | null;
  count: number;
}

/** What one log of NCCL or RCCL says. Lists keep the order of the file and are bounded. */
export interface NcclLog {
  library: 'NCCL' | 'RCCL';
  version: string | null;
  /** `cuda13.0` or `hip6.2`. */
  builtFor: string | null;
  /** The one process that wrote the log; null when several did. Its rank in its largest communicator. */
  rank: number | null;
  hosts: string[];
  /** Networks that were chosen: `IB`, `Socket`, or the name of a plugin. */
  networks: string[];
  adapters: NcclAdapter[];
  /** Variables that the library says it took from the environment. It names only those that it came to ask for. */
  environment: Record<string, string>;
  /** Best link between GPU and switch or GPU in the topology, bytes/s in one direction; null when there is no NVLink. */
  nvlinkBandwidthBytesPerSec: number | null;
  /** Kinds of path within and between nodes that the ring search settled on: `NVL`, `PIX`, `PHB`, `SYS`. */
  ringPathTypes: string[];
  connections: NcclConnection[];
  ranks: NcclRank[];
  rings: NcclRing[];
  ringPlaces: NcclRingPlace[];
  treePlaces: NcclTreePlace[];
  collectives: NcclCollectiveUse[];
  obstacles: NcclObstacle[];
  warnings: NcclWarning[];
}
