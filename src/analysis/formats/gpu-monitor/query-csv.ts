import { readingsOf, splitCsv, timestampMs } from './cells';
import { columnsNamed, type OpenTable, SCALE } from './monitor-table';

const UNIT = /\[[^\]]{1,8}\]$/;

/** Names of `--query-gpu`, old and new, without `.current`. */
const COLUMNS = columnsNamed({
  'utilization.gpu': { reading: 'smUtilisation', scale: SCALE.percent },
  'utilization.memory': { reading: 'memoryUtilisation', scale: SCALE.percent },
  'memory.used': { reading: 'memoryUsedBytes', scale: SCALE.mebibytes },
  'memory.total': { reading: 'memoryTotalBytes', scale: SCALE.mebibytes },
  'power.draw': { reading: 'powerW', scale: SCALE.one },
  'power.draw.average': { reading: 'powerW', scale: SCALE.one },
  'power.draw.instant': { reading: 'powerW', scale: SCALE.one },
  'power.limit': { reading: 'powerLimitW', scale: SCALE.one },
  'enforced.power.limit': { reading: 'powerLimitW', scale: SCALE.one },
  'clocks.sm': { reading: 'smClockMhz', scale: SCALE.one },
  'clocks.gr': { reading: 'smClockMhz', scale: SCALE.one },
  'clocks.graphics': { reading: 'smClockMhz', scale: SCALE.one },
  'clocks.max.sm': { reading: 'maxSmClockMhz', scale: SCALE.one },
  'clocks.max.graphics': { reading: 'maxSmClockMhz', scale: SCALE.one },
  'clocks.max.gr': { reading: 'maxSmClockMhz', scale: SCALE.one },
  'clocks.mem': { reading: 'memoryClockMhz', scale: SCALE.one },
  'clocks.memory': { reading: 'memoryClockMhz', scale: SCALE.one },
  'temperature.gpu': { reading: 'temperatureC', scale: SCALE.one },
  'temperature.memory': { reading: 'memoryTemperatureC', scale: SCALE.one },
  'clocks_throttle_reasons.active': { reading: 'throttleReasons', scale: SCALE.one },
  'clocks_event_reasons.active': { reading: 'throttleReasons', scale: SCALE.one },
});
/** Columns of single reasons say `Active` or `Not Active`; the bits are NVML's. */
const REASON_BITS = new Map(
  Object.entries({
    gpu_idle: 0x1,
    applications_clocks_setting: 0x2,
    sw_power_cap: 0x4,
    hw_slowdown: 0x8,
    sync_boost: 0x10,
    sw_thermal_slowdown: 0x20,
    hw_thermal_slowdown: 0x40,
    hw_power_brake_slowdown: 0x80,
  }),
);
const SINGLE_REASON = /^clocks_(?:throttle|event)_reasons\.(\w{1,40})$/;
const IDENTITIES = ['index', 'uuid', 'gpu_uuid', 'pci.bus_id', 'gpu_bus_id', 'serial', 'gpu_serial'];

/** `nvidia-smi --query-gpu=… --format=csv`, with or without units in the cells. */
export const openQueryCsv: OpenTable = (line) => {
  const names = splitCsv(line).map((name) => name.replace(UNIT, '').trimEnd().replace('.current.', '.'));
  const columns = names.map((name) => COLUMNS.get(name) ?? null);
  const reasons = names.map((name) => REASON_BITS.get(SINGLE_REASON.exec(name)?.[1] ?? '') ?? 0);
  if (columns.every((column) => column === null) && reasons.every((bit) => bit === 0)) return null;
  const identity = IDENTITIES.map((name) => names.indexOf(name)).find((at) => at >= 0) ?? -1;
  const timestamp = names.indexOf('timestamp');
  const product = Math.max(names.indexOf('name'), names.indexOf('gpu_name'));
  return {
    tool: 'nvidia-smi-query',
    readRow(row) {
      if (row === line) return 'skip';
      const cells = splitCsv(row);
      if (cells.length !== names.length) return 'malformed';
      const timeMs = timestamp < 0 ? NaN : timestampMs(cells[timestamp]);
      if (timestamp >= 0 && Number.isNaN(timeMs)) return 'malformed';
      const readings = readingsOf(cells, columns);
      if (!readings || (identity >= 0 && cells[identity] === '')) return 'malformed';
      if (readings.throttleReasons === undefined && reasons.some((bit) => bit > 0))
        readings.throttleReasons = maskOf(cells, reasons);
      return {
        id: identity < 0 ? '?' : cells[identity],
        name: product < 0 ? null : cells[product],
        timeMs,
        readings,
      };
    },
  };
};

function maskOf(cells: readonly string[], reasons: readonly number[]): number {
  const told = cells.filter((cell, i) => reasons[i] > 0 && /^(?:not )?active$/i.test(cell));
  if (told.length === 0) return NaN;
  return reasons.reduce((mask, bit, i) => (/^active$/i.test(cells[i]) ? mask | bit : mask), 0);
}
