import { type GpuMonitor } from '../../timeline/gpu-monitor';
import { InputRefused } from '../../timeline/input-refused';
import { MemoryColumns } from '../../timeline/memory-columns';
import { type RankTimeline, type TraceMetadata } from '../../timeline/rank-timeline';
import { buildTimeline } from '../../timeline/timeline-builder';
import { type ReadContext } from '../artifact-format';
import { memoryScratch } from '../memory-scratch';
import { readDeviceTables } from './device-tables';
import { isNsysExport, Table } from './export-tables';
import { readGpuMetrics } from './gpu-metrics';
import { readHostTables, readThreadNames } from './host-tables';
import { NameLookup } from './name-lookup';
import { type NsysReader } from './nsys-reader';
import { markSteps } from './nvtx-steps';
import { readNvtx } from './nvtx-table';
import { type ProcessEvents, ProcessTable } from './process-events';
import { RowTally } from './row-tally';
import { splitByDevice } from './split-devices';
import { DamagedDatabase } from './sqlite/damaged';
import { Database } from './sqlite/database';
import { Pages } from './sqlite/pages';
import { readTargetInfo } from './target-info';

const EXPORT_AGAIN = 'Export it again: nsys export --type sqlite --force-overwrite true REPORT.nsys-rep';
const RECORD_AGAIN = 'Record with: nsys profile --trace cuda,nvtx …';

/** What an export holds: its timelines, and what it sampled of the devices, if anything. */
export interface NsysContent {
  timelines: RankTimeline[];
  monitor: GpuMonitor | undefined;
}

/**
 * Reads an export of Nsight Systems into one timeline for each GPU that each process works on. The bytes go to scratch,
 * because tables lie scattered over the file; memory depends on the rows that are kept. Throws `InputRefused` for a
 * damaged file, and for one without GPU work.
 */
export async function readNsys(
  chunks: AsyncIterable<Uint8Array>,
  context: ReadContext,
): Promise<NsysContent> {
  const scratch = (context.openScratch ?? memoryScratch)();
  try {
    let sizeBytes = 0;
    for await (const chunk of chunks) {
      scratch.append(chunk);
      sizeBytes += chunk.length;
    }
    return readDatabase(new Database(new Pages(scratch, sizeBytes)), context);
  } catch (error) {
    if (!(error instanceof DamagedDatabase)) throw error;
    throw new InputRefused(
      'unreadable',
      `${context.path}: an SQLite database that cannot be trusted, because ${error.message}. ${EXPORT_AGAIN}`,
    );
  } finally {
    scratch.close();
  }
}

function readDatabase(database: Database, { path, problems, limits }: ReadContext): NsysContent {
  refuseUnlessGpuExport(database, path);
  const tally = new RowTally(limits.maxEvents);
  const names = new NameLookup(database, limits.maxStringBytes);
  const processes = new ProcessTable(
    database.has(Table.kernel) && database.columnsOf(Table.kernel).names.includes('globalPid'),
  );
  const reader: NsysReader = { database, names, processes, tally };
  const metadata = readTargetInfo(reader);
  readDeviceTables(reader);
  readHostTables(reader);
  readNvtx(reader);
  readThreadNames(reader);
  const monitor = readGpuMetrics(reader, metadata.baseTimeNs);
  tally.report(problems, path);

  const timelines = processes.list().flatMap((process) => {
    markSteps(process.host, names);
    return splitByDevice(timelineOf(process, reader, metadata, { path, problems, limits }));
  });
  problems.add('string-limit-reached', path, names.strings.dropped);
  problems.add('name-cut', path, names.cut);
  if (timelines.length === 0) throw noGpuWork(path);
  return { timelines, monitor };
}

function timelineOf(
  process: ProcessEvents,
  { names, tally }: NsysReader,
  metadata: TraceMetadata,
  { path, problems }: ReadContext,
): RankTimeline {
  const { rank, recordShapes } = process;
  const { timeline, links, implausible, duplicates } = buildTimeline(
    path,
    {
      strings: names.strings,
      device: process.device,
      host: process.host,
      memory: new MemoryColumns(),
      collectives: [],
      threads: process.threads(),
      eventsRead: tally.rows,
    },
    { ...metadata, rank, recordShapes },
    false,
  );
  problems.add('implausible-time', path, implausible);
  problems.add('duplicate-event', path, duplicates);
  problems.add('kernel-before-launch', path, links.beforeLaunch);
  problems.add('launch-missing', path, links.missing);
  return timeline;
}

function refuseUnlessGpuExport(database: Database, path: string): void {
  if (!isNsysExport(database))
    throw new InputRefused(
      'unknown-format',
      `${path}: an SQLite database, but not an export of Nsight Systems (it has none of its tables).`,
    );
  if (![Table.kernel, Table.memcpy, Table.memset, Table.graph].some((table) => database.has(table)))
    throw noGpuWork(path);
}

function noGpuWork(path: string): InputRefused {
  return new InputRefused(
    'not-a-gpu-trace',
    `${path}: an export of Nsight Systems without work on a GPU. ${RECORD_AGAIN}`,
  );
}
