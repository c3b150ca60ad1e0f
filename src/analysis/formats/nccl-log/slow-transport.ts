import { type NcclConnection, type NcclLog, type ObstacleKind, type TransportKind } from './nccl-log-record';
import { largest } from '../../units/largest';

/** Paths that are faster than the one taken. */
export const FASTER_PATHS = ['p2p', 'shm', 'ib', 'gpu-direct'] as const;
export type FasterPath = (typeof FASTER_PATHS)[number];

export const REASON_CODES = [
  'disabled-by-environment',
  'other-network-chosen',
  'no-device',
  'library-missing',
  'plugin-declined',
  'refused-by-driver',
  'not-usable',
] as const;

/** Why one faster path was not taken. */
export interface TransportReason {
  path: FasterPath;
  code: (typeof REASON_CODES)[number];
  /** A variable with its value, or a line of the log. */
  evidence: string;
  /** The log does not say it; it follows from what the log says. */
  inferred: boolean;
}

export interface SlowTransport {
  used: TransportKind;
  /** Connections that go this way, and all. */
  slowConnections: number;
  allConnections: number;
  /** The two ends are on one machine; null when the logs do not tell. */
  withinHost: boolean | null;
  /** Best NVLink of a GPU that lies idle meanwhile, bytes/s; null when there is none, or the ends are on two machines. */
  unusedNvlinkBytesPerSec: number | null;
  reasons: TransportReason[];
}

/** The connections of all logs, each once: what goes through a network is told by both ends, what does not by one. */
export function connectionsOf(logs: readonly NcclLog[]): NcclConnection[] {
  const all = logs.flatMap((log) => log.connections);
  return [...new Map(all.map((c) => [`${c.from} ${c.to} ${c.kind} ${c.gpuDirect}`, c])).values()];
}

/**
 * Names the cause when ranks talk over a slower path than they could have. Null when nothing is slow: P2P within a
 * machine, IB or a vendor's network between machines.
 *
 * @param logs all logs of the run: one rank alone does not know who shares its machine.
 * @param environment what else is known of the job's environment; the library names only variables that it came to ask for.
 */
export function slowTransportOf(
  logs: readonly NcclLog[],
  environment: Readonly<Record<string, string>> = {},
): SlowTransport | null {
  const connections = connectionsOf(logs);
  const machineOf = machinesByRank(logs);
  const within = (c: NcclConnection): boolean | null => {
    const from = machineOf.get(c.from);
    const to = machineOf.get(c.to);
    return from === undefined || to === undefined ? null : sameMachine(from, to);
  };
  const worst = connections
    .filter((c) => slowness(c, within(c)) > 0)
    .sort((a, b) => slowness(b, within(b)) - slowness(a, within(a)))
    .at(0);
  if (!worst) return null;
  const withinHost = within(worst);
  const known = Object.fromEntries(
    [environment, ...logs.map((log) => log.environment)].flatMap((one) => Object.entries(one)),
  );
  const nvlink = largest(logs.map((log) => log.nvlinkBandwidthBytesPerSec)) ?? 0;
  return {
    used: worst.kind,
    slowConnections: connections.filter((c) => c.kind === worst.kind && within(c) === withinHost).length,
    allConnections: connections.length,
    withinHost,
    unusedNvlinkBytesPerSec: nvlink > 0 && withinHost === true ? nvlink : null,
    reasons: reasonsFor(worst, withinHost, logs, known),
  };
}

/** 0 for a path that is as good as it gets between these ends; else higher is slower. */
function slowness({ kind, gpuDirect }: NcclConnection, withinHost: boolean | null): number {
  switch (kind) {
    case 'socket':
      return 4;
    case 'ib':
      return withinHost ? 3 : gpuDirect ? 0 : 1;
    case 'shm':
      return 2;
    default:
      return withinHost && kind === 'plugin' ? 3 : 0;
  }
}

interface Machine {
  host: string;
  addresses: readonly string[];
}

/** Machine of each rank of the largest communicator; connections do not say to which communicator they belong. */
function machinesByRank(logs: readonly NcclLog[]): Map<number, Machine> {
  const ranks = logs.flatMap((log) => {
    // The addresses of a log that several machines wrote are not those of one of them.
    const addresses = log.hosts.length > 1 ? [] : log.adapters.flatMap((a) => a.address ?? []);
    return log.ranks.map((rank) => ({ ...rank, addresses }));
  });
  const largest = ranks.reduce((most, { rankCount }) => Math.max(most, rankCount), 0);
  return new Map(ranks.filter((r) => r.rankCount === largest).map((r) => [r.rank, r]));
}

/** Machines of a cluster may all have the same name; addresses, where both are known, tell them apart. */
function sameMachine(a: Machine, b: Machine): boolean {
  const unknown = a.addresses.length === 0 || b.addresses.length === 0;
  return a.host === b.host && (unknown || a.addresses.some((address) => b.addresses.includes(address)));
}

function reasonsFor(
  worst: NcclConnection,
  withinHost: boolean | null,
  logs: readonly NcclLog[],
  environment: Readonly<Record<string, string>>,
): TransportReason[] {
  const lineOf = (kind: ObstacleKind) => logs.flatMap((l) => l.obstacles).find((o) => o.kind === kind)?.text;
  const reasons: (TransportReason | null)[] = [];
  if (withinHost !== false) reasons.push(whyNotP2p(environment, lineOf, withinHost));
  if (withinHost !== false && worst.kind !== 'shm') reasons.push(whyNotShm(environment, withinHost));
  if (worst.kind === 'socket') reasons.push(whyNotIb(environment, lineOf));
  if (worst.kind === 'ib' && withinHost === false) reasons.push(whyNotGpuDirect(environment, lineOf));
  return reasons.filter((reason) => reason !== null);
}

type Environment = Readonly<Record<string, string>>;
type LineOf = (kind: ObstacleKind) => string | undefined;

function whyNotP2p(
  environment: Environment,
  lineOf: LineOf,
  withinHost: boolean | null,
): TransportReason | null {
  const level = environment.NCCL_P2P_LEVEL;
  return (
    switchedOff('p2p', environment, 'NCCL_P2P_DISABLE') ??
    (level === 'LOC' || level === '0'
      ? said('p2p', 'disabled-by-environment', `NCCL_P2P_LEVEL=${level}`)
      : null) ??
    seen('p2p', 'refused-by-driver', lineOf('p2p-refused')) ??
    (withinHost ? notUsable('p2p', 'two ranks of one machine do not use peer-to-peer') : null)
  );
}

function whyNotShm(environment: Environment, withinHost: boolean | null): TransportReason | null {
  return (
    switchedOff('shm', environment, 'NCCL_SHM_DISABLE') ??
    (withinHost ? notUsable('shm', 'two ranks of one machine do not use shared memory') : null)
  );
}

function whyNotIb(environment: Environment, lineOf: LineOf): TransportReason | null {
  const network = environment.NCCL_NET;
  const declined = lineOf('ib-declined');
  return (
    switchedOff('ib', environment, 'NCCL_IB_DISABLE') ??
    (network?.toLowerCase() === 'socket'
      ? said('ib', 'other-network-chosen', `NCCL_NET=${network}`)
      : null) ??
    seen('ib', 'library-missing', lineOf('ib-library-missing')) ??
    seen('ib', 'no-device', lineOf('ib-device-missing')) ??
    (declined === undefined
      ? null
      : { path: 'ib', code: 'plugin-declined', evidence: declined, inferred: true }) ??
    seen('ib', 'not-usable', lineOf('network-start-failed'))
  );
}

function whyNotGpuDirect(environment: Environment, lineOf: LineOf): TransportReason | null {
  const level = environment.NCCL_NET_GDR_LEVEL;
  return level === 'LOC' || level === '0'
    ? said('gpu-direct', 'disabled-by-environment', `NCCL_NET_GDR_LEVEL=${level}`)
    : seen('gpu-direct', 'not-usable', lineOf('gpu-direct-off'));
}

/** Switches of NCCL are numbers; all but 0 switch off. */
function switchedOff(path: FasterPath, environment: Environment, variable: string): TransportReason | null {
  const value = environment[variable];
  return value === undefined || Number(value) === 0 || Number.isNaN(Number(value))
    ? null
    : said(path, 'disabled-by-environment', `${variable}=${value}`);
}

function said(path: FasterPath, code: TransportReason['code'], evidence: string): TransportReason {
  return { path, code, evidence, inferred: false };
}

function seen(
  path: FasterPath,
  code: TransportReason['code'],
  line: string | undefined,
): TransportReason | null {
  return line === undefined ? null : said(path, code, line);
}

function notUsable(path: FasterPath, evidence: string): TransportReason {
  return { path, code: 'not-usable', evidence, inferred: true };
}
