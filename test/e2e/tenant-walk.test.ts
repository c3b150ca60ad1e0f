import { type OpenAPIObject } from '@nestjs/swagger';
import { Client } from 'pg';
import { type Response } from 'supertest';
import { type InProcessApi, ownerPassword, startInProcessApi } from '../harness/in-process-api';
import {
  addressOf,
  CREATING,
  createMarkedTeam,
  type Ids,
  type MarkedTeam,
  NAMING_PATHS,
  type NamingPath,
  namingPathsOf,
  nobodysIds,
} from '../harness/marked-team';
import { type ApiOperation, operationsOf, sampleOf } from '../harness/openapi-operations';
import { rowsOf } from '../harness/team-rows';

type Credential = Record<string, string>;

let api: InProcessApi;
let document: OpenAPIObject;
let operations: ApiOperation[];
let ours: MarkedTeam;
let theirs: MarkedTeam;
let sql: Client;
let credentials: Record<string, Credential>;

beforeAll(async () => {
  api = await startInProcessApi();
  document = (await api.http().get('/openapi.json').expect(200)).body as OpenAPIObject;
  operations = operationsOf(document);
  [ours, theirs] = [await createMarkedTeam(api, 'ours'), await createMarkedTeam(api, 'theirs')];
  const all = await api.tokenHeader(ours.teamId, ['runs:read', 'runs:write', 'gates:evaluate', 'admin']);
  const reader = await api.tokenHeader(ours.teamId, ['runs:read']);
  credentials = {
    ...{ 'the owner': ours.owner, 'a viewer': await signInViewer(ours) },
    ...{ 'a token with every scope': all, 'a token that reads': reader },
  };
  sql = new Client({ connectionString: api.environment.ownerUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await api.stop();
});

async function signInViewer({ teamId, slug, mark }: MarkedTeam): Promise<Credential> {
  const viewer = { email: `viewer@${mark}.test`, password: ownerPassword };
  await api.teams.addMember(teamId, { ...viewer, role: 'viewer' });
  const { body } = await api
    .http()
    .post('/v1/auth/login')
    .send({ ...viewer, team: slug })
    .expect(200);
  return { Authorization: `Bearer ${(body as { accessToken: string }).accessToken}` };
}

const isNaming = ({ path }: ApiOperation) => path.includes('{');

async function call(operation: ApiOperation, ids: Ids, credential: Credential): Promise<Response> {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const client = api.http();
  const request = client[operation.method](addressOf(operation.path, ids))
    .set(credential)
    .redirects(0)
    .query(Object.fromEntries(query.map(({ name, schema }) => [name, sampleOf(schema, document)])));
  return operation.body === undefined ? request : request.send(sampleOf(operation.body, document) as object);
}

/** An answer without what differs between two requests for the same thing. */
function comparable({ status, headers, text }: Response, ids: Ids) {
  const { 'x-request-id': requestId, date: _, ...others } = headers as Record<string, string>;
  const names = Object.keys(others).filter((name) => !name.startsWith('ratelimit'));
  const anonymous = Object.values(ids).reduce((all, id) => all.replaceAll(id, '<id>'), text);
  return { status, names: names.sort(), body: anonymous.replaceAll(requestId, '<request>') };
}

describe('an operation that names something', () => {
  it('names something that this test can make', () => {
    const naming = operations.filter(isNaming).flatMap(({ path }) => namingPathsOf(path));
    expect([...new Set(naming)].sort()).toEqual([...NAMING_PATHS].sort());
    expect(operations.filter(isNaming).length).toBeGreaterThan(15);
  });

  it('gives a team what is its own, so that not finding means something', async () => {
    const reading = operations.filter((operation) => isNaming(operation) && operation.method === 'get');
    expect(reading.length).toBeGreaterThan(5);
    for (const operation of reading) {
      const { status } = await call(operation, theirs.ids, theirs.owner);
      expect([operation.name, status]).toEqual([operation.name, 200]);
    }
  });

  it('answers for what another team has as for what nobody has, and changes nothing', async () => {
    const before = await rowsOf(sql, theirs.teamId);
    for (const [who, credential] of Object.entries(credentials)) {
      for (const operation of operations.filter((one) => isNaming(one) && !CREATING.includes(one.name))) {
        const nobodys = nobodysIds();
        const answer = comparable(await call(operation, theirs.ids, credential), theirs.ids);
        expect({ who, name: operation.name, ...answer }).toEqual({
          ...{ who, name: operation.name },
          ...comparable(await call(operation, nobodys, credential), nobodys),
        });
        if (who === 'the owner') expect([operation.name, answer.status]).toEqual([operation.name, 404]);
      }
    }
    expect(await rowsOf(sql, theirs.teamId)).toEqual(before);
  });

  it('does so too where what it names is inside of something of our own', async () => {
    const nested = operations.filter(({ path }) => namingPathsOf(path).length > 1);
    expect(nested.length).toBeGreaterThan(2);
    const before = await rowsOf(sql, theirs.teamId);
    for (const operation of nested) {
      const last = namingPathsOf(operation.path).at(-1) as NamingPath;
      const mixed = { ...ours.ids, [last]: theirs.ids[last] };
      const nobodys = { ...ours.ids, [last]: nobodysIds()[last] };
      const answer = comparable(await call(operation, mixed, ours.owner), mixed);
      expect([operation.name, answer]).toEqual([
        operation.name,
        comparable(await call(operation, nobodys, ours.owner), nobodys),
      ]);
      expect([operation.name, answer.status]).toEqual([operation.name, 404]);
    }
    expect(await rowsOf(sql, theirs.teamId)).toEqual(before);
  });
});

describe('what a team reads', () => {
  it('holds nothing of another team, whoever reads and whatever', async () => {
    const foreign = [theirs.mark, theirs.teamId, theirs.ownerId, ...Object.values(theirs.ids)];
    const showOwn = new Set<string>();
    for (const [who, credential] of Object.entries(credentials)) {
      for (const operation of operations.filter(({ method }) => method === 'get')) {
        const { status, text = '' } = await call(operation, ours.ids, credential);
        const found = foreign.filter((word) => text.includes(word));
        expect([who, operation.name, found]).toEqual([who, operation.name, []]);
        if (status === 200 && text.includes(ours.mark)) showOwn.add(operation.path);
      }
    }
    // The mark is in what is shown, or not finding the other one would mean nothing.
    const wanted = ['/v1/me', '/v1/runs', '/v1/runs/{id}', '/v1/runs/{id}/artifacts', '/v1/tokens'];
    const others = ['/v1/webhooks', '/v1/runs/{id}/events', '/v1/regressions', '/v1/regressions/{id}'];
    expect([...showOwn]).toEqual(expect.arrayContaining([...wanted, ...others]));
  });

  it('is not found by what another team calls its things', async () => {
    for (const filter of ['model', 'cluster', 'workload', 'branch', 'commit', 'tag']) {
      const search = async (word: string) => {
        const { body } = await api
          .http()
          .get('/v1/runs')
          .query({ [filter]: word })
          .set(ours.owner)
          .expect(200);
        return (body as { items: unknown[] }).items.length;
      };
      expect([filter, await search(ours.mark), await search(theirs.mark)]).toEqual([filter, 1, 0]);
    }
  });

  it('is in no metric, and no line of the log that names one team names the other', async () => {
    const { Metrics } = await import('../../src/platform/telemetry');
    const metrics = await api.app.get(Metrics).registry.metrics();
    for (const { mark, teamId } of [ours, theirs]) {
      expect(metrics).not.toContain(mark);
      expect(metrics).not.toContain(teamId);
    }
    const lines = api
      .logText()
      .split('\n')
      .filter((line) => line.includes(ours.teamId));
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.filter((line) => line.includes(theirs.mark) || line.includes(theirs.teamId))).toEqual([]);
  });
});

// Last: from here on our own audit log has their name.
describe('an operation that creates by name', () => {
  it('makes something of our own under a name that another team uses, and shows and changes nothing of theirs', async () => {
    const before = await rowsOf(sql, theirs.teamId);
    for (const operation of operations.filter(({ name }) => CREATING.includes(name))) {
      for (const credential of Object.values(credentials)) {
        const { status, text } = await call(operation, theirs.ids, credential);
        expect([operation.name, [200, 201, 403].includes(status)]).toEqual([operation.name, true]);
        expect(text).not.toContain(theirs.teamId);
      }
    }
    expect(operations.filter(({ name }) => CREATING.includes(name))).toHaveLength(CREATING.length);
    expect(await rowsOf(sql, theirs.teamId)).toEqual(before);
  });
});
