import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { JobQueue } from '../../platform/queue';
import { Metrics } from '../../platform/telemetry';
import { analyzeRunJob } from './analyze-run.job';

/** Says with the metrics how much work waits. */
@Injectable()
export class QueueMetrics {
  private readonly log = new Logger(QueueMetrics.name);

  constructor({ registry }: Metrics, queue: JobQueue) {
    const depth = new Gauge({
      name: 'stallscope_queue_jobs',
      help: 'Jobs in the queue, by what they wait for; absent while the queue does not answer.',
      labelNames: ['queue', 'state'],
      registers: [registry],
      collect: async () => {
        depth.reset();
        try {
          const counts = await queue.depth(analyzeRunJob);
          for (const state of ['waiting', 'active', 'delayed', 'failed'] as const) {
            depth.set({ queue: analyzeRunJob.name, state }, counts[state]);
          }
        } catch (error) {
          this.log.warn({ err: error }, 'the depth of the queue is not known');
        }
      },
    });
  }
}
