import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { type RefusalCode } from '../../analysis';
import { Metrics } from '../../platform/telemetry';
import { FAILURE_CODES } from './run-state';

const DURATION_BUCKETS_S = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const BYTES_BUCKETS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536].map((mib) => mib * 2 ** 20);

const REFUSALS = {
  'empty-file': true,
  unreadable: true,
  'not-a-gpu-trace': true,
  'unknown-format': true,
  'too-large': true,
  'no-trace': true,
  'nothing-to-read': true,
} satisfies Record<RefusalCode, true>;

/** The values of the label `outcome`; a code that comes out of a child process and is none of them counts as other. */
const OUTCOMES: ReadonlySet<string> = new Set([
  ...Object.keys(FAILURE_CODES),
  ...Object.keys(REFUSALS),
  ...['done', 'released', 'superseded', 'unavailable', 'crashed'],
]);

const WAIT_BUCKETS_S = [0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200];

/** What a worker process did. */
@Injectable()
export class AnalysisMetrics {
  private readonly outcomes: Counter<'outcome'>;
  private readonly durations: Histogram;
  private readonly inputs: Histogram;
  private readonly waits: Histogram;

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
    this.inputs = new Histogram({
      name: 'stallscope_analysis_input_bytes',
      help: 'Artifacts of a run together, as uploaded, per attempt.',
      buckets: BYTES_BUCKETS,
      registers: [registry],
    });
    this.waits = new Histogram({
      name: 'stallscope_queue_wait_seconds',
      help: 'Time that a run stood in line, ready to be taken, before a worker took it.',
      buckets: WAIT_BUCKETS_S,
      registers: [registry],
    });
  }

  /** One run that was taken out of the line. */
  observeWait(waitS: number): void {
    this.waits.observe(waitS);
  }

  /** One attempt that has ended. */
  count(outcome: string, durationS: number): void {
    this.outcomes.inc({ outcome: OUTCOMES.has(outcome) ? outcome : 'other' });
    this.durations.observe(durationS);
  }

  /** One attempt that begins. */
  observeInput(sizeBytes: number): void {
    this.inputs.observe(sizeBytes);
  }
}
