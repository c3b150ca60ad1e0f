import { Injectable } from '@nestjs/common';
import { Database, isUniqueViolation, type TeamScope } from '../../platform/database';
import { Prisma } from '../../platform/database/generated/client';
import { ProblemError } from '../../platform/errors';
import { type RunLimits } from '../teams';

const { sql } = Prisma;

export interface StoredLadder {
  id: string;
  name: string;
  description: string;
  rungCount: number;
  createdAt: Date;
}

/** Ladders of one team: more than anybody reads. */
const MOST_LADDERS = 1_000;

/** The ladders of teams. A credential with limits sees those whose runs are all within them. */
@Injectable()
export class LaddersRepository {
  constructor(private readonly database: Database) {}

  /** Throws `ladder-name-taken` and `ladder-limit-reached`. */
  async create(teamId: string, data: { name: string; description: string }): Promise<StoredLadder> {
    const id = await this.naming(data.name, () =>
      this.database.forTeam(teamId, async ({ ladder }) => {
        if ((await ladder.count({ where: { teamId } })) >= MOST_LADDERS)
          throw new ProblemError('ladder-limit-reached', `A team may have ${MOST_LADDERS} ladders.`);
        return (await ladder.create({ data: { ...data, teamId } })).id;
      }),
    );
    return this.get(teamId, id, undefined);
  }

  /** The newest first; `before` is the id of the last one of the page before. */
  async list(
    teamId: string,
    limit: number,
    before: string | undefined,
    limits: RunLimits | undefined,
  ): Promise<StoredLadder[]> {
    const conditions = before === undefined ? [] : [sql`l.id < ${before}::uuid`];
    return this.database.forTeam(teamId, (scope) => read(scope, conditions, limits, limit));
  }

  /** Throws `ladder-not-found`. */
  async get(teamId: string, id: string, limits: RunLimits | undefined): Promise<StoredLadder> {
    const [ladder] = await this.database.forTeam(teamId, (scope) =>
      read(scope, [sql`l.id = ${id}::uuid`], limits, 1),
    );
    if (!ladder) throw ladderNotFound();
    return ladder;
  }

  /** Throws `ladder-not-found` and `ladder-name-taken`. */
  async update(
    teamId: string,
    id: string,
    change: { name?: string; description?: string },
  ): Promise<StoredLadder> {
    await this.naming(change.name ?? '', () =>
      this.database.forTeam(teamId, async ({ ladder }) => {
        const { count } = await ladder.updateMany({ where: { teamId, id }, data: change });
        if (count === 0) throw ladderNotFound();
      }),
    );
    return this.get(teamId, id, undefined);
  }

  /** Throws `ladder-not-found`. */
  async delete(teamId: string, id: string): Promise<void> {
    const { count } = await this.database.forTeam(teamId, ({ ladder }) =>
      ladder.deleteMany({ where: { teamId, id } }),
    );
    if (count === 0) throw ladderNotFound();
  }

  private async naming<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new ProblemError(
        'ladder-name-taken',
        `Your team has a ladder that is called ${JSON.stringify(name)}.`,
      );
    }
  }
}

/** The same whether the ladder is another team's, outside of limits, or nobody's. */
export function ladderNotFound(): ProblemError {
  return new ProblemError('ladder-not-found', 'Your team has no ladder with this id.');
}

async function read(
  { teamId, $queryRaw }: TeamScope,
  conditions: readonly Prisma.Sql[],
  limits: RunLimits | undefined,
  limit: number,
): Promise<StoredLadder[]> {
  const all = [sql`l.team_id = ${teamId}::uuid`, ...conditions, ...visible(teamId, limits)];
  return $queryRaw<StoredLadder[]>`
    SELECT l.id, l.name, l.description, l.created_at AS "createdAt",
      (SELECT count(*)::int FROM ladder_rungs g WHERE g.team_id = ${teamId}::uuid AND g.ladder_id = l.id) AS "rungCount"
    FROM ladders l WHERE ${Prisma.join(all, ' AND ')} ORDER BY l.id DESC LIMIT ${limit}`;
}

/** Without rungs, or with one whose run is gone, nobody knows what a ladder is about: then limits hide it. */
function visible(teamId: string, limits: RunLimits | undefined): Prisma.Sql[] {
  if (!limits) return [];
  const isOneOf = (column: Prisma.Sql, names: readonly string[]) =>
    names.length === 0 ? sql`true` : sql`${column} = ANY(${[...names]}::text[])`;
  const within = sql`coalesce(${isOneOf(sql`r.model`, limits.models)} AND ${isOneOf(sql`r.cluster`, limits.clusters)} AND r.id IS NOT NULL, false)`;
  return [
    sql`(SELECT coalesce(bool_and(${within}), false) FROM ladder_rungs g
      LEFT JOIN runs r ON r.id = g.run_id AND r.team_id = ${teamId}::uuid
      WHERE g.team_id = ${teamId}::uuid AND g.ladder_id = l.id)`,
  ];
}
