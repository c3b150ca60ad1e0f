import { BoundedMap } from './bounded-map';
import { HostNames } from './host-names';
import {
  type NcclAdapter,
  type NcclCollectiveUse,
  type NcclConnection,
  type NcclLog,
  type NcclObstacle,
  type NcclRank,
  type NcclRing,
  type NcclRingPlace,
  type NcclTreePlace,
  type NcclWarning,
} from './nccl-log-record';

/** Enough for logs of thousands of ranks in one file; hostile files meet it. */
const MAX_ENTRIES = 16_384;
const MAX_NAMES = 256;
const MAX_HOSTS = 2048;
/** Distinct channels that are told apart in one connection. */
const MAX_CHANNELS = 512;

/** What a log said so far; every list is bounded and without doubles. */
export class NcclLogBuilder {
  library: NcclLog['library'] = 'NCCL';
  version: string | null = null;
  builtFor: string | null = null;
  nvlinkBandwidthBytesPerSec: number | null = null;
  readonly hosts = new HostNames(MAX_HOSTS);
  readonly networks = new BoundedMap<string>(MAX_NAMES);
  readonly adapters = new BoundedMap<NcclAdapter>(MAX_NAMES);
  readonly environment = new BoundedMap<[string, string]>(MAX_NAMES);
  readonly pathTypes = new BoundedMap<string>(MAX_NAMES);
  readonly connections = new BoundedMap<NcclConnection & { seen: Set<string> }>(MAX_ENTRIES);
  readonly ranks = new BoundedMap<NcclRank>(MAX_ENTRIES);
  readonly rings = new BoundedMap<NcclRing>(MAX_NAMES);
  readonly ringPlaces = new BoundedMap<NcclRingPlace>(MAX_ENTRIES);
  readonly treePlaces = new BoundedMap<NcclTreePlace>(MAX_ENTRIES);
  readonly collectives = new BoundedMap<NcclCollectiveUse>(MAX_NAMES);
  readonly obstacles = new BoundedMap<NcclObstacle>(MAX_NAMES);
  readonly warnings = new BoundedMap<NcclWarning>(MAX_NAMES);

  connect(connection: Omit<NcclConnection, 'channels'>, channel: string): void {
    const key = `${connection.from}>${connection.to} ${connection.path}`;
    const known = this.connections.at(key, () => ({ ...connection, channels: 0, seen: new Set() }));
    if (known && known.seen.size < MAX_CHANNELS) known.channels = known.seen.add(channel).size;
  }

  /** Entries that found no place in the record. */
  turnedAway(): number {
    const { networks, adapters, environment, pathTypes, connections, ranks, rings } = this;
    const { ringPlaces, treePlaces, collectives, obstacles, warnings } = this;
    return [
      ...[networks, adapters, environment, pathTypes, connections, ranks, rings],
      ...[ringPlaces, treePlaces, collectives, obstacles, warnings],
    ].reduce((sum, map) => sum + map.turnedAway, 0);
  }

  build(): NcclLog {
    const processes = this.hosts.processes();
    const processCount = [...processes.values()].reduce((sum, pids) => sum + pids.size, 0);
    const names = new Map<string, string>();
    const ranks = this.ranks.values().map((rank) => {
      const host = names.get(rank.host) ?? this.hosts.trueName(rank.host);
      names.set(rank.host, host);
      return { ...rank, host };
    });
    return {
      library: this.library,
      version: this.version,
      builtFor: this.builtFor,
      rank: processCount === 1 ? onlyRank(ranks) : null,
      hosts: [...processes.keys()],
      networks: this.networks.values(),
      adapters: this.adapters.values(),
      environment: Object.fromEntries(this.environment.values()),
      nvlinkBandwidthBytesPerSec: this.nvlinkBandwidthBytesPerSec,
      ringPathTypes: this.pathTypes.values(),
      connections: this.connections.values().map(({ seen: _, ...connection }) => connection),
      ranks,
      rings: this.rings.values(),
      ringPlaces: this.ringPlaces.values(),
      treePlaces: this.treePlaces.values(),
      collectives: this.collectives.values(),
      obstacles: this.obstacles.values(),
      warnings: this.warnings.values(),
    };
  }
}

/** The rank in the largest communicator; null when the process holds several of its ranks. */
function onlyRank(ranks: readonly NcclRank[]): number | null {
  const largest = ranks.reduce((most, { rankCount }) => Math.max(most, rankCount), 0);
  const numbers = new Set(ranks.filter((r) => r.rankCount === largest).map((r) => r.rank));
  return numbers.size === 1 ? [...numbers][0] : null;
}
