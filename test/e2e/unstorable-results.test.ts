import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { AnalysisMetrics } from '../../src/modules/ingestion/analysis-metrics';
import { AnalyzeRunService } from '../../src/modules/ingestion/analyze-run.service';
import { ConcludeAnalysisService } from '../../src/modules/ingestion/conclude-analysis.service';
import { NextRunService } from '../../src/modules/ingestion/next-run.service';
import { RunClaimsRepository } from '../../src/modules/ingestion/run-claims.repository';
import { RunDispatcher } from '../../src/modules/ingestion/run-dispatcher';
import { RunResultsRepository } from '../../src/modules/ingestion/run-results.repository';
import { RunWorkRepository } from '../../src/modules/ingestion/run-work.repository';
import { RunsIntakeRepository } from '../../src/modules/ingestion/runs-intake.repository';
import { TakeRunService } from '../../src/modules/ingestion/take-run.service';
import { createTeamsService } from '../../src/modules/teams';
import { type Config, loadConfig } from '../../src/platform/config';
import { Database } from '../../src/platform/database';
import { createQueueBackend, JobQueue } from '../../src/platform/queue';
import { ObjectStore } from '../../src/platform/object-store';
import { Metrics } from '../../src/platform/telemetry';
import { generousQuotas } from '../harness/generous-quotas';
import { createTestEnvironment, type TestEnvironment } from '../harness/environment';

const step = {
  rank: 0,
  stepIndex: 0,
  wallNs: 4,
  computeNs: 1,
  exposedCommunicationNs: 1,
  exposedMemcpyNs: 1,
  idleNs: 1,
  idle: {},
};
const metric = { id: 'm', value: 1, unit: 'ns', source: 'measured' };
const sound = {
  analysisVersion: '1',
  bottleneck: 'none',
  confidence: 'high',
  summary: 's',
  reportJson: '{}',
  metricsJson: JSON.stringify([metric]),
  stepsJson: JSON.stringify([step]),
  findingsJson: '[]',
};
const steps = (...changes: object[]) => ({
  stepsJson: JSON.stringify(changes.map((change) => ({ ...step, ...change }))),
});

/** The bounds of the analysis should never let these through; the database is the last one to look. */
describe('a report that the database does not take', () => {
  let environment: TestEnvironment;
  let config: Config;
  let database: Database;
  let store: ObjectStore;
  let queue: JobQueue;
  let service: AnalyzeRunService;
  let teamId: string;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    environment = await createTestEnvironment();
    config = loadConfig(environment.env);
    database = new Database(config.database);
    store = new ObjectStore(config.objectStore);
    queue = new JobQueue(createQueueBackend(config.queue));
    const work = new RunWorkRepository(database);
    const claims = new RunClaimsRepository(database);
    const metrics = new AnalysisMetrics(new Metrics('worker'));
    const next = new NextRunService(claims, new RunDispatcher(queue));
    const results = new RunResultsRepository(database);
    const conclusion = new ConcludeAnalysisService(work, results, next, metrics, config);
    const taking = new TakeRunService(claims, next, metrics, config);
    service = new AnalyzeRunService(taking, work, conclusion, metrics, config);
    const owner = { email: 'o@unstorable.test', password: 'a long password' };
    teamId = (await createTeamsService(database).createTeamWithOwner({ slug: 'unstorable', owner })).teamId;
  });
  afterAll(async () => {
    await queue.close();
    await database.close();
    store.onApplicationShutdown();
    await environment.drop();
  });

  async function process(changes: object) {
    const run = { model: 'm', cluster: 'c', tags: [], metadata: {} };
    const artifactId = randomUUID();
    const content = { artifactId, objectKey: 'k', name: 'a', sizeBytes: 1, sha256: 'a'.repeat(64) };
    const intake = new RunsIntakeRepository(database, generousQuotas);
    const { id: runId } = (await intake.createIngested(teamId, run, content, undefined)).body;
    const result = { ...sound, ...changes };
    await service.process(
      { version: 1, teamId, runId, generation: 1 },
      new AbortController().signal,
      async () => ({
        kind: 'analyzed',
        result,
        checkedIds: [artifactId],
      }),
    );
    const stored = await database.forTeam(teamId, async ({ analysis, artifact }) => ({
      analyses: await analysis.count({ where: { teamId, runId } }),
      artifact: (await artifact.findFirstOrThrow({ where: { teamId, runId } })).state,
    }));
    return { ...(await intake.find(teamId, runId)), ...stored };
  }

  it('is saved when nothing is wrong with it', async () => {
    expect(await process({})).toMatchObject({ state: 'done', analyses: 1, artifact: 'verified' });
  });

  it.each<[string, object]>([
    ['a rank beyond the column', steps({ rank: 2 ** 31 })],
    ['a rank that is no whole number', steps({ rank: 0.5 })],
    ['a time beyond the column', steps({ wallNs: 2 ** 70 })],
    ['no time at all', steps({ computeNs: null })],
    ['a negative part', steps({ computeNs: -1, idleNs: 3 })],
    ['parts that are not the whole', steps({ wallNs: 5 })],
    ['one step twice', steps({}, {})],
    ['a metric without value and reason', { metricsJson: JSON.stringify([{ ...metric, value: null }]) }],
    ['NUL in its text', { summary: 'a\u0000b' }],
    ['NUL in its JSON', { reportJson: '{"a":"\\u0000"}' }],
    ['half a surrogate pair in its JSON', { reportJson: '{"a":"\\ud800"}' }],
    ['JSON that is none', { findingsJson: '[{' }],
  ])('for %s fails after one attempt, and says why', async (_what, changes) => {
    expect(await process(changes)).toMatchObject({
      state: 'failed',
      attempts: 1,
      failureCode: 'result-not-storable',
      failureReason: expect.stringContaining('does not take') as string,
      analyses: 0,
      artifact: 'uploaded',
    });
  });
});
