import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../platform/telemetry';
import { DeadLettersRepository } from './dead-letters.repository';

/** Says with the metrics how many runs failed because of us. */
@Injectable()
export class DeadLetterMetrics {
  private readonly log = new Logger(DeadLetterMetrics.name);

  constructor({ registry }: Metrics, letters: DeadLettersRepository) {
    const gauge = new Gauge({
      name: 'stallscope_dead_letters',
      help: 'Runs that failed because of the service and wait for an operator; absent while the database is away.',
      labelNames: [],
      registers: [registry],
      collect: async () => {
        try {
          gauge.set(await letters.count());
        } catch (error) {
          gauge.remove();
          this.log.warn({ err: error }, 'the number of dead letters is not known');
        }
      },
    });
  }
}
