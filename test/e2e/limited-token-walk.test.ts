import { type OpenAPIObject } from '@nestjs/swagger';
import { Client } from 'pg';
import { type Response } from 'supertest';
import { scopes } from '../../src/modules/teams';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';
import { addressOf, createMarkedTeam, type Ids, type MarkedTeam } from '../harness/marked-team';
import { type ApiOperation, operationsOf, sampleOf } from '../harness/openapi-operations';
import { sampleReport, storeReport } from '../harness/stored-report';
import { rowsOf } from '../harness/team-rows';

const within = { model: 'model-within', cluster: 'cluster-within' };

let api: InProcessApi;
let sql: Client;
let document: OpenAPIObject;
let operations: ApiOperation[];
let team: MarkedTeam;
/** With every scope, and limits to `within`. */
let limited: { id: string; headers: { Authorization: string } };
let runWithin: string;
/** Outside by both names, by the cluster alone, by the model alone. */
let runsOutside: string[];

beforeAll(async () => {
  api = await startInProcessApi();
  sql = new Client({ connectionString: api.environment.ownerUrl });
  await sql.connect();
  document = (await api.http().get('/openapi.json').expect(200)).body as OpenAPIObject;
  // What needs no credential gives nothing of a team.
  operations = operationsOf(document).filter(({ security }) => (security as unknown[]).length > 0);
  team = await createMarkedTeam(api, 'outside');
  const { mark, teamId } = team;
  // What the team itself is called is no secret of a run.
  await api.database.forTeam(teamId, (scope) =>
    scope.team.update({ where: { id: teamId }, data: { slug: 'walked', name: 'walked' } }),
  );
  runWithin = await createRun(within, 'inside');
  runsOutside = [
    team.ids['/v1/runs/{id}'],
    await createRun({ ...within, cluster: `${mark}-cluster` }, mark),
    await createRun({ ...within, model: `${mark}-model` }, mark),
  ];
  const limits = { models: [within.model], clusters: [within.cluster] };
  const { id, token } = await api.teams.createApiToken(teamId, { name: 'limited', scopes, limits });
  limited = { id, headers: { Authorization: `Bearer ${token}` } };
});
afterAll(async () => {
  await sql.end();
  await api.stop();
});

async function createRun(place: typeof within, text: string): Promise<string> {
  const runId = await storeReport(api.database, team.teamId, await sampleReport(), { ranks: 1, steps: 2 });
  const texts = { workload: text, branch: text, commit: text, tags: [text], metadata: { note: text } };
  await api.database.forTeam(team.teamId, ({ run }) =>
    run.update({ where: { id: runId }, data: { ...place, ...texts } }),
  );
  return runId;
}

async function call(operation: ApiOperation, ids: Ids, headers = limited.headers): Promise<Response> {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const client = api.http();
  const request = client[operation.method](addressOf(operation.path, ids))
    .set(headers)
    .redirects(0)
    .query(Object.fromEntries(query.map(({ name, schema }) => [name, sampleOf(schema, document)])));
  return operation.body === undefined ? request : request.send(sampleOf(operation.body, document) as object);
}

const idsWith = (runId: string): Ids => ({ ...team.ids, '/v1/runs/{id}': runId });
const wordsOutside = () => [team.mark, ...runsOutside];
const isRefused = ({ status, body }: Response) =>
  status === 403 && (body as { code: string }).code === 'token-limited';

/** All rows of the team, but for that of the token itself, whose use is noted. */
async function rows(): Promise<Record<string, string[]>> {
  const { api_tokens: tokens, ...others } = await rowsOf(sql, team.teamId);
  return { ...others, tokens: tokens.filter((row) => !row.includes(limited.id)) };
}

describe('a token that is limited to a model and a cluster', () => {
  it('reads nothing outside of its limits and changes nothing there, by any operation', async () => {
    const before = await rows();
    expect(operations.length).toBeGreaterThan(40);
    for (const operation of operations) {
      for (const runId of runsOutside) {
        const response = await call(operation, idsWith(runId));
        const { status, text = '' } = response;
        expect([operation.name, status < 500]).toEqual([operation.name, true]);
        if (isRefused(response)) continue;
        if (operation.path.includes('/runs/{id}'))
          expect([operation.name, status]).toEqual([operation.name, 404]);
        // The answer to a question for a run may repeat its id.
        const found = wordsOutside().filter((word) => word !== runId && text.includes(word));
        expect([operation.name, found]).toEqual([operation.name, []]);
      }
    }
    expect(await rows()).toEqual(before);
  });

  it('reads what is within, where a token without limits reads both', async () => {
    const free = await api.tokenHeader(team.teamId, [...scopes]);
    const seen = new Set<string>();
    const hidden = new Set<string>();
    for (const operation of operations.filter(({ method }) => method === 'get')) {
      const response = await call(operation, idsWith(runWithin));
      if (response.status === 200) {
        const { text = '' } = response;
        const found = wordsOutside().filter((word) => text.includes(word));
        expect([operation.name, found]).toEqual([operation.name, []]);
        if (text.includes(runWithin)) seen.add(operation.path);
      }
      // A file has no text.
      const { status, text = '' } = await call(operation, idsWith(runsOutside[0]), free);
      if (status === 200 && wordsOutside().some((word) => text.includes(word))) hidden.add(operation.path);
    }
    expect([...seen]).toEqual(expect.arrayContaining(['/v1/runs', '/v1/runs/{id}']));
    const elsewhere = [
      '/v1/tokens',
      '/v1/members',
      '/v1/invitations',
      '/v1/service-accounts',
      '/v1/audit-log',
    ];
    expect([...hidden]).toEqual(expect.arrayContaining(['/v1/runs', '/v1/runs/{id}', ...elsewhere]));
  });

  it('creates runs within its limits only', async () => {
    const create = (place: object) => api.http().post('/v1/runs').set(limited.headers).send(place);
    for (const place of [
      { ...within, cluster: 'c' },
      { ...within, model: 'm' },
      { model: 'm', cluster: 'c' },
    ]) {
      expectProblem(await create(place), 'outside-token-limits');
    }
    await create(within).expect(201);
  });

  it('may rotate itself, and the successor has the same limits', async () => {
    const rotate = (id: string) => api.http().post(`/v1/tokens/${id}/rotate`).set(limited.headers).send({});
    expectProblem(await rotate(team.ids['/v1/tokens/{id}']), 'token-limited');
    const { body } = await rotate(limited.id).expect(201);
    const { token, limits } = body as { token: string; limits: unknown };
    expect(limits).toEqual({ models: [within.model], clusters: [within.cluster] });
    const successor = { Authorization: `Bearer ${token}` };
    const response = await api.http().get(`/v1/runs/${runsOutside[0]}`).set(successor);
    expectProblem(response, 'run-not-found');
    await api.http().get(`/v1/runs/${runWithin}`).set(successor).expect(200);
  });
});
