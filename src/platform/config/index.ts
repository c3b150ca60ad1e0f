export {
  type BootstrapConfig,
  type Config,
  type DatabaseConfig,
  type HttpConfig,
  type QueueConfig,
} from './config';
export { CONFIG_TOKEN, ConfigModule, InjectConfig } from './config.module';
export { renderEnvExample } from './env-example';
export { ConfigError, loadBootstrapConfig, loadConfig, loadDatabaseConfig } from './load-config';
