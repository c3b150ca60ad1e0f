export { childEnvironment } from './child-environment';
export {
  type ApiConfig,
  type BootstrapConfig,
  type Config,
  type DatabaseConfig,
  type HttpConfig,
  type OidcConfig,
  type QueueConfig,
} from './config';
export { CONFIG_TOKEN, ConfigModule, InjectConfig } from './config.module';
export { renderEnvExample } from './env-example';
export {
  ConfigError,
  loadBootstrapConfig,
  loadMemberPassword,
  loadConfig,
  loadDatabaseConfig,
  loadQuotasConfig,
  loadWorkerConfig,
} from './load-config';
export { longestRetentionDays } from './quota-variables';
