import { type OpenAPIObject } from '@nestjs/swagger';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Role, roles } from '../../src/modules/teams';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { type ApiOperation, operationsOf, sampleOf } from '../harness/openapi-operations';
import { addPerson, type TeamPerson } from '../harness/team-people';
import { rowsOf } from '../harness/team-rows';

const everybody: readonly Role[] = roles;
const admins: readonly Role[] = ['owner', 'admin'];

/** Who may use an operation on what is not their own. A new operation of these tags belongs here. */
const mayUse: Record<string, readonly Role[]> = {
  'GET /v1/team': everybody,
  'PATCH /v1/team': admins,
  'POST /v1/teams': everybody,
  'GET /v1/members': admins,
  'PATCH /v1/members/{userId}': admins,
  'DELETE /v1/members/{userId}': admins,
  'POST /v1/invitations': admins,
  'GET /v1/invitations': admins,
  'DELETE /v1/invitations/{id}': admins,
  'POST /v1/service-accounts': admins,
  'GET /v1/service-accounts': admins,
  'PATCH /v1/service-accounts/{id}': admins,
  'DELETE /v1/service-accounts/{id}': admins,
  'POST /v1/tokens': admins,
  'GET /v1/tokens': admins,
  'POST /v1/tokens/{id}/rotate': admins,
  'DELETE /v1/tokens/{id}': admins,
  'GET /v1/audit-log': admins,
};
const tags = ['Team', 'Members', 'Invitations', 'Service accounts', 'API tokens', 'Audit log'];

let api: InProcessApi;
let sql: Client;
let team: TestTeam;
let document: OpenAPIObject;
let operations: ApiOperation[];
let people: Record<Role, TeamPerson>;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1', ALLOW_TEAM_CREATION: 'true' });
  sql = new Client({ connectionString: api.environment.ownerUrl });
  await sql.connect();
  document = (await api.http().get('/openapi.json').expect(200)).body as OpenAPIObject;
  operations = operationsOf(document).filter(
    (operation) => tags.includes(operation.tags[0]) && (operation.security as unknown[]).length > 0,
  );
  team = await api.createTeam();
  const entries = await Promise.all(
    roles.map(async (role) => [role, await addPerson(api, team, role)] as const),
  );
  people = Object.fromEntries(entries) as Record<Role, TeamPerson>;
});
afterAll(async () => {
  await sql.end();
  await api.stop();
});

it('the matrix names every operation of its part', () => {
  expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(mayUse).sort());
});

it.each(roles)(
  'a person with the role %s may do what the matrix says, and a refusal changes nothing',
  async (role) => {
    for (const operation of operations) {
      const before = await rowsOf(sql, team.teamId);
      const client = api.http();
      const request = client[operation.method](operation.path.replace(/\{\w+\}/g, randomUUID())).set(
        people[role].headers,
      );
      const body = operation.body && (sampleOf(operation.body, document) as object);
      const response = await (body ? request.send(body) : request);
      const { code } = response.body as { code?: string };
      const allowed = mayUse[operation.name].includes(role);
      expect([operation.name, code === 'scope-missing']).toEqual([operation.name, !allowed]);
      expect([operation.name, response.status === 401 || response.status >= 500]).toEqual([
        operation.name,
        false,
      ]);
      if (!allowed) expect(await rowsOf(sql, team.teamId)).toEqual(before);
    }
  },
);
