import { type HealthIndicatorFunction, type HealthIndicatorService } from '@nestjs/terminus';
import { askProbe } from './ask-probe';
import { type ReadinessProbe } from './readiness-probes';

/** A probe as terminus wants it. */
export function probeIndicator(
  indicators: HealthIndicatorService,
  probe: ReadinessProbe,
): HealthIndicatorFunction {
  return async () => {
    const indicator = indicators.check(probe.name);
    const problem = await askProbe(probe);
    return problem === undefined ? indicator.up() : indicator.down(problem);
  };
}
