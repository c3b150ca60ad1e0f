import { Module } from '@nestjs/common';
import { RecordTrends } from './record-trends';
import { TrendRunsRepository } from './trend-runs.repository';

/** What worker processes do with the metrics of finished runs. */
@Module({ providers: [RecordTrends, TrendRunsRepository], exports: [RecordTrends] })
export class TrendRecordingModule {}
