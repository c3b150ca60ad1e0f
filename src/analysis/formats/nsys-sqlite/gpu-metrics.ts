import { type GpuMonitor, type GpuReading, type MonitoredDevice } from '../../timeline/gpu-monitor';
import { NS_PER_MS } from '../../units/time';
import { Table } from './export-tables';
import { type NsysReader, scanTable } from './nsys-reader';

/** Counters are sampled up to 200,000 times a second; their means over this time are kept. */
const BIN_MS = 10;
/** Hours of recording; more is not kept. */
const MAX_BINS = 1 << 20;
const PERCENT = 100;

/** Metrics that are used, by the beginning of their name; reading and writing memory add up. */
const METRICS: readonly (readonly [GpuReading, RegExp])[] = [
  ['smActive', /^SMs? Active/i],
  ['tensorActive', /^Tensor (Pipe )?Active/i],
  ['dramActive', /^DRAM Read (Bandwidth|Throughput)/i],
  ['dramActive', /^DRAM Write (Bandwidth|Throughput)/i],
];

/** Sums of percent, and counts, of one metric by bin. */
interface Series {
  device: number;
  reading: GpuReading;
  sums: Map<number, number>;
  counts: Map<number, number>;
}

/**
 * Reads the counters that `nsys profile --gpu-metrics-devices` sampled, as those of a monitor beside the training;
 * undefined when there are none. `baseTimeNs` is added to times to give ns since 1970.
 */
export function readGpuMetrics(reader: NsysReader, baseTimeNs: bigint): GpuMonitor | undefined {
  const series = wantedSeries(reader);
  if (series.size === 0) return undefined;
  const columns = ['timestamp', 'typeId', 'metricId', 'value'];
  scanTable(reader, Table.gpuMetrics, columns, (row) => {
    const one = series.get(`${row.integer(1)} ${row.integer(2)}`);
    if (!one) return;
    const value = row.integer(3);
    const bin = Math.floor(row.integer(0) / (BIN_MS * NS_PER_MS));
    if (!Number.isSafeInteger(bin) || !(value >= 0 && value <= PERCENT)) {
      reader.tally.rejects(row, Number.isNaN(value) ? 3 : 0, `${Table.gpuMetrics}.value`);
    } else if (!one.sums.has(bin) && one.sums.size >= MAX_BINS) {
      reader.tally.overLimit++;
    } else {
      one.sums.set(bin, (one.sums.get(bin) ?? 0) + value);
      one.counts.set(bin, (one.counts.get(bin) ?? 0) + 1);
    }
  });
  const ids = [
    ...new Set([...series.values()].filter(({ sums }) => sums.size > 0).map(({ device }) => device)),
  ];
  const devices = ids.sort((a, b) => a - b).map((id) => deviceOf(id, [...series.values()], baseTimeNs));
  return devices.length > 0 ? { tool: 'nsys-gpu-metrics', devices } : undefined;
}

/** Series by `typeId metricId`. The lowest byte of a type is the number of the GPU. */
function wantedSeries(reader: NsysReader): Map<string, Series> {
  const series = new Map<string, Series>();
  const decoder = new TextDecoder();
  scanTable(reader, Table.gpuMetricNames, ['typeId', 'metricId', 'metricName'], (row) => {
    const name = decoder.decode(row.text(2) ?? new Uint8Array(0));
    const reading = METRICS.find(([, pattern]) => pattern.test(name))?.[0];
    const type = row.integer(0);
    if (!reading || !(type >= 0) || series.size >= METRICS.length * 0x100) return;
    series.set(`${type} ${row.integer(1)}`, {
      device: type % 0x100,
      reading,
      sums: new Map(),
      counts: new Map(),
    });
  });
  return series;
}

function deviceOf(id: number, all: readonly Series[], baseTimeNs: bigint): MonitoredDevice {
  const mine = all.filter(({ device }) => device === id);
  const bins = [...new Set(mine.flatMap(({ sums }) => [...sums.keys()]))].sort((a, b) => a - b);
  const baseMs = Number(baseTimeNs / BigInt(NS_PER_MS));
  const readings: MonitoredDevice['readings'] = {};
  for (const { reading, sums, counts } of mine) {
    if (sums.size === 0) continue;
    const known = readings[reading];
    readings[reading] = Float64Array.from(
      bins,
      (bin, i) => (known?.[i] ?? 0) + (sums.get(bin) ?? NaN) / (PERCENT * (counts.get(bin) ?? NaN)),
    );
  }
  return {
    id: String(id),
    index: id,
    name: null,
    sampleCount: bins.length,
    timeMs: Float64Array.from(bins, (bin) => baseMs + bin * BIN_MS),
    readings,
  };
}
