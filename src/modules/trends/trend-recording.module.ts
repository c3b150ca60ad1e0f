import { Module } from '@nestjs/common';
import { ExplainRegressions } from './explain-regressions';
import { ExplanationsRepository } from './explanations.repository';
import { RecordTrends } from './record-trends';
import { KeepPointStorage } from './roll-ups/keep-point-storage';
import { RollUpPoints } from './roll-ups/roll-up-points';
import { RollUpsRepository } from './roll-ups/roll-ups.repository';
import { TrendRunsRepository } from './trend-runs.repository';

/** What worker processes do with the metrics of finished runs. */
@Module({
  providers: [
    ExplainRegressions,
    ExplanationsRepository,
    KeepPointStorage,
    RecordTrends,
    RollUpPoints,
    RollUpsRepository,
    TrendRunsRepository,
  ],
  exports: [ExplainRegressions, KeepPointStorage, RecordTrends, RollUpPoints],
})
export class TrendRecordingModule {}
