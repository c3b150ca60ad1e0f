import { Gauge, type Registry } from 'prom-client';
import { type ChoreHealth } from './chore-runner';

/** Says with the metrics how every chore is doing. */
export function observeChores(registry: Registry, chores: () => readonly ChoreHealth[]): void {
  const startedMs = Date.now();
  const age = new Gauge({
    name: 'stallscope_chore_success_age_seconds',
    help: 'Time since the chore last went well in this process, or since the start when it never did.',
    labelNames: ['chore'],
    registers: [registry],
    collect: () => {
      for (const { name, succeededAtMs } of chores()) {
        age.set({ chore: name }, (Date.now() - (succeededAtMs ?? startedMs)) / 1000);
      }
    },
  });
  const interval = new Gauge({
    name: 'stallscope_chore_interval_seconds',
    help: 'Pause between two passes of the chore.',
    labelNames: ['chore'],
    registers: [registry],
    collect: () => {
      for (const { name, intervalS } of chores()) interval.set({ chore: name }, intervalS);
    },
  });
}
