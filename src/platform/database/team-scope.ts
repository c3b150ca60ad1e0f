import { type Prisma } from './generated/client';
import { type PeopleQueries, peopleQueries } from './people-queries';

type Client = Prisma.TransactionClient;
type UserAccess = Pick<Client['user'], 'create' | 'findUnique' | 'findMany' | 'update' | 'updateMany'>;

/**
 * The tables of one team, inside one transaction: the only way to reach them. Row-level security hides the rows of
 * other teams; queries filter by `teamId` themselves all the same, so that either lock may fail alone.
 * Dead once the work it was given to has ended.
 */
export interface TeamScope extends Pick<
  Client,
  | '$queryRaw'
  | '$executeRaw'
  | 'team'
  | 'membership'
  | 'apiToken'
  | 'run'
  | 'artifact'
  | 'analysis'
  | 'metricValue'
  | 'stepBreakdown'
  | 'finding'
  | 'idempotencyRecord'
  | 'invitation'
  | 'serviceAccount'
  | 'teamEvent'
  | 'usageDay'
  | 'objectDeletion'
  | 'webhookEndpoint'
  | 'webhookDelivery'
  | 'series'
  | 'seriesMetric'
  | 'point'
  | 'pointDay'
  | 'packedDay'
  | 'seriesSegment'
  | 'runVerdict'
  | 'regression'
  | 'regressionAct'
  | 'trendSetting'
  | 'ladder'
  | 'ladderRung'
  | 'gatePolicy'
  | 'runUsage'
  | 'touchedDay'
> {
  readonly teamId: string;
  /** Append-only. */
  readonly auditEntry: Pick<Client['auditEntry'], 'create' | 'findMany' | 'count'>;
  readonly user: UserAccess;
  /** Of people, not of the team: for what is audited in the team in the same transaction. */
  readonly session: Pick<Client['session'], 'create' | 'updateMany'>;
  readonly refreshToken: Pick<Client['refreshToken'], 'create'>;
  readonly userIdentity: Pick<Client['userIdentity'], 'create'>;
  readonly rotateRefreshToken: PeopleQueries['rotateRefreshToken'];
}

/** Gives out the tables of a transaction that is bound to a team. */
export function teamScope(client: Client, teamId: string): TeamScope {
  return {
    teamId,
    $queryRaw: <T>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      client.$queryRaw<T>(query, ...values),
    $executeRaw: (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      client.$executeRaw(query, ...values),
    user: client.user,
    session: client.session,
    refreshToken: client.refreshToken,
    userIdentity: client.userIdentity,
    rotateRefreshToken: (rotation) => peopleQueries(client).rotateRefreshToken(rotation),
    team: client.team,
    membership: client.membership,
    apiToken: client.apiToken,
    run: client.run,
    artifact: client.artifact,
    analysis: client.analysis,
    metricValue: client.metricValue,
    stepBreakdown: client.stepBreakdown,
    finding: client.finding,
    idempotencyRecord: client.idempotencyRecord,
    invitation: client.invitation,
    serviceAccount: client.serviceAccount,
    auditEntry: client.auditEntry,
    teamEvent: client.teamEvent,
    usageDay: client.usageDay,
    objectDeletion: client.objectDeletion,
    webhookEndpoint: client.webhookEndpoint,
    webhookDelivery: client.webhookDelivery,
    series: client.series,
    seriesMetric: client.seriesMetric,
    point: client.point,
    pointDay: client.pointDay,
    packedDay: client.packedDay,
    seriesSegment: client.seriesSegment,
    runVerdict: client.runVerdict,
    regression: client.regression,
    regressionAct: client.regressionAct,
    trendSetting: client.trendSetting,
    ladder: client.ladder,
    ladderRung: client.ladderRung,
    gatePolicy: client.gatePolicy,
    runUsage: client.runUsage,
    touchedDay: client.touchedDay,
  };
}
