export { ExplainRegressions } from './explain-regressions';
export { RecordTrends } from './record-trends';
export { KeepPointStorage } from './roll-ups/keep-point-storage';
export { RollUpPoints } from './roll-ups/roll-up-points';
export { TrendRecordingModule } from './trend-recording.module';
