import { Module } from '@nestjs/common';
import { ExplainRegressions } from './explain-regressions';
import { ExplanationsRepository } from './explanations.repository';
import { RecordTrends } from './record-trends';
import { TrendRunsRepository } from './trend-runs.repository';

/** What worker processes do with the metrics of finished runs. */
@Module({
  providers: [ExplainRegressions, ExplanationsRepository, RecordTrends, TrendRunsRepository],
  exports: [ExplainRegressions, RecordTrends],
})
export class TrendRecordingModule {}
