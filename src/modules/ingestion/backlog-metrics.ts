import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../platform/telemetry';
import { BacklogRepository } from './backlog.repository';

/** Says with the metrics how much work waits, as the database has it: the queue holds only hints. */
@Injectable()
export class BacklogMetrics {
  private readonly log = new Logger(BacklogMetrics.name);
  private readonly runs: Gauge<'state'>;
  private readonly ages: Gauge<'state'>;
  private readonly teams: Gauge<'state'>;
  private reading: Promise<void> | undefined;

  constructor(
    { registry }: Metrics,
    private readonly repository: BacklogRepository,
  ) {
    const labelNames = ['state'] as const;
    const registers = [registry];
    this.runs = new Gauge({
      name: 'stallscope_backlog_runs',
      help: 'Runs that wait for a worker or are being analysed, over all teams; absent while the database is away.',
      labelNames,
      registers,
      collect: () => this.read(),
    });
    this.ages = new Gauge({
      name: 'stallscope_backlog_oldest_age_seconds',
      help: 'Since when the oldest of these runs waits for its result; 0 when there is none.',
      labelNames,
      registers,
      collect: () => this.read(),
    });
    this.teams = new Gauge({
      name: 'stallscope_backlog_teams',
      help: 'Teams that these runs belong to.',
      labelNames,
      registers,
      collect: () => this.read(),
    });
  }

  /** The three are collected at the same time, from one reading. */
  private read(): Promise<void> {
    return (this.reading ??= this.measure().finally(() => (this.reading = undefined)));
  }

  private async measure(): Promise<void> {
    for (const gauge of [this.runs, this.ages, this.teams]) gauge.reset();
    try {
      const rows = await this.repository.measure();
      for (const state of ['queued', 'analyzing'] as const) {
        const row = rows.find((one) => one.state === state);
        this.runs.set({ state }, row?.runs ?? 0);
        this.teams.set({ state }, row?.teams ?? 0);
        this.ages.set({ state }, row?.oldest ? Math.max(0, (Date.now() - row.oldest.getTime()) / 1000) : 0);
      }
    } catch (error) {
      this.log.warn({ err: error }, 'the backlog is not known');
    }
  }
}
