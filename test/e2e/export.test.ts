import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { fillEveryTable } from '../harness/fill-every-table';
import { until } from '../harness/until';

const [file] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));

interface Line {
  kind: string;
  record?: Record<string, unknown>;
  complete?: boolean;
  counts?: Record<string, number>;
}

/** A table of the database for each kind of record. */
const tables: Record<string, string> = {
  member: 'memberships',
  invitation: 'invitations',
  serviceAccount: 'service_accounts',
  token: 'api_tokens',
  webhook: 'webhook_endpoints',
  auditEntry: 'audit_entries',
  run: 'runs',
  report: 'analyses',
  event: 'team_events',
  webhookDelivery: 'webhook_deliveries',
  usageDay: 'usage_days',
  series: 'series',
  seriesSegment: 'series_segments',
  regression: 'regressions',
  regressionAct: 'regression_acts',
  trendSetting: 'trend_settings',
  artifact: 'artifacts',
};

describe('GET /v1/export', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open();
  });
  beforeEach(async () => {
    team = await bench.team(['runs:read', 'runs:write', 'admin']);
  });
  afterAll(() => bench.close());

  const exported = async (client: TeamClient): Promise<Line[]> => {
    const headers = { authorization: `Bearer ${client.token}` };
    const answer = await fetch(`${bench.api.baseUrl}/v1/export`, { headers });
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(text.endsWith('\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  };
  const manyRuns = async (count: number, metadataBytes: number) => {
    await bench.query(
      `INSERT INTO runs (id, team_id, model, cluster, tags, metadata)
       SELECT gen_random_uuid(), $1, 'm', 'c', '{}', jsonb_build_object('text', repeat('x', $3)) FROM generate_series(1, $2)`,
      team.teamId,
      count,
      metadataBytes,
    );
    // As the database does by itself after a while.
    await bench.query('ANALYZE runs');
  };
  /** The answer as it arrives, from a client that has read nothing of it yet. */
  const open = async (baseUrl = bench.api.baseUrl) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${team.token}` };
      get(`${baseUrl}/v1/export`, { headers }, resolve).on('error', reject);
    });

  it('has every row of the team once, those of nobody else, and no secret', async () => {
    const neighbour = await bench.team(['admin']);
    for (const { teamId } of [team, neighbour]) {
      const runId = await fillEveryTable(bench.database, teamId);
      for (let i = 0; i < 9; i++)
        await bench.query(
          `INSERT INTO analyses (id, team_id, run_id, generation, analysis_version, bottleneck, confidence, summary, report)
           VALUES (gen_random_uuid(), $1, $2, $3, '1', 'b', 'c', 's', '{}')`,
          teamId,
          runId,
          i + 2,
        );
      await bench.query(
        `INSERT INTO artifacts (id, team_id, run_id, name, size_bytes, sha256, object_key, part_size_bytes)
         SELECT gen_random_uuid(), $1, $2, 'n' || i, 5, repeat('a', 64), 'k' || (i % 3), 5 FROM generate_series(1, 1200) AS i`,
        teamId,
        runId,
      );
      await bench.query(
        `INSERT INTO team_events (id, team_id, type) SELECT gen_random_uuid(), $1, 'run.done' FROM generate_series(1, 501)`,
        teamId,
      );
      await bench.query(
        `INSERT INTO webhook_deliveries (id, team_id, endpoint_id, event_id, event_type, body)
         SELECT gen_random_uuid(), $1, w.id, gen_random_uuid(), 'run.done', '{}'
         FROM webhook_endpoints w, generate_series(1, 700) WHERE w.team_id = $1`,
        teamId,
      );
    }
    await manyRuns(1001, 10);

    const lines = await exported(team);
    expect(lines[0]).toMatchObject({ kind: 'start', version: 1 });
    const end = lines.at(-1);
    expect(end).toMatchObject({ kind: 'end', complete: true });
    const records = lines.slice(1, -1);
    for (const [kind, table] of Object.entries(tables)) {
      const [{ n }] = await bench.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${table} WHERE team_id = $1`,
        team.teamId,
      );
      const found = records.filter((line) => line.kind === kind);
      expect({ kind, n: found.length, told: end?.counts?.[kind] }).toEqual({ kind, n, told: n });
      const distinct = new Set(found.map(({ record }) => JSON.stringify(record)));
      expect(distinct.size).toBe(n);
    }
    expect(records.filter(({ kind }) => kind === 'team').map(({ record }) => record?.id)).toEqual([
      team.teamId,
    ]);
    expect(Object.keys(end?.counts ?? {}).sort()).toEqual(['team', ...Object.keys(tables)].sort());
    const text = JSON.stringify(lines);
    expect(text).not.toContain(neighbour.teamId);
    expect(text).not.toMatch(/hash/i);
    expect(
      await bench.query(
        `SELECT action FROM audit_entries WHERE team_id = $1 AND action = 'team.exported'`,
        team.teamId,
      ),
    ).toHaveLength(1);
  });

  it('gives the files to download', async () => {
    await team.upload([file]);
    const lines = await exported(team);
    const artifact = lines.find(({ kind }) => kind === 'artifact')?.record;
    const answer = await fetch(String(artifact?.downloadUrl));
    expect(Buffer.from(await answer.arrayBuffer()).equals(file.bytes)).toBe(true);
  });

  it('needs the scope admin', async () => {
    const pipeline = await bench.team(['runs:read', 'runs:write']);
    expect(await pipeline.call('GET', '/v1/export')).toMatchObject({
      status: 403,
      body: { code: 'scope-missing' },
    });
  });

  it('is cut off, without a last line, when it cannot be finished', async () => {
    await manyRuns(20_000, 1_000);
    const response = await open();
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until(() => text.length > 0, 'the first lines');
    response.pause();
    await bench.query('UPDATE teams SET deleted_at = now() WHERE id = $1', team.teamId);
    response.resume();
    await expect(
      new Promise((resolve, reject) => response.on('end', resolve).on('error', reject)),
    ).rejects.toThrow('aborted');
    expect(text).toContain('"kind":"start"');
    expect(text).not.toContain('"kind":"end"');
    // Closed: the next one does not even begin.
    expect((await team.call('GET', '/v1/export')).status).toBe(401);
  });

  it('needs no more memory for a client that is slow, and for many rows', async () => {
    // 200 MiB, for a process that may have 96 MiB of heap.
    await manyRuns(100_000, 2_000);
    const api = await bench.startApi({ NODE_OPTIONS: '--max-old-space-size=96' });
    const peakMib = () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${api.pid}/status`, 'utf8'))?.[1]) / 1024;
    const beforeMib = peakMib();
    const response = await open(api.baseUrl);
    await sleep(500);
    let runs = 0;
    let last = '';
    for await (const line of createInterface({ input: response })) {
      if (line.startsWith('{"kind":"run"')) runs++;
      last = line;
    }
    expect(runs).toBe(100_000);
    expect(JSON.parse(last)).toMatchObject({ kind: 'end', complete: true, counts: { run: 100_000 } });
    expect(peakMib() - beforeMib).toBeLessThan(120);
  }, 180_000);
});
