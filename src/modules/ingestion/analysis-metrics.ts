import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { Metrics } from '../../platform/telemetry';

const DURATION_BUCKETS_S = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];

/** What a worker process did. */
@Injectable()
export class AnalysisMetrics {
  private readonly outcomes: Counter<'outcome'>;
  private readonly durations: Histogram;

  constructor({ registry }: Metrics) {
    this.outcomes = new Counter({
      name: 'stallscope_analyses_total',
      help: 'Attempts at analyses, by outcome: done, a failure code, or released for another try.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.durations = new Histogram({
      name: 'stallscope_analysis_duration_seconds',
      help: 'Time from taking a run to the end of the attempt.',
      buckets: DURATION_BUCKETS_S,
      registers: [registry],
    });
  }

  count(outcome: string, durationS: number): void {
    this.outcomes.inc({ outcome });
    this.durations.observe(durationS);
  }
}
