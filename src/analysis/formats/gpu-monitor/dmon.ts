import { cellNumber, readingsOf, splitCsv, wallClockMs } from './cells';
import { columnsNamed, type OpenTable, type ReadingColumn, SCALE } from './monitor-table';

/** Columns of all generations; their order and number differ, so they are taken by name. */
const COLUMNS = columnsNamed({
  pwr: { reading: 'powerW', scale: SCALE.one },
  temp: { reading: 'temperatureC', scale: SCALE.one },
  gtemp: { reading: 'temperatureC', scale: SCALE.one },
  mtemp: { reading: 'memoryTemperatureC', scale: SCALE.one },
  sm: { reading: 'smUtilisation', scale: SCALE.percent },
  mem: { reading: 'memoryUtilisation', scale: SCALE.percent },
  mclk: { reading: 'memoryClockMhz', scale: SCALE.one },
  pclk: { reading: 'smClockMhz', scale: SCALE.one },
  pviol: { reading: 'powerViolation', scale: SCALE.percent },
  fb: { reading: 'memoryUsedBytes', scale: SCALE.mebibytes },
});
const THERMAL_VIOLATION: ReadingColumn = { reading: 'thermalViolation', scale: SCALE.one };

/** `nvidia-smi dmon`: a header of names and one of units, both behind `#`, again after every screen of rows. */
export const openDmon: OpenTable = (line) => {
  if (!line.startsWith('#')) return null;
  const split = line.includes(',') ? splitCsv : (text: string) => text.trim().split(/\s+/);
  const names = split(line.slice(1).trim()).map((name) => name.toLowerCase());
  const gpu = names.indexOf('gpu');
  // `tviol` is 0 or 1: the device was, or was not, held back by its temperature.
  const columns = names.map((name) => (name === 'tviol' ? THERMAL_VIOLATION : (COLUMNS.get(name) ?? null)));
  if (gpu < 0 || gpu > 2 || columns.every((column) => column === null)) return null;
  const date = names.indexOf('date');
  const time = names.indexOf('time');
  return {
    tool: 'nvidia-smi-dmon',
    readRow(row) {
      if (row.startsWith('#')) return 'skip';
      const cells = split(row.trim());
      if (cells.length !== names.length || !/^\d{1,4}$/.test(cells[gpu])) return 'malformed';
      const timeMs = time < 0 ? NaN : wallClockMs(date < 0 ? null : cells[date], cells[time]);
      if (time >= 0 && Number.isNaN(timeMs)) return 'malformed';
      if (cells.some((cell, i) => i > gpu && cellNumber(cell) === null)) return 'malformed';
      const readings = readingsOf(cells, columns);
      return readings ? { id: cells[gpu], name: null, timeMs, readings } : 'malformed';
    },
  };
};
