import { randomUUID } from 'node:crypto';
import { ArtifactsRepository } from '../../src/modules/ingestion/artifacts.repository';
import {
  type ClaimedRun,
  type PickedRun,
  RunClaimsRepository,
} from '../../src/modules/ingestion/run-claims.repository';
import { RunResultsRepository } from '../../src/modules/ingestion/run-results.repository';
import { RunWorkRepository } from '../../src/modules/ingestion/run-work.repository';
import { RunsIntakeRepository } from '../../src/modules/ingestion/runs-intake.repository';
import { ReportsRepository } from '../../src/modules/reports/reports.repository';
import { runListQuerySchema } from '../../src/modules/runs/run-list-query';
import { RunPageRepository } from '../../src/modules/runs/run-page.repository';
import { RunArtifactsRepository } from '../../src/modules/runs/artifacts/run-artifacts.repository';
import { RunsRepository } from '../../src/modules/runs/runs.repository';
import { createTeamsService } from '../../src/modules/teams';
import { Database } from '../../src/platform/database';
import { generousQuotas } from '../harness/generous-quotas';
import { createTestDatabase, type TestDatabase } from '../harness/database';

const sha256 = 'a'.repeat(64);
const file = { name: 'a.json', sizeBytes: 5, sha256 };
const rules = { maxAttempts: 3, silentAfterMs: 60_000, maxConcurrentPerTeam: 8 };
const result = {
  analysisVersion: '1',
  bottleneck: 'none',
  confidence: 'high',
  summary: 's',
  reportJson: '{}',
  metricsJson: '[{"id":"mfu","value":1,"unit":"ns","source":"measured"}]',
  stepsJson: '[]',
  findingsJson: '[]',
};

/** The second lock, row-level security, is off here: the tables' owner is not bound by it. */
describe('the filters of the run repositories, alone', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let ours: string;
  let theirs: string;
  let theirRun: string;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const role = new URL(testDatabase.ownerUrl).username;
    database = new Database({ url: testDatabase.ownerUrl, poolSize: 4 }, { role });
    const teams = createTeamsService(database);
    const create = async (slug: string) => {
      const owner = { email: `o@${slug}.test`, password: 'a long password' };
      return (await teams.createTeamWithOwner({ slug, owner })).teamId;
    };
    [ours, theirs] = [await create('ours'), await create('theirs')];
    const intake = new RunsIntakeRepository(database, generousQuotas);
    const run = { model: 'm', cluster: 'c', tags: ['secret'], metadata: {} };
    const content = { artifactId: randomUUID(), objectKey: 'k', ...file };
    theirRun = (await intake.createIngested(theirs, run, content, undefined)).body.id;
    const { version } = await claimed({ teamId: theirs, runId: theirRun, generation: 1 });
    await new RunResultsRepository(database).save(theirs, version, result, [content.artifactId]);
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  async function claimed(picked: PickedRun): Promise<ClaimedRun> {
    const claim = await new RunClaimsRepository(database).claim(picked, rules);
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    return claim.run;
  }

  it('really are alone', async () => {
    expect(await database.forTeam(ours, ({ run }) => run.count())).toBe(1);
  });

  it('hide the run, its report and its artifacts', async () => {
    const runs = new RunsRepository(database);
    const bounds = { maxArtifacts: 10, maxAnalyses: 10, maxRegressions: 10 };
    expect(await runs.find(theirs, theirRun, bounds)).toMatchObject({ state: 'done', artifactCount: 1 });
    expect(await runs.find(ours, theirRun, bounds)).toBeNull();
    const files = new RunArtifactsRepository(database);
    const [file] = (await files.list(theirs, theirRun, '', 10)) ?? [];
    expect(await files.findObject(theirs, theirRun, file.id)).toMatchObject({ objectKey: 'k' });
    expect(await files.list(ours, theirRun, '', 10)).toBeNull();
    expect(await files.findObject(ours, theirRun, file.id)).toBeNull();
    const pages = new RunPageRepository(database);
    const idsOf = async (teamId: string, query: object) => {
      const request = { ...runListQuerySchema.parse(query), after: undefined };
      return (await pages.list(teamId, request, undefined)).runs.map(({ id }) => id);
    };
    for (const query of [{}, { sort: 'metric:mfu' }, { metric: 'mfu:..' }, { tag: 'secret' }]) {
      expect(await idsOf(theirs, query)).toEqual([theirRun]);
      expect(await idsOf(ours, query)).toEqual([]);
    }
    const reports = new ReportsRepository(database);
    const theirReport = (await reports.find(theirs, theirRun, undefined))?.report;
    expect(theirReport).toMatchObject({ generation: 1 });
    expect(await reports.read(theirs, theirReport?.analysisId ?? '')).not.toBeNull();
    expect(await reports.read(ours, theirReport?.analysisId ?? '')).toBeNull();
    expect(await reports.find(ours, theirRun, undefined)).toBeNull();
    expect(await new RunsIntakeRepository(database, generousQuotas).find(ours, theirRun)).toBeNull();
    const artifacts = new ArtifactsRepository(database);
    const [{ id }] = await artifacts.list(theirs, theirRun);
    expect(await artifacts.list(ours, theirRun)).toEqual([]);
    expect(await artifacts.find(ours, theirRun, id)).toBeNull();
    expect(await artifacts.viewForRegistration(ours, theirRun, file.name)).toBeNull();
  });

  it('never share content between teams', async () => {
    const { body } = await new RunsIntakeRepository(database, generousQuotas).create(
      ours,
      { model: 'm', cluster: 'c', tags: [], metadata: {} },
      undefined,
    );
    const view = await new ArtifactsRepository(database).viewForRegistration(ours, body.id, file.name);
    expect(view).toMatchObject({ artifactCount: 0, totalBytes: 0 });
    const { sha256, sizeBytes } = file;
    const artifacts = new ArtifactsRepository(database);
    expect(await artifacts.findVerifiedKey(theirs, sha256, sizeBytes)).toBe('k');
    expect(await artifacts.findVerifiedKey(ours, sha256, sizeBytes)).toBeNull();
  });

  it('let nothing of the run be changed', async () => {
    const work = new RunWorkRepository(database);
    const version = { runId: theirRun, generation: 1, attempts: 1 };
    await database.forTeam(theirs, ({ run }) =>
      run.updateMany({ where: { id: theirRun }, data: { state: 'analyzing' } }),
    );
    const claims = new RunClaimsRepository(database);
    const picked = { teamId: ours, runId: theirRun, generation: 1 };
    const anySilence = { ...rules, silentAfterMs: 0 };
    expect(await claims.claim(picked, anySilence)).toEqual({ kind: 'lost' });
    expect(await claims.lookAgainInMs(picked, anySilence)).toBeUndefined();
    expect(await claims.findWaiting(ours)).toBeUndefined();
    expect(await work.heartbeat(ours, version)).toBe(false);
    expect(await work.release(ours, version, { counted: true, delayMs: 0 })).toBe(false);
    expect(await work.fail(ours, version, { code: 'c', reason: 'r' })).toBeNull();
    expect(await new RunResultsRepository(database).save(ours, version, result, [])).toBeNull();
    const intake = new RunsIntakeRepository(database, generousQuotas);
    expect(await intake.completeUploaded(ours, theirRun, [], { wantsAll: true })).toBeNull();
    await expect(intake.reanalyze(ours, theirRun, undefined)).rejects.toThrow('run-not-found');
    // Their own worker still has it.
    expect(await work.heartbeat(theirs, version)).toBe(true);
  });

  it('write one result set for a generation, whatever happens', async () => {
    const version = { runId: theirRun, generation: 1, attempts: 1 };
    const save = new RunResultsRepository(database).save(theirs, version, result, []);
    await expect(save).rejects.toThrow();
    const state = await database.forTeam(theirs, ({ run }) =>
      run.findUniqueOrThrow({ where: { id: theirRun } }),
    );
    expect(state.state).toBe('analyzing');
  });

  it('save tens of thousands of steps in seconds', async () => {
    const { body } = await new RunsIntakeRepository(database, generousQuotas).createIngested(
      ours,
      { model: 'm', cluster: 'c', tags: [], metadata: {} },
      { artifactId: randomUUID(), objectKey: 'k2', ...file },
      undefined,
    );
    const { version } = await claimed({ teamId: ours, runId: body.id, generation: 1 });
    const idle = { inputWaitNs: 1 };
    const steps = Array.from({ length: 50_000 }, (_, stepIndex) => ({
      rank: 0,
      stepIndex,
      wallNs: 2 ** 40 + 3,
      computeNs: 2 ** 40,
      exposedCommunicationNs: 1,
      exposedMemcpyNs: 1,
      idleNs: 1,
      idle,
    }));
    const startedMs = Date.now();
    const stepsJson = JSON.stringify(steps);
    expect(
      await new RunResultsRepository(database).save(ours, version, { ...result, stepsJson }, []),
    ).toEqual({ nextGeneration: null });
    expect(Date.now() - startedMs).toBeLessThan(20_000);
    expect(
      await database.forTeam(ours, ({ stepBreakdown }) => stepBreakdown.count({ where: { teamId: ours } })),
    ).toBe(50_000);
  });
});
