import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../platform/telemetry';
import { WebhookBacklogRepository } from './webhook-backlog.repository';

/** Says with the metrics how late webhooks are. */
@Injectable()
export class WebhookBacklogMetrics {
  private readonly log = new Logger(WebhookBacklogMetrics.name);

  constructor({ registry }: Metrics, backlog: WebhookBacklogRepository) {
    const age = new Gauge({
      name: 'stallscope_webhook_oldest_waiting_seconds',
      help: 'Age of the oldest event that no webhook was given yet, and how long the oldest delivery has been due; absent while the database does not answer.',
      labelNames: ['stage'],
      registers: [registry],
      collect: async () => {
        age.reset();
        try {
          const { oldestEvent, oldestDue } = await backlog.measure();
          age.set({ stage: 'event' }, secondsSince(oldestEvent));
          age.set({ stage: 'delivery' }, secondsSince(oldestDue));
        } catch (error) {
          this.log.warn({ err: error }, 'how late webhooks are is not known');
        }
      },
    });
  }
}

function secondsSince(time: Date | null): number {
  return time ? Math.max(0, (Date.now() - time.getTime()) / 1000) : 0;
}
