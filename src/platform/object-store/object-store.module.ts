import { Global, Module } from '@nestjs/common';
import { type Config, CONFIG_TOKEN } from '../config';
import { ObjectStore } from './object-store';

/** Makes `ObjectStore` injectable everywhere; ConfigModule must be there too. Connects when first used. */
@Global()
@Module({
  providers: [
    {
      provide: ObjectStore,
      useFactory: ({ objectStore }: Config) => new ObjectStore(objectStore),
      inject: [CONFIG_TOKEN],
    },
  ],
  exports: [ObjectStore],
})
export class ObjectStoreModule {}
