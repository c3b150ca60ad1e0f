import { type OpenAPIObject } from '@nestjs/swagger';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';
import {
  type ApiOperation,
  type JsonSchema,
  operationsOf,
  resolve,
  sampleOf,
} from '../harness/openapi-operations';
import { schemaMismatches } from '../harness/schema-mismatches';
import { addressOf, createMarkedTeam } from '../harness/marked-team';
import { signIn } from '../harness/sign-in';

let api: InProcessApi;
let document: OpenAPIObject;
let operations: ApiOperation[];

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
  document = (await api.http().get('/openapi.json').expect(200)).body as OpenAPIObject;
  operations = operationsOf(document);
});
afterAll(() => api.stop());

/** What an operation lacks, by its name; nothing when all is there. */
const lacking = (missing: (operation: ApiOperation) => string[]) =>
  Object.fromEntries(
    operations.map((one) => [one.name, missing(one)] as const).filter(([, all]) => all.length > 0),
  );

/** Required properties of a body, those of objects within it too, by path. */
function requiredProperties(schema: JsonSchema, path = ''): [string, JsonSchema][] {
  const { properties = {}, required = [] } = resolve(schema, document);
  return Object.entries(properties).flatMap(([name, property]): [string, JsonSchema][] => {
    const resolved = resolve(property, document);
    const inside = resolved.properties ? requiredProperties(resolved, `${path}${name}.`) : [];
    return required.includes(name) && !resolved.properties
      ? [[`${path}${name}`, resolved], ...inside]
      : inside;
  });
}

describe('every operation of the document', () => {
  it('has a summary, one tag, a description of its parameters, and says who may use it', () => {
    expect(
      lacking(({ summary, tags, security, parameters }) => [
        ...(summary ? [] : ['summary']),
        ...(tags.length === 1 ? [] : ['one tag']),
        ...(Array.isArray(security) ? [] : ['security']),
        ...parameters.filter(({ schema }) => !schema).map(({ name }) => `schema of ${name}`),
      ]),
    ).toEqual({});
  });

  it('declares what it answers with when all is well', () => {
    const isGood = (status: string) => /^[23]/.test(status);
    const isBare = (status: string) => ['204', '302', '304'].includes(status);
    expect(
      lacking(({ responses }) => {
        const good = Object.entries(responses).filter(([status]) => isGood(status));
        const bare = good.filter(([status, { content }]) => {
          const schemas = Object.values(content ?? {}).map(({ schema }) => schema);
          return !isBare(status) && (schemas.length === 0 || schemas.some((schema) => !schema));
        });
        return [...(good.length > 0 ? [] : ['success']), ...bare.map(([status]) => `schema of ${status}`)];
      }),
    ).toEqual({});
  });

  it('shows an example of every property that its body must have', () => {
    const speaks = ({ example, enum: values, type }: JsonSchema) =>
      example !== undefined || values !== undefined || type === 'boolean';
    expect(
      lacking(({ body }) =>
        body === undefined
          ? []
          : requiredProperties(body)
              .filter(([, schema]) => !speaks(schema))
              .map(([path]) => path),
      ),
    ).toEqual({});
    expect(operations.filter(({ body }) => body !== undefined).length).toBeGreaterThan(6);
  });

  it('takes the body that its examples make', async () => {
    const taken: Record<string, unknown> = {};
    for (const operation of operations.filter(({ body }) => body !== undefined)) {
      const { accessToken } = await signIn(api, await api.createTeam());
      const path = operation.path.replace(/\{\w+\}/g, '01890a5d-ac96-774b-bcce-b302099a8057');
      const client = api.http();
      const { status, body } = await client[operation.method](path)
        .set({ Authorization: `Bearer ${accessToken}` })
        .send(sampleOf(operation.body ?? {}, document) as object);
      const { code, errors } = body as { code?: string; errors?: unknown };
      if (status === 400 || code === 'validation-failed') taken[operation.name] = { code, errors };
    }
    expect(taken).toEqual({});
  });
});

describe('the document', () => {
  it('is of version 3.1, and its schemas are JSON Schema: null is a type', async () => {
    expect(document.openapi).toBe('3.1.0');
    const { text } = await api.http().get('/openapi.json');
    expect(/"nullable":|"x-stallscope|"x-nestjs/.exec(text)).toBeNull();
  });

  it('says of every answer to a question what it is', async () => {
    const team = await createMarkedTeam(api, 'spoken');
    const mismatches: Record<string, string[]> = {};
    const asked: string[] = [];
    for (const { name, method, path, responses } of operations) {
      const schema = responses['200']?.content?.['application/json']?.schema;
      if (method !== 'get' || !schema) continue;
      const response = await api.http().get(addressOf(path, team.ids)).set(team.owner);
      if (response.status !== 200) continue;
      asked.push(path);
      const found = schemaMismatches(response.body, schema, document);
      if (found.length > 0) mismatches[name] = found.slice(0, 5);
    }
    expect(mismatches).toEqual({});
    expect(asked).toEqual(
      expect.arrayContaining(['/v1/runs', '/v1/runs/{id}', '/v1/runs/{id}/report', '/v1/me']),
    );
  });

  it('names in every 4xx and 5xx answer the schema of problems', () => {
    expect(
      lacking(({ responses }) =>
        Object.entries(responses)
          .filter(([status]) => /^[45]|default/.test(status))
          .filter(([, { content }]) => content?.['application/problem+json']?.schema === undefined)
          .map(([status]) => status),
      ),
    ).toEqual({});
  });
});
