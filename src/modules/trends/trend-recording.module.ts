import { Module } from '@nestjs/common';
import { ExplainRegressions } from './explain-regressions';
import { ExplanationsRepository } from './explanations.repository';
import { RecordTrends } from './record-trends';
import { ResolveUnfounded } from './regressions/resolve-unfounded';
import { UnfoundedRepository } from './regressions/unfounded.repository';
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
    ResolveUnfounded,
    RollUpPoints,
    RollUpsRepository,
    TrendRunsRepository,
    UnfoundedRepository,
  ],
  exports: [ExplainRegressions, KeepPointStorage, RecordTrends, ResolveUnfounded, RollUpPoints],
})
export class TrendRecordingModule {}
