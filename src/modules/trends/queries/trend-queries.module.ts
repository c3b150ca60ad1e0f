import { Module } from '@nestjs/common';
import { TeamsModule } from '../../teams';
import { SeriesController } from './series/series.controller';
import { SeriesRepository } from './series/series.repository';
import { TrendController } from './trend/trend.controller';
import { TrendRepository } from './trend/trend.repository';

/** Questions over many runs. */
@Module({
  imports: [TeamsModule],
  controllers: [SeriesController, TrendController],
  providers: [SeriesRepository, TrendRepository],
})
export class TrendQueriesModule {}
