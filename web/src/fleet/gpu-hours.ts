const WHOLE_FROM = 100;

/** GPU-hours with three significant digits or all whole ones, such as `12.4` and `1,240`. */
export function formatGpuHours(hours: number): string {
  if (hours > 0 && hours < 0.01) return '< 0.01';
  if (hours >= WHOLE_FROM) return Math.round(hours).toLocaleString('en');
  return hours === 0 ? '0' : hours.toFixed(hours >= 10 ? 1 : 2);
}
