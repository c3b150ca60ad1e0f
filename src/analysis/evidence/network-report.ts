import { type RunMetadata } from '../formats/artifact-format';
import { type GpuTopology } from '../formats/gpu-topology/gpu-topology-record';
import { type NcclLog, TRANSPORT_KINDS } from '../formats/nccl-log/nccl-log-record';
import { connectionsOf, slowTransportOf } from '../formats/nccl-log/slow-transport';
import { type NetworkReport } from './network-schema';
import { type RunEvidence } from './run-evidence';
import { largest } from '../units/largest';

const MOST_OF_A_LIST = 16;
const MOST_VARIABLES = 64;

/** What is known of the links between ranks; null when neither a log of NCCL nor a topology matrix was uploaded. */
export function networkReportOf(
  { ncclLogs, topologies }: Pick<RunEvidence, 'ncclLogs' | 'topologies'>,
  metadata: readonly Pick<RunMetadata, 'environment'>[],
): NetworkReport | null {
  if (ncclLogs.length === 0 && topologies.length === 0) return null;
  const environment = Object.fromEntries(metadata.flatMap((m) => Object.entries(m.environment ?? {})));
  const fromLogs = Object.fromEntries(ncclLogs.flatMap((log) => Object.entries(log.environment)));
  const nvlink = largest(ncclLogs.map((log) => log.nvlinkBandwidthBytesPerSec)) ?? 0;
  const adapters = new Map(ncclLogs.flatMap((log) => log.adapters.map((a) => [a.device, a.link])));
  return {
    library: ncclLogs.at(0)?.library ?? null,
    version: ncclLogs.find(({ version }) => version !== null)?.version ?? null,
    logCount: ncclLogs.length,
    rankCount: largest(ncclLogs.flatMap((log) => log.ranks.map((r) => r.rankCount))) || null,
    networks: [...new Set(ncclLogs.flatMap((log) => log.networks))].slice(0, MOST_OF_A_LIST),
    adapters: [...adapters].slice(0, MOST_OF_A_LIST).map(([device, link]) => ({ device, link })),
    transports: transportsOf(ncclLogs),
    environment: Object.fromEntries(Object.entries(fromLogs).slice(0, MOST_VARIABLES)),
    nvlinkBandwidthBytesPerSec: nvlink > 0 ? nvlink : null,
    slowTransport: slowTransportOf(ncclLogs, environment),
    warnings: ncclLogs
      .flatMap((log) => log.warnings.map(({ text, count }) => ({ text, count })))
      .slice(0, MOST_OF_A_LIST),
    gpuLinks: topologies.length === 0 ? null : linksOf(topologies),
  };
}

function transportsOf(logs: readonly NcclLog[]): NetworkReport['transports'] {
  const connections = connectionsOf(logs);
  return TRANSPORT_KINDS.map((kind) => ({
    kind,
    connections: connections.filter((c) => c.kind === kind).length,
  })).filter((transport) => transport.connections > 0);
}

function linksOf(topologies: readonly GpuTopology[]): NonNullable<NetworkReport['gpuLinks']> {
  const pairs = new Map<string, number>();
  for (const { devices, links } of topologies) {
    const gpus = devices.map((_, i) => i).filter((i) => devices[i].kind === 'gpu');
    for (const i of gpus) {
      for (const j of gpus) {
        const link = i < j ? links[i][j] : null;
        if (link !== null) pairs.set(link, (pairs.get(link) ?? 0) + 1);
      }
    }
  }
  return [...pairs].map(([link, count]) => ({ link, pairs: count })).slice(0, MOST_OF_A_LIST);
}
