import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../../platform/audit';
import { Database } from '../../../platform/database';
import { type TrendSetting } from '../sensitivity';
import { loadSettings } from '../series-state.repository';

/** How sensitive the detection of changes is. */
@Injectable()
export class TrendSettingsRepository {
  constructor(private readonly database: Database) {}

  async list(teamId: string): Promise<TrendSetting[]> {
    return this.database.forTeam(teamId, loadSettings);
  }

  /** Puts these settings in the place of all that there were. Runs that are recorded from then on are judged by them. */
  async replace(teamId: string, actor: Actor, settings: readonly TrendSetting[]): Promise<void> {
    await this.database.forTeam(teamId, async (scope) => {
      // Two that change them at once: one after the other, not a mixture.
      await scope.$queryRaw`SELECT 1 FROM teams WHERE id = ${teamId}::uuid FOR NO KEY UPDATE`;
      await scope.trendSetting.deleteMany({ where: { teamId } });
      await scope.trendSetting.createMany({ data: settings.map((setting) => ({ teamId, ...setting })) });
      await recordAudit(scope, actor, {
        action: 'trend-settings.changed',
        target: { kind: 'team', id: teamId },
        details: { settings: settings.map((one) => JSON.stringify(one)) },
      });
    });
  }
}
