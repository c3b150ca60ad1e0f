import { Logger } from '@nestjs/common';
import { type HealthIndicatorFunction, type HealthIndicatorService } from '@nestjs/terminus';
import { type ReadinessProbe } from './readiness-probes';

/** Shorter than the interval at which orchestrators ask. */
const probeTimeoutMs = 4_000;
const logger = new Logger('Health');

/** A probe as terminus wants it. Why it is down goes to the log only: the answer is public. */
export function probeIndicator(
  indicators: HealthIndicatorService,
  probe: ReadinessProbe,
  timeoutMs = probeTimeoutMs,
): HealthIndicatorFunction {
  return async () => {
    const indicator = indicators.check(probe.name);
    const late = Symbol('late');
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<typeof late>((resolve) => {
      timer = setTimeout(() => resolve(late), timeoutMs);
    });
    try {
      const first = await Promise.race([probe.ping(), deadline]);
      return first === late ? indicator.down(`did not answer within ${timeoutMs / 1000} s`) : indicator.up();
    } catch (error) {
      logger.warn({ err: error, probe: probe.name }, 'A readiness probe failed.');
      return indicator.down('does not answer');
    } finally {
      clearTimeout(timer);
    }
  };
}
