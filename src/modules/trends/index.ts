export { RecordTrends } from './record-trends';
export { TrendRecordingModule } from './trend-recording.module';
