import { type ArtifactContent } from '../formats/artifact-format';
import { type GpuMonitor } from '../timeline/gpu-monitor';
import { type GpuTopology } from '../formats/gpu-topology/gpu-topology-record';
import { type HostProfile } from '../formats/host-profile';
import { type MemorySnapshot } from '../formats/memory-snapshot/memory-snapshot-record';
import { type NcclLog } from '../formats/nccl-log/nccl-log-record';
import { type OomMessage } from '../formats/oom-message/oom-message-record';
import { type AllocatorStatistics } from '../timeline/allocator-statistics';

/** Who wrote the figures of an allocator down, the exact one first. */
export const ALLOCATOR_SOURCES = ['memory-stats', 'memory-summary'] as const;
export type AllocatorSource = (typeof ALLOCATOR_SOURCES)[number];

/** What one process said of its allocator on one device, at one time. */
export interface AllocatorEvidence {
  path: string;
  source: AllocatorSource;
  rank: number | null;
  statistics: AllocatorStatistics;
}

/** What the artifacts beside traces, step times and metadata say of a run. */
export interface RunEvidence {
  monitors: { path: string; monitor: GpuMonitor }[];
  ncclLogs: NcclLog[];
  topologies: GpuTopology[];
  allocators: AllocatorEvidence[];
  ooms: { path: string; message: OomMessage }[];
  snapshots: { path: string; snapshot: MemorySnapshot }[];
  hostProfiles: HostProfile[];
}

export const NO_EVIDENCE: RunEvidence = {
  monitors: [],
  ncclLogs: [],
  topologies: [],
  allocators: [],
  ooms: [],
  snapshots: [],
  hostProfiles: [],
};

/** An artifact after reading; content is null when it was refused. */
export interface ReadContent {
  path: string;
  content: ArtifactContent | null;
}

/** Sorts what was read by what it is evidence of. */
export function gatherEvidence(read: readonly ReadContent[]): RunEvidence {
  const found = structuredClone(NO_EVIDENCE);
  for (const { path, content } of read) {
    switch (content?.kind) {
      case 'gpu-monitor':
        found.monitors.push({ path, monitor: content.monitor });
        break;
      case 'timelines':
        if (content.monitor) found.monitors.push({ path, monitor: content.monitor });
        break;
      case 'nccl-log':
        found.ncclLogs.push(content.log);
        break;
      case 'gpu-topology':
        found.topologies.push(content.topology);
        break;
      case 'memory-stats':
        found.allocators.push({ path, source: 'memory-stats', ...content.stats });
        break;
      case 'memory-summary':
        for (const statistics of content.summary.tables)
          found.allocators.push({ path, source: 'memory-summary', rank: content.summary.rank, statistics });
        break;
      case 'oom-message':
        for (const message of content.report.messages) found.ooms.push({ path, message });
        break;
      case 'memory-snapshot':
        found.snapshots.push({ path, snapshot: content.snapshot });
        break;
      case 'host-profile':
        found.hostProfiles.push(content.profile);
        break;
      default:
      // Step times and metadata have ways of their own.
    }
  }
  return found;
}
