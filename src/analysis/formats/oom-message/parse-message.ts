import { maskSecrets } from '../mask-secrets';
import { ownText } from '../own-text';
import { type OomMessage } from './oom-message-record';

/** Begins a message. After a quotation mark it is a program's text about such messages, as tracebacks quote it. */
export const OOM_MESSAGE =
  /(?<!["'`])\b(?:(?<backend>CUDA|HIP|XPU|NPU|MPS) (?:backend )?out of memory\b|(?:CUDA|HIP) error: out of memory|cuda runtime error \(2\) ?: out of memory|CUDA driver error: out of memory|Cuda failure (?:2 )?'out of memory'|CU(?:BLAS|DNN)_STATUS_ALLOC_FAILED|(?<jax>RESOURCE_EXHAUSTED: Out of memory))/;

const MAX_TEXT_CHARS = 400;
/** Figures stand in the first characters of the longest messages. */
const MAX_MESSAGE_CHARS = 4000;
const MAX_OTHER_PROCESSES = 64;
/** Drivers have been seen to report 2⁶⁴ bytes for a process that they know nothing about. */
const MAX_PLAUSIBLE_BYTES = 2 ** 50;
const SIZE = '(\\d{1,15}(?:\\.\\d{1,9})? ?(?:bytes|[KMGTP]?i?B))';

/** Each figure with the wordings of all versions, newest first. */
const FIGURES = {
  requestedBytes: ['(?:Tried|trying) to allocate SIZE'],
  capacityBytes: ['has a total capac?i?ty of SIZE', 'SIZE total capacity'],
  freeBytes: ['of which SIZE is free', 'SIZE free'],
  allowedBytes: ['SIZE allowed', 'max allowed: SIZE'],
  processBytes: ['this process has SIZE memory in use'],
  allocatedBytes: [
    'Of the allocated memory SIZE is allocated by PyTorch',
    'SIZE already allocated',
    'MPS allocated: SIZE',
  ],
  reservedBytes: ['SIZE reserved in total by PyTorch', 'SIZE cached'],
  unallocatedBytes: ['SIZE is reserved by PyTorch but unallocated'],
  privatePoolBytes: ['with SIZE allocated in private pools'],
} as const satisfies Partial<Record<keyof OomMessage, readonly string[]>>;

type Figure = keyof typeof FIGURES;

const PATTERNS = Object.fromEntries(
  Object.entries(FIGURES).map(([name, wordings]) => [
    name,
    wordings.map((wording) => new RegExp(`\\b${wording.replace('SIZE', SIZE)}`)),
  ]),
) as Record<Figure, RegExp[]>;

/** Reads the message in a line; null when there is none. The rank is that of the launcher's prefix. */
export function parseOomMessage(line: string): OomMessage | null {
  const match = OOM_MESSAGE.exec(line);
  if (!match) return null;
  const before = line.slice(Math.max(0, match.index - 300), match.index);
  // Figures stand before the name only in old cublas and driver errors, which have none.
  const text = line.slice(match.index, match.index + MAX_MESSAGE_CHARS);
  const figure = (name: Figure): number | null => {
    const size = PATTERNS[name]
      .map((pattern) => pattern.exec(text)?.[1])
      .find((found) => found !== undefined);
    return size === undefined ? null : sizeBytes(size);
  };
  const rank = /\[(?:rank|default|Rank )(\d{1,7})\]/.exec(before)?.[1];
  const device = /\bGPU:? ?(\d{1,4})\b/.exec(text)?.[1];
  const allocatedBytes = figure('allocatedBytes');
  const reservedBytes = figure('reservedBytes');
  const unallocatedBytes = figure('unallocatedBytes');
  return {
    backend: match.groups?.jax ? 'JAX' : ((match.groups?.backend as OomMessage['backend']) ?? 'CUDA'),
    rank: rank === undefined ? null : Number(rank),
    device: device === undefined ? null : Number(device),
    requestedBytes: figure('requestedBytes'),
    capacityBytes: figure('capacityBytes'),
    freeBytes: figure('freeBytes'),
    allowedBytes: figure('allowedBytes'),
    processBytes: figure('processBytes'),
    allocatedBytes,
    reservedBytes: reservedBytes ?? sum(allocatedBytes, unallocatedBytes),
    unallocatedBytes: unallocatedBytes ?? difference(reservedBytes, allocatedBytes),
    privatePoolBytes: figure('privatePoolBytes'),
    otherProcesses: otherProcesses(text),
    text: ownText(maskSecrets(text).slice(0, MAX_TEXT_CHARS).trim()),
    count: 1,
  };
}

function otherProcesses(text: string): OomMessage['otherProcesses'] {
  const found = [...text.matchAll(new RegExp(`\\bProcess (\\d{1,10}) has ${SIZE} memory in use`, 'g'))];
  return found
    .slice(0, MAX_OTHER_PROCESSES)
    .map(([, pid, size]) => ({ pid: Number(pid), usedBytes: sizeBytes(size) }));
}

/** All units are powers of 1024, whatever the wording: the allocators divide so. */
function sizeBytes(size: string): number | null {
  const [, digits, unit] = /^([\d.]+) ?(.+)$/.exec(size) ?? [];
  const power = unit === 'bytes' ? 0 : Math.max(0, 'BKMGTP'.indexOf(unit[0]));
  const bytes = Math.round(Number(digits) * 1024 ** power);
  return bytes <= MAX_PLAUSIBLE_BYTES ? bytes : null;
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(0, a - b);
}
