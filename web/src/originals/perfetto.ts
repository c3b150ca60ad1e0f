import { ProblemError } from '../api/problem';

/** Where Perfetto is. Traces go from one window of the browser to the other, to this origin only. */
export const PERFETTO_ORIGIN = 'https://ui.perfetto.dev';
/** A larger trace is too much for a page to hold twice. */
export const MOST_BYTES = 2 ** 30;

const PING_EVERY_MS = 100;
/** From the click until Perfetto is there. */
const PATIENCE_MS = 60_000;
const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

export interface Trace {
  bytes: Uint8Array<ArrayBuffer>;
  title: string;
  fileName: string;
}

/** Why Perfetto cannot open a file; null when it can. */
export function whyNot(file: { name: string; format: string | null; sizeBytes: number }): string | null {
  if (file.format !== 'kineto') return 'Perfetto does not read this format.';
  if (/\.(zst|zstd)$/i.test(file.name)) return UNPACK_FIRST;
  if (file.sizeBytes > MOST_BYTES) return 'Too large to hand over in a browser: download it.';
  return null;
}

const UNPACK_FIRST = 'Perfetto does not read zstd: download it and unpack it first.';

/** Opens Perfetto in a window beside this one. Call it while a click is handled, or browsers refuse. Throws ProblemError. */
export function openWindow(): Window {
  const target = window.open(PERFETTO_ORIGIN);
  if (target) return target;
  throw problem('window-blocked', 'The browser did not open a window', {
    detail: 'It blocks windows that this site opens.',
    action: 'Allow them for this site, in the address bar, then try again. Or download the trace.',
  });
}

/** Resolves when Perfetto listens. Throws ProblemError when it does not, or its window was closed. */
export function whenReady(target: Window, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const startedAtMs = Date.now();
    const end = (settle: () => void) => {
      clearInterval(pinging);
      window.removeEventListener('message', listen);
      settle();
    };
    const listen = ({ source, origin, data }: MessageEvent) => {
      if (source === target && origin === PERFETTO_ORIGIN && data === 'PONG') end(resolve);
    };
    const pinging = setInterval(() => {
      if (signal.aborted) end(() => reject(signal.reason as Error));
      else if (target.closed) end(() => reject(closed()));
      else if (Date.now() - startedAtMs > PATIENCE_MS) end(() => reject(unanswered()));
      // The window is not at Perfetto yet at first; who gets this learns nothing.
      else target.postMessage('PING', '*');
    }, PING_EVERY_MS);
    window.addEventListener('message', listen);
  });
}

/** Hands the trace over. Without an address beside it Perfetto offers no link to share. Throws ProblemError. */
export function handOver(target: Window, { bytes, title, fileName }: Trace): void {
  if (target.closed) throw closed();
  if (ZSTD_MAGIC.every((byte, i) => bytes[i] === byte)) {
    throw problem('compressed-with-zstd', 'Perfetto cannot open this file', {
      detail: 'It is compressed with zstd, whatever its name says.',
      action: UNPACK_FIRST,
    });
  }
  const { buffer } = bytes;
  target.postMessage({ perfetto: { buffer, title, fileName } }, PERFETTO_ORIGIN, [buffer]);
}

const closed = () =>
  problem('window-closed', 'The window of Perfetto was closed', {
    detail: 'It was closed before the trace was there.',
    action: 'Open the trace again, and leave the window open.',
  });

const unanswered = () =>
  problem('perfetto-unreachable', 'Perfetto does not answer', {
    detail: `${PERFETTO_ORIGIN} did not load within a minute; perhaps this network does not let it through.`,
    action: 'Download the trace, and open it with a Perfetto that you can reach.',
  });

function problem(code: string, title: string, words: { detail: string; action: string }): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    status: 0,
    instance: location.pathname,
    code,
    title,
    ...words,
  });
}
