import { z } from 'zod';

const byteUnits: Record<string, number> = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };
const largestPort = 65_535;

/** Text that is a whole number between `min` and `max`. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}

/** Text that is a TCP port; 0 lets the operating system choose. */
export function port() {
  return integer(0, largestPort);
}

/** Text that is a number of bytes, plain or with KiB, MiB, GiB or TiB. */
export function sizeBytes(min = 1, max = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^\d{1,16}(KiB|MiB|GiB|TiB)?$/, 'must be a number of bytes such as 1048576, 512MiB or 20GiB')
    .transform((text) => {
      const digits = parseInt(text, 10);
      return digits * byteUnits[text.replace(/^\d+/, '')];
    })
    .pipe(z.number().min(min, `must be at least ${min} bytes`).max(max, `must be at most ${max} bytes`));
}

/** `true` or `false`. */
export function flag() {
  return z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
}

/** A URL with one of the schemes, e.g. `['http', 'https']`. The message never repeats the value: it may hold a password. */
export function url(...schemes: string[]) {
  const wanted = schemes.map((scheme) => `${scheme}://`).join(' or ');
  return z
    .string()
    .refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)) && text.length < 2048, {
      message: `must be a URL that starts with ${wanted}`,
    });
}

/** Text that is a list of web origins with commas between them, each exact: no path, no wildcard. */
export function origins() {
  return z
    .string()
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .transform((list) => list.filter((origin) => origin !== ''))
    .refine((list) => list.every(isWebOrigin), {
      message: 'must be origins such as https://app.example.org, without a path, with commas between them',
    });
}

function isWebOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
