import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { readLines } from '../read-lines';
import { openAmdSmi, openRocmSmi } from './amd';
import { openDcgmi } from './dcgmi';
import { DeviceSamples } from './device-samples';
import { openDmon } from './dmon';
import { openGpustat } from './gpustat';
import { type MonitorTable, type OpenTable } from './monitor-table';
import { openQueryCsv } from './query-csv';

const OPENERS: readonly OpenTable[] = [
  openDmon,
  openQueryCsv,
  openDcgmi,
  openAmdSmi,
  openRocmSmi,
  openGpustat,
];

/** A header stands near the top; below there is output of the shell at most. */
const SNIFF_LINES = 64;
/** Devices of one machine, and samples of all of them; ten days of eight devices at one a second are seven million. */
const MAX_DEVICES = 1024;
const MAX_SAMPLES = 8_000_000;

/** What a GPU monitor wrote beside the training: one line per device and moment, below headers that may come again. */
export const gpuMonitorFormat: ArtifactFormat = {
  id: 'gpu-monitor',
  sniffOrder: 60,
  sniff(head) {
    if (head.includes(0)) return false;
    const lines = new TextDecoder().decode(head).split(/\r\n|\n|\r/, SNIFF_LINES);
    return lines.some((line) => openTable(line) !== null);
  },
  async read(chunks, context) {
    const { path, problems } = context;
    const devices = new Map<string, DeviceSamples>();
    const mostSamples = Math.min(MAX_SAMPLES, context.limits.maxEvents);
    let table: MonitorTable | null = null;
    let samples = 0;
    for await (const line of readLines(chunks, context)) {
      if (line.trim() === '') continue;
      const opened = openTable(line);
      table = opened ?? table;
      const row = opened?.tool === 'gpustat' || !opened ? (table?.readRow(line) ?? 'malformed') : 'skip';
      if (row === 'malformed') problems.add('malformed-event', path, 1, line);
      if (typeof row === 'string') continue;
      const device = devices.get(row.id) ?? new DeviceSamples(row.id);
      if (table?.spreadsSamples && device.addToLast(row)) continue;
      if (samples >= mostSamples || (devices.size >= MAX_DEVICES && !devices.has(row.id))) {
        problems.add('event-limit-reached', path);
        continue;
      }
      devices.set(row.id, device);
      device.add(row);
      samples++;
    }
    if (!table || devices.size === 0)
      throw new InputRefused(
        'nothing-to-read',
        `${path}: a GPU monitor's header without one sample below it.`,
      );
    return {
      kind: 'gpu-monitor',
      monitor: { tool: table.tool, devices: [...devices.values()].map((device) => device.finish()) },
    };
  },
};

/** Rows of most tools begin with a number or blanks; headers never do. */
const HEADER_START = /^[#[A-Za-z]/;

function openTable(line: string): MonitorTable | null {
  if (!HEADER_START.test(line)) return null;
  for (const open of OPENERS) {
    const table = open(line);
    if (table) return table;
  }
  return null;
}
