import { Module } from '@nestjs/common';
import { EstimatesController } from './estimates.controller';

/** Floors of runs from first principles; nothing is stored. */
@Module({ controllers: [EstimatesController] })
export class EstimatesModule {}
