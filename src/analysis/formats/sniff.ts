import { type ArtifactFormat } from './artifact-format';
import { ALL_FORMATS } from './index';

/** Bytes that a format may look at to recognise itself. */
export const SNIFF_BYTES = 65_536;

/** The format that recognises these first bytes, or null. */
export function sniffFormat(head: Uint8Array): ArtifactFormat | null {
  return ALL_FORMATS.find((format) => format.sniff(head.subarray(0, SNIFF_BYTES))) ?? null;
}

/** Kinds of file that people upload by mistake, or that are read in another form: what it is, and what to do. */
const KNOWN_OTHERS: readonly (readonly [what: string, test: (head: Uint8Array, text: string) => boolean])[] =
  [
    ['a PNG image', (head) => startsWith(head, [0x89, 0x50, 0x4e, 0x47])],
    ['a JPEG image', (head) => startsWith(head, [0xff, 0xd8, 0xff])],
    ['a PDF document', (_, text) => text.startsWith('%PDF')],
    [
      'a ZIP archive; upload the files in it one by one',
      (head) => startsWith(head, [0x50, 0x4b, 0x03, 0x04]),
    ],
    [
      'a zstd stream; upload the trace as .json or .json.gz',
      (head) => startsWith(head, [0x28, 0xb5, 0x2f, 0xfd]),
    ],
    ['a tar archive; upload the files in it one by one', (_, text) => text.slice(257, 262) === 'ustar'],
    [
      'a report of Nsight Systems; upload its export: nsys export --type sqlite REPORT.nsys-rep',
      (_, text) => text.startsWith('NVIDIA Tegra Profiler Report'),
    ],
    ['a pickle file', (head) => head[0] === 0x80 && head[1] >= 2 && head[1] <= 5],
    ['a JSON document without trace events', (_, text) => /^\s*[[{]/.test(text)],
    [
      'plain text',
      (head) => head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d),
    ],
  ];

/** What an unrecognised file seems to be, for a message. */
export function describeUnknown(head: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(head.subarray(0, 4096));
  return (
    KNOWN_OTHERS.find(([, test]) => test(head.subarray(0, 4096), text))?.[0] ??
    'binary data of an unknown kind'
  );
}

function startsWith(head: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => head[i] === byte);
}
