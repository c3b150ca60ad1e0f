import { type Prisma } from './generated/client';
import { onDemand } from './models-on-demand';
import { type PeopleQueries, peopleQueries } from './people-queries';

type Client = Prisma.TransactionClient;
type UserAccess = Pick<Client['user'], 'create' | 'findUnique' | 'findMany' | 'update' | 'updateMany'>;

/** Tables of which a team may do everything with its own rows. */
const OWN_TABLES = [
  'team',
  'membership',
  'apiToken',
  'run',
  'artifact',
  'analysis',
  'metricValue',
  'stepBreakdown',
  'finding',
  'idempotencyRecord',
  'invitation',
  'serviceAccount',
  'teamEvent',
  'usageDay',
  'objectDeletion',
  'webhookEndpoint',
  'webhookDelivery',
  'series',
  'seriesMetric',
  'point',
  'pointDay',
  'packedDay',
  'seriesSegment',
  'runVerdict',
  'regression',
  'regressionAct',
  'trendSetting',
  'ladder',
  'ladderRung',
  'gatePolicy',
  'runUsage',
  'touchedDay',
] as const;

/** Tables of which it may do something. */
interface LimitedTables {
  /** Append-only. */
  readonly auditEntry: Pick<Client['auditEntry'], 'create' | 'findMany' | 'count'>;
  readonly user: UserAccess;
  /** Of people, not of the team: for what is audited in the team in the same transaction. */
  readonly session: Pick<Client['session'], 'create' | 'updateMany'>;
  readonly refreshToken: Pick<Client['refreshToken'], 'create'>;
  readonly userIdentity: Pick<Client['userIdentity'], 'create'>;
}

/**
 * The tables of one team, inside one transaction: the only way to reach them. Row-level security hides the rows of
 * other teams; queries filter by `teamId` themselves all the same, so that either lock may fail alone.
 * Dead once the work it was given to has ended.
 */
export interface TeamScope extends Pick<Client, '$executeRaw' | (typeof OWN_TABLES)[number]>, LimitedTables {
  readonly teamId: string;
  readonly $queryRaw: <T>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => Promise<T>;
  readonly rotateRefreshToken: PeopleQueries['rotateRefreshToken'];
}

const tablesOf = onDemand<Client, (typeof OWN_TABLES)[number] | keyof LimitedTables>([
  ...OWN_TABLES,
  'auditEntry',
  'user',
  'session',
  'refreshToken',
  'userIdentity',
]);

/** Gives out the tables of a transaction that is bound to a team. */
export function teamScope(client: Client, teamId: string): TeamScope {
  return Object.assign(tablesOf(client), {
    teamId,
    $queryRaw: async <T>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      takeRows(await client.$queryRaw<T>(query, ...values)),
    $executeRaw: (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      client.$executeRaw(query, ...values),
    rotateRefreshToken: (rotation: Parameters<PeopleQueries['rotateRefreshToken']>[0]) =>
      peopleQueries(client).rotateRefreshToken(rotation),
  });
}

/** Prisma's promise of the rows is an old object to V8 from the beginning: rows left in its hands outlive the answer by seconds. */
function takeRows<T>(rows: T): T {
  return Array.isArray(rows) ? (rows.splice(0) as T) : rows;
}
