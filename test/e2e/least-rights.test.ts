import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { Database } from '../../src/platform/database';
import { createTeamsService } from '../../src/modules/teams';
import { manifestsOf } from '../architecture/kubernetes-manifests';
import { createTestEnvironment, type TestEnvironment } from '../harness/environment';

interface Trigger {
  metadata: { query: string };
}

/** The way that docs/operations.md recommends: a login that owns nothing and may only become the product's role. */
describe('a login that owns no table', () => {
  const login = `login${randomBytes(6).toString('hex')}`;
  let environment: TestEnvironment;
  let owner: Client;
  let url: URL;

  beforeAll(async () => {
    environment = await createTestEnvironment();
    owner = new Client({ connectionString: environment.ownerUrl });
    await owner.connect();
    await owner.query(`CREATE ROLE ${login} LOGIN PASSWORD 'only-for-this-test' IN ROLE stallscope_app`);
    url = new URL(environment.ownerUrl);
    url.username = login;
    url.password = 'only-for-this-test';
  });
  afterAll(async () => {
    await owner.query(`DROP ROLE ${login}`);
    await owner.end();
    await environment.drop();
  });

  it('is all that the product needs', async () => {
    const database = new Database({ url: url.href, poolSize: 2 });
    try {
      await database.onModuleInit();
      const slug = `t${randomBytes(6).toString('hex')}`;
      const { teamId } = await createTeamsService(database).createTeamWithOwner({
        slug,
        owner: { email: `owner@${slug}.test`, password: 'correct horse battery staple' },
      });
      expect(await database.forTeam(teamId, ({ run }) => run.count())).toBe(0);
    } finally {
      await database.close();
    }
  });

  it('may ask what the autoscaler of the workers asks, sees no rows, and changes nothing', async () => {
    const scaled = manifestsOf('production').find(({ kind }) => kind === 'ScaledObject');
    const [{ metadata }] = scaled?.spec?.triggers as Trigger[];
    const client = new Client({ connectionString: url.href });
    await client.connect();
    try {
      const { rows, fields } = await client.query(metadata.query);
      expect(fields).toHaveLength(1);
      expect(Object.values(rows[0] as object)).toEqual([0]);
      expect((await client.query('SELECT * FROM teams')).rows).toEqual([]);
      await expect(client.query('DROP TABLE runs')).rejects.toThrow('must be owner');
    } finally {
      await client.end();
    }
  });
});
