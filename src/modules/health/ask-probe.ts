import { Logger } from '@nestjs/common';
import { type ReadinessProbe } from './readiness-probes';

/** Shorter than the interval at which orchestrators ask. */
const probeTimeoutMs = 4_000;
const logger = new Logger('Health');

/** Asks a probe once: words for what is wrong, or undefined. Why goes to the log only: the words may be public. */
export async function askProbe(
  probe: ReadinessProbe,
  timeoutMs = probeTimeoutMs,
): Promise<string | undefined> {
  const late = `did not answer within ${timeoutMs / 1000} s`;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(late), timeoutMs);
  });
  try {
    return await Promise.race([probe.ping().then(() => undefined), deadline]);
  } catch (error) {
    logger.warn({ err: error, probe: probe.name }, 'A readiness probe failed.');
    return 'does not answer';
  } finally {
    clearTimeout(timer);
  }
}
