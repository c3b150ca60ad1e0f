import { type RunFacts } from '../attribution/run-facts';
import { type Figure } from '../report-schema';
import { type RooflineReport } from '../roofline/roofline-schema';

/** What a metric gives for a run. */
export type MetricValue = { value: number; source: 'measured' | 'modelled' } | { notMeasurable: string };

/** One metric. `direction` says which way is better; trends and gates read it. */
export interface Metric {
  id: string;
  unit: Figure['unit'];
  direction: 'lower-is-better' | 'higher-is-better' | 'neutral';
  /** Whether it is a part of the step time: changes that are nothing beside the step do not matter. */
  isPartOfStep?: boolean;
  compute(facts: RunFacts, roofline: RooflineReport | null): MetricValue;
}

export function defineMetric(metric: Metric): Metric {
  return metric;
}

export const NO_DEVICE_STEPS =
  'the trace has no steps with device activity; record with ProfilerActivity.CUDA';

/** Defines a metric that is one part of the mean step, as time. */
export function meanStepMetric(
  id: string,
  direction: Metric['direction'],
  pick: (mean: NonNullable<RunFacts['meanStep']>) => number,
  unit: Figure['unit'] = 'ns',
): Metric {
  return defineMetric({
    id,
    unit,
    direction,
    isPartOfStep: unit === 'ns' && id !== 'step-time',
    compute: ({ meanStep }) =>
      meanStep ? { value: pick(meanStep), source: 'measured' } : { notMeasurable: NO_DEVICE_STEPS },
  });
}

/** Evaluates a metric into a figure; a missing value carries its reason. */
export function evaluateMetric(metric: Metric, facts: RunFacts, roofline: RooflineReport | null): Figure {
  const result = metric.compute(facts, roofline);
  return 'notMeasurable' in result
    ? { id: metric.id, value: null, unit: metric.unit, source: 'notMeasurable', reason: result.notMeasurable }
    : { id: metric.id, value: result.value, unit: metric.unit, source: result.source };
}

const NO_SHAPES = 'no op of the trace has shapes; record with record_shapes=True';

/** Defines a metric over the ops of the roofline; not measurable where no op has a known roof. */
export function rooflineMetric(
  id: string,
  direction: Metric['direction'],
  pick: (totals: RooflineReport['totals']) => number | null,
): Metric {
  return defineMetric({
    id,
    unit: 'ratio',
    direction,
    compute: (_, roofline) => {
      if (!roofline) return { notMeasurable: NO_DEVICE_STEPS };
      const { totals, gpu } = roofline;
      const value = totals.computeRoofNs + totals.memoryRoofNs > 0 ? pick(totals) : null;
      return value === null ? { notMeasurable: gpu.reason ?? NO_SHAPES } : { value, source: 'modelled' };
    },
  });
}
