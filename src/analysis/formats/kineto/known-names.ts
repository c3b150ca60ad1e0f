import { DeviceOpKind } from '../../timeline/rank-timeline';

const encode = (text: string) => new TextEncoder().encode(text);

const STEP_MARKER = encode('ProfilerStep#');
const MEMORY = encode('[memory]');
const THREAD_NAME = encode('thread_name');

/** Ranges that PyTorch itself sets; in 2021 they had the category `Operator`. */
const ANNOTATIONS_OF_2021 = [
  'enumerate(DataLoader)',
  'Optimizer.',
  'DistributedDataParallel.forward',
  'DataParallel.forward',
].map(encode);

/** ROCm 7 reports copies and fills as kernels of its runtime. */
const ROCM_COPY = encode('__amd_rocclr_copyBuffer');
const ROCM_FILL = encode('__amd_rocclr_fillBuffer');

/** True for `ProfilerStep#12`, whatever its category. */
export function isStepMarker(bytes: Uint8Array, start: number, end: number): boolean {
  return startsWith(STEP_MARKER, bytes, start, end);
}

/** True for the allocator's instants. */
export function isMemoryEvent(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === MEMORY.length && startsWith(MEMORY, bytes, start, end);
}

/** True for the metadata event that names a thread. */
export function isThreadName(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === THREAD_NAME.length && startsWith(THREAD_NAME, bytes, start, end);
}

/** True for an event of category `Operator` that is a range, not an operator. */
export function isAnnotationOf2021(bytes: Uint8Array, start: number, end: number): boolean {
  return ANNOTATIONS_OF_2021.some((prefix) => startsWith(prefix, bytes, start, end));
}

/** `DeviceOpKind` of an event of category kernel, by its name. */
export function kindOfNamedKernel(bytes: Uint8Array, start: number, end: number): number {
  if (startsWith(ROCM_COPY, bytes, start, end)) return DeviceOpKind.memcpy;
  return startsWith(ROCM_FILL, bytes, start, end) ? DeviceOpKind.memset : DeviceOpKind.kernel;
}

function startsWith(prefix: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[start + i] !== prefix[i]) return false;
  return true;
}
