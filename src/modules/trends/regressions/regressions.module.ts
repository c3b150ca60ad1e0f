import { Module } from '@nestjs/common';
import { TeamsModule } from '../../teams';
import { LockedRegressionRepository } from './locked-regression.repository';
import { PersonsActsRepository } from './persons-acts.repository';
import { RegressionActsController } from './regression-acts.controller';
import { RegressionsController } from './regressions.controller';
import { RegressionsRepository } from './regressions.repository';
import { TrendSettingsController } from './trend-settings.controller';
import { TrendSettingsRepository } from './trend-settings.repository';

/** Regressions as people and pipelines use them, and how sensitive their detection is. */
@Module({
  imports: [TeamsModule],
  controllers: [RegressionsController, RegressionActsController, TrendSettingsController],
  providers: [
    LockedRegressionRepository,
    PersonsActsRepository,
    RegressionsRepository,
    TrendSettingsRepository,
  ],
})
export class RegressionsModule {}
