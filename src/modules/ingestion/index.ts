export { IngestionModule } from './ingestion.module';
