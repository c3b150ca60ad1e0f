import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ApiTokensRepository } from '../../src/modules/teams/tokens/api-tokens.repository';
import { tokenHash } from '../../src/modules/teams/tokens/api-token';
import { TeamsRepository } from '../../src/modules/teams/teams.repository';
import { operator } from '../../src/platform/audit';
import { Database, isRowSecurityViolation, sqlState, toSafeNumber } from '../../src/platform/database';
import { isProblem } from '../../src/platform/errors';
import { createTestDatabase, type TestDatabase } from '../harness/database';
import { fillEveryTable } from '../harness/fill-every-table';
import { superuserUrlOf } from '../harness/superuser';
import { createTeamsService } from '../../src/modules/teams';

let testDatabase: TestDatabase;
let database: Database;
let owner: Client;
let teamA: string;
let teamB: string;
let runOfB: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.ownerUrl, poolSize: 5 });
  owner = new Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  const teams = createTeamsService(database);
  const create = async (slug: string) =>
    (
      await teams.createTeamWithOwner({
        slug,
        owner: { email: `o@${slug}.test`, password: 'a long password' },
      })
    ).teamId;
  teamA = await create('a');
  teamB = await create('b');
  runOfB = await fillEveryTable(database, teamB);
});
afterAll(async () => {
  await database.close();
  await owner.end();
  await testDatabase.drop();
});

const teamTables = [
  ...['memberships', 'api_tokens', 'runs', 'artifacts', 'analyses', 'metric_values', 'step_breakdowns'],
  ...['findings', 'idempotency_records', 'invitations', 'service_accounts', 'audit_entries', 'team_events'],
  ...['usage_days', 'object_deletions', 'webhook_endpoints', 'webhook_deliveries', 'run_tags'],
  ...[
    'series',
    'series_metrics',
    'points',
    'point_days',
    'packed_days',
    'series_segments',
    'run_verdicts',
    'regressions',
  ],
  ...[
    'regression_acts',
    'trend_settings',
    'ladders',
    'ladder_rungs',
    'gate_policies',
    'run_usage',
    'touched_days',
  ],
];
/** Of people, who may be in several teams. */
const personTables = [
  'users',
  'user_identities',
  'sessions',
  'refresh_tokens',
  'oidc_logins',
  'password_resets',
];
/** Nobody but the tables' owner may change these. */
const appendOnlyTables = ['audit_entries'];

describe('with row-level security and no filter in the query', () => {
  it('covers every table but those of people', async () => {
    const { rows } = await owner.query<{ name: string; secured: boolean }>(
      `SELECT relname AS name, relrowsecurity AS secured FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname NOT LIKE '\\_%' ORDER BY 1`,
    );
    const open = rows.filter(({ secured }) => !secured).map(({ name }) => name);
    expect(open.sort()).toEqual([...personTables, 'installation'].sort());
    const partition = /^points_(default|\d{4}_\d{2})$/;
    expect(
      rows
        .map(({ name }) => name)
        .filter((name) => !partition.test(name))
        .sort(),
    ).toEqual([...teamTables, ...personTables, 'installation', 'teams'].sort());
  });

  it.each(teamTables)('shows team A nothing of team B in %s, and lets it change nothing', async (table) => {
    const { rows } = await owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table} WHERE team_id = $1`,
      [teamB],
    );
    expect(rows[0].n).toBeGreaterThan(0);
    const { Prisma } = await import('../../src/platform/database/generated/client');
    const name = Prisma.raw(table);
    await database.forTeam(teamA, async ({ $queryRaw, $executeRaw }) => {
      expect(await $queryRaw`SELECT * FROM ${name} WHERE team_id = ${teamB}::uuid`).toEqual([]);
      const seen = await $queryRaw<{ team: string }[]>`SELECT DISTINCT team_id::text AS team FROM ${name}`;
      expect(seen.filter(({ team }) => team !== teamA)).toEqual([]);
      if (appendOnlyTables.includes(table)) return;
      expect(await $executeRaw`DELETE FROM ${name} WHERE team_id = ${teamB}::uuid`).toBe(0);
      expect(
        await $executeRaw`UPDATE ${name} SET team_id = ${teamA}::uuid WHERE team_id = ${teamB}::uuid`,
      ).toBe(0);
    });
    const after = await owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table} WHERE team_id = $1`,
      [teamB],
    );
    expect(after.rows[0].n).toBe(rows[0].n);
  });

  it('lets the product change nothing in an append-only table, not even its own rows', async () => {
    for (const table of appendOnlyTables) {
      const { Prisma } = await import('../../src/platform/database/generated/client');
      const name = Prisma.raw(table);
      const statements = [
        Prisma.sql`DELETE FROM ${name}`,
        Prisma.sql`UPDATE ${name} SET team_id = team_id`,
        Prisma.sql`TRUNCATE ${name}`,
      ];
      for (const statement of statements) {
        const attempt = database.forTeam(teamB, ({ $executeRaw }) => $executeRaw(statement));
        expect(await attempt.catch(sqlState)).toBe('42501');
      }
    }
  });

  it('shows team A its own team only', async () => {
    expect(await database.forTeam(teamA, ({ team }) => team.findMany())).toMatchObject([{ id: teamA }]);
    expect(
      await database.forTeam(teamA, ({ $executeRaw }) => $executeRaw`DELETE FROM teams WHERE slug = 'b'`),
    ).toBe(0);
  });

  it('refuses to write a row for another team', async () => {
    const write = database.forTeam(teamA, ({ run }) =>
      run.create({ data: { teamId: teamB, model: 'm', cluster: 'c', tags: [] } }),
    );
    expect(await write.catch(isRowSecurityViolation)).toBe(true);
    const move = database.forTeam(teamA, async ({ run }) => {
      const { id } = await run.create({ data: { teamId: teamA, model: 'm', cluster: 'c', tags: [] } });
      await run.update({ where: { id }, data: { teamId: teamB } });
    });
    expect(await move.catch(isRowSecurityViolation)).toBe(true);
  });

  it('shows nothing at all to a connection without a team', async () => {
    const direct = new Client({ connectionString: testDatabase.ownerUrl, options: '-c role=stallscope_app' });
    await direct.connect();
    try {
      for (const table of ['teams', ...teamTables]) {
        expect((await direct.query(`SELECT * FROM ${table}`)).rows).toEqual([]);
      }
    } finally {
      await direct.end();
    }
  });

  it('keeps teams apart when many ask at once over few connections', async () => {
    const asked = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? teamA : teamB));
    const answers = await Promise.all(
      asked.map((teamId) => database.forTeam(teamId, ({ team }) => team.findMany({ select: { id: true } }))),
    );
    expect(answers).toEqual(asked.map((id) => [{ id }]));
  });

  it('forgets the team after a transaction that failed', async () => {
    await expect(
      database.forTeam(teamB, async () => {
        throw new Error('on purpose');
      }),
    ).rejects.toThrow('on purpose');
    const leftovers = await Promise.all(
      Array.from({ length: 10 }, () =>
        database.withoutTeam(({ findLostRuns }) => findLostRuns(new Date(0), 1, 1)),
      ),
    );
    expect(leftovers.flat()).toEqual([]);
    expect(await database.forTeam(teamA, ({ run }) => run.findUnique({ where: { id: runOfB } }))).toBeNull();
  });
});

describe('with the filters in the queries and no row-level security', () => {
  let unlocked: Database;
  let tokens: ApiTokensRepository;

  beforeAll(() => {
    // The owner of the tables is not bound by row-level security.
    const ownerRole = new URL(testDatabase.ownerUrl).username;
    unlocked = new Database({ url: testDatabase.ownerUrl, poolSize: 2 }, { role: ownerRole });
    tokens = new ApiTokensRepository(unlocked);
  });
  afterAll(() => unlocked.close());

  it('really has no row-level security', async () => {
    expect(await unlocked.forTeam(teamA, ({ team }) => team.count())).toBe(2);
  });

  it('hides the tokens of another team', async () => {
    expect(await tokens.list(teamA, 100)).toEqual([]);
    const [theirs] = await tokens.list(teamB, 100);
    expect(await tokens.findUsableByName(teamA, 't', new Date())).toBeNull();
    const revoked = tokens.revoke(teamA, operator, theirs.id);
    expect(await revoked.catch((error: unknown) => isProblem(error, 'token-not-found'))).toBe(true);
    await tokens.touch(teamA, theirs.id, new Date(), new Date(0));
    expect((await tokens.list(teamB, 100))[0]).toMatchObject({ revokedAt: null, lastUsedAt: null });
  });

  it('hides another team itself', async () => {
    expect(await new TeamsRepository(unlocked).findTeam(teamA)).toMatchObject({ id: teamA });
  });

  it('is refused at start, and so is a superuser', async () => {
    const superuserUrl = await superuserUrlOf(testDatabase.ownerUrl);
    const role = new URL(superuserUrl).username;
    const superuser = new Database({ url: superuserUrl, poolSize: 1 }, { role });
    await expect(superuser.onModuleInit()).rejects.toThrow(/it is a superuser and it has BYPASSRLS/);
    await superuser.close();
    // The same connection string is fine for the product: it takes on its own role.
    const product = new Database({ url: superuserUrl, poolSize: 1 });
    await product.onModuleInit();
    await product.close();

    await expect(unlocked.onModuleInit()).rejects.toThrow(/owns tables \(.*analyses, api_tokens/);
  });
});

describe('what the scopes offer', () => {
  it('is all there is: tables outside of a team do not compile', async () => {
    // @ts-expect-error: the database itself has no tables
    expect(database.run).toBeUndefined();
    await database.withoutTeam(async (scope) => {
      // @ts-expect-error: without a team there are no runs
      expect(scope.run).toBeUndefined();
      // @ts-expect-error: and no SQL of one's own
      expect(scope.$queryRaw).toBeUndefined();
    });
  });

  it('ends with the work', async () => {
    const leaked = await database.forTeam(teamA, async (scope) => ({ scope }));
    await expect(leaked.scope.run.findMany()).rejects.toThrow(/closed|not found|already/i);
  });

  it('needs a team id that is one', async () => {
    for (const id of ['', 'a', "'; DROP TABLE runs; --", `${randomUUID()} `]) {
      await expect(database.forTeam(id, async () => 1)).rejects.toThrow(TypeError);
    }
  });

  it('answers the questions that cross teams, and no more', async () => {
    const found = await database.withoutTeam(({ findApiToken }) => findApiToken(tokenHash(teamB)));
    expect(found).toMatchObject({ teamId: teamB, scopes: ['runs:read'], revokedAt: null, expiresAt: null });
    expect(await database.withoutTeam(({ findApiToken }) => findApiToken(tokenHash('none')))).toBeUndefined();
    await owner.query("UPDATE runs SET state = 'queued' WHERE id = $1", [runOfB]);
    const lost = await database.withoutTeam(({ findLostRuns }) =>
      findLostRuns(new Date(Date.now() + 5_000), 5, 5),
    );
    expect(lost).toEqual([{ id: runOfB, teamId: teamB, generation: 0, state: 'queued' }]);
    expect(await database.withoutTeam(({ measureBacklog }) => measureBacklog())).toMatchObject([
      { state: 'queued', runs: 1, teams: 1 },
    ]);
  });

  it('rolls everything back when the work throws', async () => {
    await database
      .forTeam(teamA, async ({ run }) => {
        await run.create({ data: { teamId: teamA, model: 'lost', cluster: 'c', tags: [] } });
        throw new Error('on purpose');
      })
      .catch(() => undefined);
    expect(await database.forTeam(teamA, ({ run }) => run.count({ where: { model: 'lost' } }))).toBe(0);
  });

  it('gives big columns as bigint, which fit into numbers', async () => {
    const artifact = await database.forTeam(teamB, ({ artifact }) => artifact.findFirstOrThrow());
    expect(toSafeNumber(artifact.sizeBytes)).toBe(5);
  });
});
