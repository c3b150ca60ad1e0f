import { cellNumber, readingsOf } from './cells';
import { columnsNamed, type OpenTable, SCALE } from './monitor-table';

/** Short names of DCGM's fields. */
const COLUMNS = columnsNamed({
  GPUTL: { reading: 'smUtilisation', scale: SCALE.percent },
  GRACT: { reading: 'smUtilisation', scale: SCALE.one },
  MCUTL: { reading: 'memoryUtilisation', scale: SCALE.percent },
  SMACT: { reading: 'smActive', scale: SCALE.one },
  TENSO: { reading: 'tensorActive', scale: SCALE.one },
  DRAMA: { reading: 'dramActive', scale: SCALE.one },
  POWER: { reading: 'powerW', scale: SCALE.one },
  SMCLK: { reading: 'smClockMhz', scale: SCALE.one },
  MMCLK: { reading: 'memoryClockMhz', scale: SCALE.one },
  TMPTR: { reading: 'temperatureC', scale: SCALE.one },
  MMTMP: { reading: 'memoryTemperatureC', scale: SCALE.one },
  FBUSD: { reading: 'memoryUsedBytes', scale: SCALE.mebibytes },
  FBTTL: { reading: 'memoryTotalBytes', scale: SCALE.mebibytes },
  DVCCTR: { reading: 'throttleReasons', scale: SCALE.one },
});

/** `dcgmi dmon -e …`: `#Entity` and the short names of the fields, then a line of units that begins with `ID`. */
export const openDcgmi: OpenTable = (line) => {
  const header = /^# ?Entity\s+(\S.*)$/.exec(line);
  if (!header) return null;
  const names = header[1].trim().split(/\s+/);
  const columns = names.map((name) => COLUMNS.get(name) ?? null);
  return {
    tool: 'dcgmi-dmon',
    readRow(row) {
      if (/^\s*(?:#|ID\b)/i.test(row)) return 'skip';
      const entity = /^\s*([A-Za-z][A-Za-z-]{0,15})\s+(\d{1,6})\s+(\S.*)$/.exec(row);
      if (!entity) return 'malformed';
      // Instances and links are parts of a device, whose row counts them.
      if (entity[1] !== 'GPU') return 'skip';
      const cells = entity[3].trim().split(/\s+/);
      if (cells.length !== names.length || cells.some((cell) => cellNumber(cell) === null))
        return 'malformed';
      const readings = readingsOf(cells, columns);
      return readings ? { id: entity[2], name: null, timeMs: NaN, readings } : 'malformed';
    },
  };
};
