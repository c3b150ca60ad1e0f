import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams';
import { LadderRungsRepository } from './ladder-rungs.repository';
import { LaddersController } from './ladders.controller';
import { LaddersRepository } from './ladders.repository';

/** Named sequences of runs that change one thing at a time. */
@Module({
  imports: [TeamsModule],
  controllers: [LaddersController],
  providers: [LadderRungsRepository, LaddersRepository],
})
export class LaddersModule {}
