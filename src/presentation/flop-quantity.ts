const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'] as const;

/** A count or a rate of operations with three significant digits and a decimal prefix, for example `185 Tflop`. */
export function formatFlop(value: number, unit: 'flop' | 'flopPerSec'): string {
  const { digits, prefix } = scaled(value);
  return `${digits} ${prefix}${unit === 'flop' ? 'flop' : 'flop/s'}`;
}

/** A count with three significant digits and a decimal prefix, for example `7.00 G`. */
export function formatCount(value: number): string {
  if (Math.abs(value) < 10_000 && Number.isInteger(value)) return String(value);
  const { digits, prefix } = scaled(value);
  return prefix === '' ? digits : `${digits} ${prefix}`;
}

function scaled(value: number): { digits: string; prefix: string } {
  let magnitude = value;
  let power = 0;
  while (Math.abs(magnitude) >= 1000 && power < PREFIXES.length - 1) {
    magnitude /= 1000;
    power++;
  }
  return { digits: magnitude === 0 ? '0' : magnitude.toPrecision(3), prefix: PREFIXES[power] };
}
