import { EventReader } from '../harness/event-reader';
import { PipelineBench, sampleRun } from '../harness/pipeline-bench';

describe('event streams of real processes', () => {
  let bench: PipelineBench;
  beforeAll(async () => {
    bench = await PipelineBench.open();
  });
  afterAll(() => bench.close());

  it('follow an analysis to its end, and end with the process, from which a client goes on elsewhere', async () => {
    const team = await bench.team();
    const api = await bench.startApi({});
    const headers = { authorization: `Bearer ${team.token}` };
    const runId = await team.upload(sampleRun('launch_bound'));
    const path = `/v1/runs/${runId}/events`;
    const cut = await EventReader.open(`${api.baseUrl}${path}`, headers);
    await cut.waitFor('run.queued');
    await api.stop();
    await cut.waitForEnd();
    expect(cut.names).toEqual(['run.created', 'run.queued', 'end']);
    expect(cut.endReason).toBe('stopping');

    await bench.startWorker();
    const last = cut.events.at(-2)?.id ?? '';
    const rest = await EventReader.open(`${bench.api.baseUrl}${path}`, { ...headers, 'last-event-id': last });
    await rest.waitForEnd(40_000);
    expect(rest.names).toEqual(['run.analyzing', 'run.done', 'end']);
  });
});
