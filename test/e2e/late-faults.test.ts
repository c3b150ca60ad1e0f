import { setTimeout as sleep } from 'node:timers/promises';
import { linkTo, type CuttableLink } from '../harness/cuttable-link';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { until } from '../harness/until';

const files = sampleRun('ddp_slow_link');
const ofRank = (rank: number) => files.filter(({ name }) => name.includes(`rank${rank}`));
/** When the API dies after it was asked to complete, ms: before, in and after its calls of the store and the database. */
const DEATHS_MS = [0, 8, 20, 50];

describe('completing artifacts survives', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  let link: CuttableLink;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    team = await bench.team();
    link = await linkTo(bench.environment.env.S3_ENDPOINT);
  });
  afterEach(async () => {
    link.thaw();
    await bench.stopWorkers();
  });
  afterAll(async () => {
    await bench.close();
    await link.close();
  });

  const send = (runId: string, rank: number) =>
    Promise.all(ofRank(rank).map((file) => team.send(runId, file)));
  /** Asks an API process of its own to complete the run, and kills it a while later, whatever it was doing. */
  async function completeAndDie(runId: string, afterMs: number): Promise<void> {
    const api = await bench.startApi({});
    const asked = team.at(api.baseUrl).complete(runId);
    const settled = asked.catch(() => undefined);
    await sleep(afterMs);
    await api.kill();
    await settled;
  }
  /** The run is done, has one result set for each generation, and its report has these ranks. */
  async function expectDone(runId: string, generation: number, ranks: number[]): Promise<void> {
    await team.waitFor(runId, ['done'], 60_000);
    await sleep(1_500);
    expect(await team.state(runId)).toMatchObject({ state: 'done', generation, failure: null });
    const sets = await bench.query<{ generation: number }>(
      'SELECT generation FROM analyses WHERE run_id = $1 ORDER BY generation',
      runId,
    );
    expect(sets.map((set) => set.generation)).toEqual(Array.from({ length: generation }, (_, i) => i + 1));
    const { body } = await team.call<{ ranks: { rank: number }[] }>('GET', `/v1/runs/${runId}/report`);
    expect(body.ranks.map(({ rank }) => rank)).toEqual(ranks);
  }

  it.each(DEATHS_MS)(
    'kill -9 of the API %i ms into it: asked again, it is done once',
    async (afterMs) => {
      const runId = await team.createRun();
      await send(runId, 0);
      await completeAndDie(runId, afterMs);
      await bench.startWorker();
      expect((await team.complete(runId)).status).toBe(200);
      await expectDone(runId, 1, [0]);
    },
    90_000,
  );

  it.each(DEATHS_MS)(
    'kill -9 of the API %i ms into completing a late rank',
    async (afterMs) => {
      await bench.startWorker();
      const runId = await team.upload(ofRank(0));
      await team.waitFor(runId, ['done']);
      await send(runId, 1);
      await completeAndDie(runId, afterMs);
      expect((await team.complete(runId)).status).toBe(200);
      const isNewest = async () => (await team.state(runId)).generation === 2;
      await until(isNewest, 'the late rank is to be analysed');
      await expectDone(runId, 2, [0, 1]);
    },
    90_000,
  );

  it('kill -9 of the worker while a late rank completes: whoever takes the run over has it too', async () => {
    link.freeze();
    const worker = await bench.startWorker({
      S3_ENDPOINT: link.through(bench.environment.env.S3_ENDPOINT),
    });
    const runId = await team.upload(ofRank(0));
    await team.waitFor(runId, ['analyzing']);
    await send(runId, 1);
    await Promise.all([team.complete(runId), worker.kill()]);
    await bench.startWorker();
    await expectDone(runId, 1, [0, 1]);
    expect(await bench.attemptsOf(runId)).toBe(2);
  }, 90_000);

  it('being asked by all ranks at the same time, at two API processes', async () => {
    await bench.startWorker();
    const runId = await team.upload(ofRank(0));
    await team.waitFor(runId, ['done']);
    const elsewhere = team.at((await bench.startApi({})).baseUrl);
    await send(runId, 1);
    const answers = await Promise.all(
      [team, elsewhere, team, elsewhere, team, elsewhere].map((client) => client.complete(runId)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    await expectDone(runId, 2, [0, 1]);
  }, 90_000);
});
