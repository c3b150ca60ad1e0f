const RECORD = 'record some steps with torch.profiler and upload that trace';

/** Kinds of file that people upload by mistake, or that are read in another form: what it is, and what to do. */
export const KNOWN_OTHERS: readonly (readonly [
  what: string,
  test: (head: Uint8Array, text: string) => boolean,
])[] = [
  ['a PNG image', (head) => startsWith(head, [0x89, 0x50, 0x4e, 0x47])],
  ['a JPEG image', (head) => startsWith(head, [0xff, 0xd8, 0xff])],
  ['a PDF document', (_, text) => text.startsWith('%PDF')],
  [
    'an SVG image; a flame graph is read from py-spy record --format speedscope (or raw)',
    (_, text) => /^\s*(<\?xml[^>]*>\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg\b/.test(text),
  ],
  ['a ZIP archive; upload the files in it one by one', (head) => startsWith(head, [0x50, 0x4b, 0x03, 0x04])],
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
  [
    'a report of Nsight Compute; upload its export: ncu --import REPORT.ncu-rep --csv --page raw > kernels.csv',
    (head) => startsWith(head, [0x4e, 0x56, 0x52, 0x00]),
  ],
  [
    `a profile of JAX or TensorFlow (XSpace), which is not read; ${RECORD}, or run the program under Nsight Systems`,
    (head, text) => head[0] === 0x0a && /^\n[^]{1,16}\/(?:host|device):\w/.test(text),
  ],
  [
    `a trace of rocprofv3, which is not read; ${RECORD}, which has kernels and copies of AMD devices as well`,
    (_, text) => /^\s*\{\s*"rocprofiler-sdk-tool"\s*:/.test(text),
  ],
  [
    `an execution trace of PyTorch, which has operators and their inputs but no times; ${RECORD}`,
    (_, text) =>
      /^\s*\{\s*"schema"\s*:\s*"\d[^"]{0,40}"/.test(text) && /"(?:pid|nodes|time|start_ts)"\s*:/.test(text),
  ],
  [
    'a table of Nsight Systems in CSV, without what connects kernels and host; upload its export: nsys export --type sqlite REPORT.nsys-rep',
    (_, text) => /^\s*"?(?:Start|Timestamp) ?\(ns\)"?,|^\s*"?Time ?\(%\)"?,"?Total Time/.test(text),
  ],
  [
    'the topology that NCCL wrote; upload its log (NCCL_DEBUG=INFO) instead',
    (_, text) => /^\s*<system version="\d/.test(text),
  ],
  ['a JSON document without trace events', (_, text) => /^\s*[[{]/.test(text)],
  [
    'plain text',
    (head) => head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d),
  ],
];

function startsWith(head: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, i) => head[i] === byte);
}
