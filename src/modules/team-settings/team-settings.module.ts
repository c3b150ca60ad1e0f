import { Module } from '@nestjs/common';
import { TeamSettingsController } from './team-settings.controller';
import { TeamSettingsRepository } from './team-settings.repository';

/** What a team says of itself, and what holds for it. */
@Module({ controllers: [TeamSettingsController], providers: [TeamSettingsRepository] })
export class TeamSettingsModule {}
