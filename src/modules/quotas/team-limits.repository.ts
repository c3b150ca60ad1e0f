import { operator, recordAudit } from '../../platform/audit';
import { type Database } from '../../platform/database';
import {
  type DefaultLimits,
  limitColumns,
  limitsInForce,
  type OwnLimits,
  type TeamLimits,
} from './team-limits';

/** The limits of a team as an operator sees them. */
export interface ShownLimits {
  teamId: string;
  inForce: TeamLimits;
  /** Limits that the team has of its own; the others are the installation's. */
  own: (keyof OwnLimits)[];
}

/** For operators, who name a team by its slug. Works without the framework. */
export class TeamLimitsRepository {
  constructor(
    private readonly database: Database,
    private readonly defaults: DefaultLimits,
  ) {}

  /**
   * Changes the limits given, null for the installation's default, and gives what holds then. Without changes nothing is
   * written. Undefined when there is no such team.
   */
  async change(slug: string, changes: Partial<OwnLimits>): Promise<ShownLimits | undefined> {
    const teamId = await this.database.withoutTeam((scope) => scope.findTeamId(slug));
    if (teamId === undefined) return undefined;
    return this.database.forTeam(teamId, async (scope) => {
      if (Object.keys(changes).length > 0) {
        await scope.team.update({ where: { id: teamId }, data: changes });
        await recordAudit(scope, operator, {
          action: 'team.limits-changed',
          target: { kind: 'team', id: teamId },
          details: Object.fromEntries(
            Object.entries(changes).map(([name, value]) => [
              name,
              value === null ? 'default' : String(value),
            ]),
          ),
        });
      }
      const own = await scope.team.findUniqueOrThrow({ where: { id: teamId }, select: limitColumns });
      return {
        teamId,
        inForce: limitsInForce(own, this.defaults),
        own: (Object.keys(own) as (keyof OwnLimits)[]).filter((name) => own[name] !== null),
      };
    });
  }
}
