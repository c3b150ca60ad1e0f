import { type DynamicModule, Inject, Module } from '@nestjs/common';
import { type Config } from './config';

const CONFIG = Symbol('Config');

/** Injects the configuration: `constructor(@InjectConfig() private readonly config: Config)`. */
export const InjectConfig = () => Inject(CONFIG);

/** The token of the configuration, for `inject: [CONFIG_TOKEN]` in factories. */
export const CONFIG_TOKEN = CONFIG;

@Module({})
export class ConfigModule {
  /** Makes an already checked configuration injectable everywhere. */
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
  }
}
