import { Module } from '@nestjs/common';
import { CatalogController } from './catalog.controller';

/** What can be measured and found, so that clients need no list of their own. */
@Module({ controllers: [CatalogController] })
export class CatalogModule {}
