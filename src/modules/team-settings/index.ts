export { TeamSettingsModule } from './team-settings.module';
