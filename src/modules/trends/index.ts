export { ExplainRegressions } from './explain-regressions';
export { RecordTrends } from './record-trends';
export { KeepPointStorage } from './roll-ups/keep-point-storage';
export { RollUpPoints } from './roll-ups/roll-up-points';
export { TrendQueriesModule } from './queries/trend-queries.module';
export { TrendRecordingModule } from './trend-recording.module';
export { baselineOf, type BadInterval, type Segment } from './series-levels';
export { GOOD_RESOLUTIONS } from './series-state.repository';
