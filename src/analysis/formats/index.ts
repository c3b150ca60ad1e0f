import { type ArtifactFormat } from './artifact-format';
import { collapsedStacksFormat } from './collapsed-stacks';
import { gpuMonitorFormat } from './gpu-monitor';
import { gpuTopologyFormat } from './gpu-topology';
import { kinetoFormat } from './kineto';
import { memorySnapshotFormat } from './memory-snapshot';
import { memoryStatsFormat } from './memory-stats';
import { memorySummaryFormat } from './memory-summary';
import { ncclLogs } from './nccl-log';
import { ncuCsvFormat } from './ncu-csv';
import { nsysSqliteFormat } from './nsys-sqlite';
import { oomMessages } from './oom-message';
import { profilerTableFormat } from './profiler-table';
import { pySpyDumpFormat } from './py-spy-dump';
import { pySpyJsonFormat } from './py-spy-json';
import { runMetadataFormat } from './run-metadata';
import { speedscopeFormat } from './speedscope';
import { stepTimesFormat } from './step-times';
import { trainerStateFormat } from './trainer-state';
import { textLogFormats } from './text-log';
import { trainingLogs } from './training-log';

/** Every kind of artifact that Stallscope reads, in the order in which they are asked. One line adds one. */
export const ALL_FORMATS: readonly ArtifactFormat[] = [
  kinetoFormat,
  stepTimesFormat,
  runMetadataFormat,
  nsysSqliteFormat,
  gpuMonitorFormat,
  trainerStateFormat,
  gpuTopologyFormat,
  memorySummaryFormat,
  memoryStatsFormat,
  memorySnapshotFormat,
  pySpyDumpFormat,
  pySpyJsonFormat,
  speedscopeFormat,
  collapsedStacksFormat,
  ncuCsvFormat,
  profilerTableFormat,
  ...textLogFormats([ncclLogs, trainingLogs, oomMessages]),
].sort((a, b) => a.sniffOrder - b.sniffOrder);
