import { QueueUnavailableError } from './job-errors';

/**
 * The promise's value, or `QueueUnavailableError` after `timeoutMs`. A promise that settles later is ignored, as
 * neither driver can take a sent command back.
 */
export async function within<T>(timeoutMs: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new QueueUnavailableError(`no answer to ${what} in ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
