/** True when the first bytes of a file look like a trace in Chrome's event format, or like kineto's metadata. */
export function sniffKineto(head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head).replace(/^[^[{]{0,64}/, '');
  if (text.startsWith('[')) {
    const first = text.slice(0, MAX_FIRST_EVENT_CHARS);
    return /^\[[\s,]*\{/.test(first) && /"ph"\s*:\s*"[A-Za-z]"/.test(first);
  }
  if (!text.startsWith('{')) return false;
  if (/"traceEvents"\s*:/.test(text)) return true;
  return KINETO_MEMBERS.filter((member) => member.test(text)).length >= 2;
}

/** A bare array is judged by its first event; names of kernels are long. */
const MAX_FIRST_EVENT_CHARS = 16_384;

/** Members that stand before the events; in long job descriptions the events begin after the head. */
const KINETO_MEMBERS = [
  /"schemaVersion"\s*:/,
  /"deviceProperties"\s*:/,
  /"distributedInfo"\s*:/,
  /"baseTimeNanoseconds"\s*:/,
  /"(cupti|roctracer|cuda_runtime|hip_runtime)_version"\s*:/,
];
