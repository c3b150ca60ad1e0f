import { Module } from '@nestjs/common';
import { TeamsModule } from '../../teams';
import { ExplanationsRepository } from '../explanations.repository';
import { CompareController } from './compare/compare.controller';
import { CompareService } from './compare/compare.service';
import { FleetController } from './fleet/fleet.controller';
import { FleetRepository } from './fleet/fleet.repository';
import { SeriesController } from './series/series.controller';
import { SeriesRepository } from './series/series.repository';
import { TrendController } from './trend/trend.controller';
import { TrendRepository } from './trend/trend.repository';

/** Questions over many runs. */
@Module({
  imports: [TeamsModule],
  controllers: [SeriesController, TrendController, FleetController, CompareController],
  providers: [CompareService, ExplanationsRepository, FleetRepository, SeriesRepository, TrendRepository],
})
export class TrendQueriesModule {}
