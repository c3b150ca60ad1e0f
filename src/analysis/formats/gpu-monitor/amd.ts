import { readingsOf, splitCsv, timestampMs } from './cells';
import { columnsNamed, type OpenTable, type ReadingColumn, SCALE } from './monitor-table';

const COMMON: Record<string, ReadingColumn> = {
  vram_used: { reading: 'memoryUsedBytes', scale: SCALE.mebibytes },
  vram_total: { reading: 'memoryTotalBytes', scale: SCALE.mebibytes },
};
/** `amd-smi metric --csv`; `mem` is a temperature here. */
const METRIC = columnsNamed({
  ...COMMON,
  gfx_activity: { reading: 'smUtilisation', scale: SCALE.percent },
  umc_activity: { reading: 'memoryUtilisation', scale: SCALE.percent },
  socket_power: { reading: 'powerW', scale: SCALE.one },
  gfx_0_clk: { reading: 'smClockMhz', scale: SCALE.one },
  mem_0_clk: { reading: 'memoryClockMhz', scale: SCALE.one },
  hotspot: { reading: 'temperatureC', scale: SCALE.one },
  edge: { reading: 'temperatureC', scale: SCALE.one },
  mem: { reading: 'memoryTemperatureC', scale: SCALE.one },
  used_vram: { reading: 'memoryUsedBytes', scale: SCALE.mebibytes },
  total_vram: { reading: 'memoryTotalBytes', scale: SCALE.mebibytes },
});
/** `amd-smi monitor --csv`; `mem` is a utilisation here. */
const MONITOR = columnsNamed({
  ...COMMON,
  power_usage: { reading: 'powerW', scale: SCALE.one },
  max_power: { reading: 'powerLimitW', scale: SCALE.one },
  hotspot_temperature: { reading: 'temperatureC', scale: SCALE.one },
  memory_temperature: { reading: 'memoryTemperatureC', scale: SCALE.one },
  gfx: { reading: 'smUtilisation', scale: SCALE.percent },
  gfx_clk: { reading: 'smClockMhz', scale: SCALE.one },
  gfx_clock: { reading: 'smClockMhz', scale: SCALE.one },
  mem: { reading: 'memoryUtilisation', scale: SCALE.percent },
  mem_clock: { reading: 'memoryClockMhz', scale: SCALE.one },
});

/** `amd-smi monitor` and `amd-smi metric` as CSV, with `timestamp` in front when they watch. */
export const openAmdSmi: OpenTable = (line) => {
  const names = splitCsv(line);
  const gpu = names.indexOf('gpu');
  if (gpu < 0) return null;
  const known = names.includes('power_usage') || names.includes('gfx') ? MONITOR : METRIC;
  const columns = names.map((name) => known.get(name) ?? null);
  if (columns.every((column) => column === null)) return null;
  const timestamp = names.indexOf('timestamp');
  return {
    tool: 'amd-smi',
    readRow(row) {
      if (row === line) return 'skip';
      const cells = splitCsv(row);
      if (cells.length !== names.length || !/^\d{1,4}$/.test(cells[gpu])) return 'malformed';
      const readings = readingsOf(cells, columns);
      const timeMs = timestamp < 0 ? NaN : timestampMs(cells[timestamp]);
      return readings ? { id: cells[gpu], name: null, timeMs, readings } : 'malformed';
    },
  };
};

/** Titles of `rocm-smi --csv`, which change from version to version. */
const ROCM_TITLES: readonly (readonly [title: RegExp, column: ReadingColumn])[] = [
  [/^GPU use \(%\)$/i, { reading: 'smUtilisation', scale: SCALE.percent }],
  [
    /^(?:GPU memory use \(%\)|(?:GPU )?Memory (?:Read\/Write )?Activity(?: \(%\))?)$/i,
    { reading: 'memoryUtilisation', scale: SCALE.percent },
  ],
  [
    /^(?:Average|Current) (?:Socket )?(?:Graphics Package )?Power \(W\)$/i,
    { reading: 'powerW', scale: SCALE.one },
  ],
  [/^Max Graphics Package Power \(W\)$/i, { reading: 'powerLimitW', scale: SCALE.one }],
  [/^Temperature \(Sensor (?:edge|junction)\) \(C\)$/i, { reading: 'temperatureC', scale: SCALE.one }],
  [/^Temperature \(Sensor memory\) \(C\)$/i, { reading: 'memoryTemperatureC', scale: SCALE.one }],
  [/^sclk clock speed:?$/i, { reading: 'smClockMhz', scale: SCALE.one }],
  [/^mclk clock speed:?$/i, { reading: 'memoryClockMhz', scale: SCALE.one }],
  [/^VRAM Total Memory \(B\)$/i, { reading: 'memoryTotalBytes', scale: SCALE.one }],
  [/^VRAM Total Used Memory \(B\)$/i, { reading: 'memoryUsedBytes', scale: SCALE.one }],
];

/** `rocm-smi --csv`: no times, and each kind of reading may come as a table of its own. */
export const openRocmSmi: OpenTable = (line) => {
  const names = splitCsv(line);
  if (names[0].toLowerCase() !== 'device') return null;
  const columns = names.map((name) => ROCM_TITLES.find(([title]) => title.test(name))?.[1] ?? null);
  if (columns.every((column) => column === null)) return null;
  const product = names.findIndex((name) => /^(?:Device Name|Card Series)$/i.test(name));
  return {
    tool: 'rocm-smi',
    spreadsSamples: true,
    readRow(row) {
      if (row === line || /^(?:system|WARNING|=)/.test(row)) return 'skip';
      const cells = splitCsv(row);
      const card = /^card(\d{1,4})$/.exec(cells[0]);
      if (!card || cells.length !== names.length) return 'malformed';
      const readings = readingsOf(cells, columns);
      return readings
        ? { id: card[1], name: product < 0 ? null : cells[product], timeMs: NaN, readings }
        : 'malformed';
    },
  };
};
