import { readingsOf } from './cells';
import { type OpenTable, type ReadingColumn, SCALE } from './monitor-table';

/** `[0] NVIDIA A100 | 45'C,  12 %,  60 / 400 W | 1024 / 81920 MB | user(500M)`; power is there when asked for. */
const LINE =
  /^\[(\d{1,4})\] (\S[^|]{0,80}?) {0,40}\| {0,8}(\d{1,3})(?:'|°)C(?:, {0,4}\d{1,3} %)?, {0,4}(\d{1,3}) %(?:, {1,6}(\d{1,5}) \/ {1,6}(\d{1,5}) W)? {0,8}\| {0,8}(\d{1,8}) \/ {0,8}(\d{1,8}) MB/;

const COLUMNS: readonly ReadingColumn[] = [
  { reading: 'temperatureC', scale: SCALE.one },
  { reading: 'smUtilisation', scale: SCALE.percent },
  { reading: 'powerW', scale: SCALE.one },
  { reading: 'powerLimitW', scale: SCALE.one },
  { reading: 'memoryUsedBytes', scale: SCALE.mebibytes },
  { reading: 'memoryTotalBytes', scale: SCALE.mebibytes },
];

/** gpustat has no header of columns: every line says what it is, and lines with the host's name and time lie between. */
export const openGpustat: OpenTable = (line) => {
  if (!LINE.test(line)) return null;
  return {
    tool: 'gpustat',
    readRow(row) {
      const match = LINE.exec(row);
      if (!match) return row.startsWith('[') ? 'malformed' : 'skip';
      const readings = readingsOf(
        match.slice(3).map((cell) => cell ?? ''),
        COLUMNS,
      );
      return readings ? { id: match[1], name: match[2], timeMs: NaN, readings } : 'malformed';
    },
  };
};
