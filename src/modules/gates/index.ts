export { GatesModule } from './gates.module';
