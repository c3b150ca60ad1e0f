export { ExplainRegressions } from './explain-regressions';
export { RecordTrends } from './record-trends';
export { TrendRecordingModule } from './trend-recording.module';
