export { LaddersModule } from './ladders.module';
