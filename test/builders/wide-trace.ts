import { gzipSync } from 'node:zlib';
import { traceOf } from './kineto-trace';

/** A gzipped trace of kernels that all have different long names, so that reading it takes memory: about 500 B a kernel. */
export function wideTrace(kernels: number): Buffer {
  const events = Array.from({ length: kernels }, (_, i) =>
    JSON.stringify({
      ph: 'X',
      cat: 'kernel',
      name: `${'long_kernel_name_'.repeat(12)}${i}`,
      pid: 0,
      tid: 7,
      ts: 1000 + i * 10,
      dur: 5,
      args: { device: 0, stream: 7, correlation: i + 1 },
    }),
  );
  return gzipSync(traceOf(events), { level: 1 });
}
