import { Global, Module } from '@nestjs/common';
import { type Config, CONFIG_TOKEN } from '../config';
import { RateLimiters } from './rate-limiters';

/** Makes `RateLimiters` injectable everywhere; ConfigModule must be there too. */
@Global()
@Module({
  providers: [
    {
      provide: RateLimiters,
      inject: [CONFIG_TOKEN],
      useFactory: (config: Config) => new RateLimiters(config.queue),
    },
  ],
  exports: [RateLimiters],
})
export class RateLimitModule {}
