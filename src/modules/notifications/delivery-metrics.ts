import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/telemetry';

/** What a worker process sent. */
@Injectable()
export class DeliveryMetrics {
  private readonly results: Counter<'result'>;

  constructor({ registry }: Metrics) {
    this.results = new Counter({
      name: 'stallscope_webhook_deliveries_total',
      help: 'Attempts at webhook deliveries, by what they led to: delivered, retried or failed (for good).',
      labelNames: ['result'],
      registers: [registry],
    });
  }

  count(result: 'delivered' | 'retried' | 'failed'): void {
    this.results.inc({ result });
  }
}
