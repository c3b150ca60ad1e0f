import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { createTeamsService } from '../../src/modules/teams';
import { bucketContents } from '../harness/bucket-contents';
import { fillEveryTable } from '../harness/fill-every-table';
import { PipelineBench, sampleRun, TeamClient } from '../harness/pipeline-bench';
import { retentionChores, unending } from '../harness/retention-chores';
import { until } from '../harness/until';

const [file] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));
const password = 'correct horse battery staple';

describe('DELETE /v1/team', () => {
  let bench: PipelineBench;
  let chores: ReturnType<typeof retentionChores>;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await PipelineBench.open();
    chores = retentionChores(bench);
  });
  afterAll(() => bench.close());

  async function createTeam() {
    const team = await bench.team(['runs:read', 'runs:write', 'admin']);
    const [{ slug }] = await bench.query<{ slug: string }>(
      'SELECT slug FROM teams WHERE id = $1',
      team.teamId,
    );
    return { team, slug, owner: await signIn(team, `owner@${slug}.test`) };
  }
  async function signIn(team: TeamClient, email: string) {
    const credentials = { email, password };
    const { status, body } = await team.call<{ accessToken: string }>('POST', '/v1/auth/login', credentials);
    expect(status).toBe(200);
    return new TeamClient(bench.api.baseUrl, team.teamId, body.accessToken);
  }
  /** The rows of a team, in every table that has some. */
  async function rowsOf(teamId: string): Promise<Record<string, number>> {
    const tables = await bench.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'team_id'`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of [...tables, { name: 'teams' }]) {
      const column = name === 'teams' ? 'id' : 'team_id';
      const [{ n }] = await bench.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${name} WHERE ${column} = $1`,
        teamId,
      );
      if (n > 0) counts[name] = n;
    }
    return counts;
  }
  const storedOf = async (teamId: string) => {
    const { keys, uploads } = await bucketContents(bench.environment.env);
    return [...keys, ...uploads].filter((key) => key.includes(teamId));
  };

  it('is for owners in person, who name the team', async () => {
    const { team, slug, owner } = await createTeam();
    const admin = { email: `admin@${slug}.test`, password, role: 'admin' as const };
    await createTeamsService(bench.database).addMember(team.teamId, admin);
    const person = await signIn(team, admin.email);
    for (const client of [team, person]) {
      expect(await client.call('DELETE', '/v1/team', { confirm: slug })).toMatchObject({
        status: 403,
        body: { code: 'owner-required' },
      });
    }
    expect(await owner.call('DELETE', '/v1/team', { confirm: `${slug}x` })).toMatchObject({
      status: 422,
      body: { code: 'confirmation-mismatch' },
    });
    for (const body of [undefined, {}, { confirm: '\0' }, { confirm: slug, all: true }])
      expect((await owner.call('DELETE', '/v1/team', body)).status).toBe(400);
    expect((await team.call('GET', '/v1/me')).status).toBe(200);
  });

  it('shuts everybody out at once, and leaves no row and no byte, of this team only', async () => {
    const { team, slug, owner } = await createTeam();
    const neighbour = await createTeam();
    for (const client of [team, neighbour.team]) {
      await fillEveryTable(bench.database, client.teamId);
      await client.upload([file]);
      await client.register(await client.createRun(), file);
    }
    const before = await rowsOf(neighbour.team.teamId);
    // Every table that belongs to a team; a new one must be filled, or it is not known to be emptied.
    expect(Object.keys(await rowsOf(team.teamId)).sort()).toEqual(Object.keys(before).sort());
    expect(await storedOf(team.teamId)).toHaveLength(2);

    expect((await owner.call('DELETE', '/v1/team', { confirm: slug })).status).toBe(204);
    expect((await team.call('GET', '/v1/runs')).status).toBe(401);
    expect((await owner.call('GET', '/v1/me')).status).toBe(401);

    expect(await chores.deleteTeams.pass(unending)).toBe(1);
    expect(Object.keys(await rowsOf(team.teamId))).toEqual(['object_deletions']);
    await chores.deleteObjects.pass(unending);
    expect(await rowsOf(team.teamId)).toEqual({});
    expect(await storedOf(team.teamId)).toEqual([]);
    const { object_deletions: _, ...kept } = before;
    expect(await rowsOf(neighbour.team.teamId)).toMatchObject(kept);
    expect(await storedOf(neighbour.team.teamId)).toHaveLength(2);
    expect((await neighbour.team.call('GET', '/v1/runs')).status).toBe(200);
  });

  it('is held up by no other team that cannot be deleted', async () => {
    const [stuck, next] = [await createTeam(), await createTeam()];
    await stuck.team.createRun();
    await bench.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'on purpose'; END $$`,
    );
    await bench.query(
      `CREATE TRIGGER refuse BEFORE DELETE ON runs FOR EACH ROW WHEN (OLD.team_id = '${stuck.team.teamId}') EXECUTE FUNCTION refuse()`,
    );
    for (const { owner, slug } of [stuck, next])
      expect((await owner.call('DELETE', '/v1/team', { confirm: slug })).status).toBe(204);
    expect(await chores.deleteTeams.pass(unending)).toBe(1);
    expect(await rowsOf(next.team.teamId)).toEqual({});
    await bench.query('DROP TRIGGER refuse ON runs');
    expect(await chores.deleteTeams.pass(unending)).toBe(1);
  });

  it('goes on where it was stopped, and lets no run slip in', async () => {
    const { team, slug, owner } = await createTeam();
    for (let i = 0; i < 3; i++) await team.upload([file]);
    expect((await owner.call('DELETE', '/v1/team', { confirm: slug })).status).toBe(204);
    const stopped = new AbortController();
    const removal = chores.deleteTeams.pass(stopped.signal);
    stopped.abort();
    expect(await removal).toBe(0);
    // A request that began before: its run comes in while the team is being deleted.
    await bench.query(
      `INSERT INTO runs (id, team_id, model, cluster, tags) VALUES ($1, $2, 'm', 'c', '{}')`,
      randomUUID(),
      team.teamId,
    );
    expect(await chores.deleteTeams.pass(unending)).toBe(1);
    expect(await rowsOf(team.teamId)).toEqual({ object_deletions: 3 });
    const late = bench.database.forTeam(team.teamId, ({ run }) =>
      run.create({ data: { teamId: team.teamId, model: 'm', cluster: 'c', tags: [] } }),
    );
    await expect(late).rejects.toThrow();
    await chores.deleteObjects.pass(unending);
    expect(await storedOf(team.teamId)).toEqual([]);
  });

  it('is done by a worker, without being asked twice', async () => {
    const { team, slug, owner } = await createTeam();
    await team.upload([file]);
    expect((await owner.call('DELETE', '/v1/team', { confirm: slug })).status).toBe(204);
    await bench.startWorker();
    await until(async () => (await storedOf(team.teamId)).length === 0, 'the objects are gone', 40_000);
    await until(async () => Object.keys(await rowsOf(team.teamId)).length === 0, 'the rows are gone');
    await bench.stopWorkers();
  });
});
