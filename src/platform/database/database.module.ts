import { Global, Module } from '@nestjs/common';
import { type Config, CONFIG_TOKEN } from '../config';
import { Database } from './database';

/** Makes `Database` injectable everywhere; ConfigModule must be there too. */
@Global()
@Module({
  providers: [
    {
      provide: Database,
      useFactory: (config: Config) => new Database(config.database),
      inject: [CONFIG_TOKEN],
    },
  ],
  exports: [Database],
})
export class DatabaseModule {}
