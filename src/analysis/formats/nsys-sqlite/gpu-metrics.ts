import { type GpuMonitor, type GpuReading, type MonitoredDevice } from '../../timeline/gpu-monitor';
import { NS_PER_MS } from '../../units/time';
import { BinnedSeries } from './binned-series';
import { Table } from './export-tables';
import { type NsysReader, scanTable } from './nsys-reader';

/** Counters are sampled up to 200,000 times a second; their means over this time are kept. */
const BIN_MS = 10;
/** Of all series together: a quarter of an hour of eight devices with all four metrics. More is not kept. */
const MAX_BINS = 1 << 22;
const PERCENT = 100;

/** Metrics that are used, by the beginning of their name; reading and writing memory add up. */
const METRICS: readonly (readonly [GpuReading, RegExp])[] = [
  ['smActive', /^SMs? Active/i],
  ['tensorActive', /^Tensor (Pipe )?Active/i],
  ['dramActive', /^DRAM Read (Bandwidth|Throughput)/i],
  ['dramActive', /^DRAM Write (Bandwidth|Throughput)/i],
];

/** Percent of one metric. */
interface Series {
  device: number;
  reading: GpuReading;
  values: BinnedSeries;
}

/**
 * Reads the counters that `nsys profile --gpu-metrics-devices` sampled, as those of a monitor beside the training;
 * undefined when there are none. `baseTimeNs` is added to times to give ns since 1970.
 */
export function readGpuMetrics(
  reader: NsysReader,
  baseTimeNs: bigint,
  maxBins = MAX_BINS,
): GpuMonitor | undefined {
  const series = wantedSeries(reader);
  if (series.size === 0) return undefined;
  let usedBins = 0;
  const columns = ['timestamp', 'typeId', 'metricId', 'value'];
  scanTable(reader, Table.gpuMetrics, columns, (row) => {
    const one = series.get(`${row.integer(1)} ${row.integer(2)}`);
    if (!one) return;
    const value = row.integer(3);
    const bin = Math.floor(row.integer(0) / (BIN_MS * NS_PER_MS));
    if (!Number.isSafeInteger(bin) || !(value >= 0 && value <= PERCENT)) {
      reader.tally.rejects(row, Number.isNaN(value) ? 3 : 0, `${Table.gpuMetrics}.value`);
      return;
    }
    const needsPlace = one.values.needsPlace(bin);
    if (needsPlace && usedBins >= maxBins) {
      reader.tally.overLimit++;
      return;
    }
    if (needsPlace) usedBins++;
    one.values.add(bin, value);
  });
  const ids = [
    ...new Set([...series.values()].filter(({ values }) => values.length > 0).map(({ device }) => device)),
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
      values: new BinnedSeries(),
    });
  });
  return series;
}

function deviceOf(id: number, all: readonly Series[], baseTimeNs: bigint): MonitoredDevice {
  const mine = all.filter(({ device }) => device === id);
  const bins = distinct(mine.map(({ values }) => values.usedBins()));
  const baseMs = Number(baseTimeNs / BigInt(NS_PER_MS));
  const readings: MonitoredDevice['readings'] = {};
  for (const { reading, values } of mine) {
    if (values.length === 0) continue;
    const known = readings[reading];
    readings[reading] = values.meansAt(bins).map((mean, i) => (known?.[i] ?? 0) + mean / PERCENT);
  }
  return {
    id: String(id),
    index: id,
    name: null,
    sampleCount: bins.length,
    timeMs: bins.map((bin) => baseMs + bin * BIN_MS),
    readings,
  };
}

/** All values of the lists, rising, each once. */
function distinct(lists: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const list of lists) {
    all.set(list, filled);
    filled += list.length;
  }
  return all.sort().filter((value, i, sorted) => i === 0 || value !== sorted[i - 1]);
}
