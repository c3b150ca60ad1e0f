import { type OpenAPIObject } from '@nestjs/swagger';
import { randomUUID } from 'node:crypto';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';
import { type JsonSchema, sampleOf } from '../harness/openapi-operations';

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] };
interface Field {
  method: (typeof METHODS)[number];
  path: string;
  place: 'query' | 'body';
  name: string;
  /** What the operation needs besides. */
  others: Record<string, unknown>;
}

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

const METHODS = ['get', 'post', 'put', 'patch'] as const;
const KINDS: Record<string, string> = {
  NUL: 'a\u0000b',
  'a new line': 'a\nb',
  'a control character': 'a\u0085b',
  'a line separator': 'a\u2028b',
  'a turn of direction': 'a\u202eb',
  'an isolate': 'a\u2067b',
  'half a surrogate pair': 'a\ud800b',
};
/** Free text that is neither stored nor looked up in Postgres. */
const NOT_STORED = [
  ...['POST /v1/auth/login password', 'POST /v1/estimates gpu'],
  ...['POST /v1/auth/refresh refreshToken', 'POST /v1/auth/logout refreshToken'],
  ...['POST /v1/auth/password currentPassword', 'POST /v1/auth/password newPassword'],
  ...['GET /v1/auth/oidc/callback state', 'POST /v1/invitations/preview token'],
  'POST /v1/auth/password-reset token',
  ...['POST /v1/auth/password-reset newPassword', 'GET /v1/trends metric'],
  ...['POST /v1/invitations/accept token', 'POST /v1/invitations/accept password'],
];

let api: InProcessApi;
let token: { Authorization: string };
let document: OpenAPIObject;

beforeAll(async () => {
  api = await startInProcessApi();
  token = await api.tokenHeader((await api.createTeam()).teamId, ['admin', 'runs:read', 'runs:write']);
  document = (await api.http().get('/openapi.json').expect(200)).body as OpenAPIObject;
});
afterAll(() => api.stop());

const resolve = (schema: Schema): Schema =>
  typeof schema.$ref === 'string'
    ? (document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] as Schema)
    : schema;
const isFreeText = (schema: Schema) =>
  schema.type === 'string' && !['format', 'enum', 'pattern'].some((key) => key in schema);

/** Every free text that any operation takes, found in the document: a new one is tested without being named here. */
function freeTexts(): Field[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      if (!operation) return [];
      const parameters = (operation.parameters ?? []) as Parameter[];
      const query = parameters.filter((parameter) => parameter.in === 'query');
      const content = (operation.requestBody as { content: Record<string, { schema: Schema }> } | undefined)
        ?.content;
      const body = resolve(content?.['application/json']?.schema ?? {});
      const inBody = Object.entries(body.properties ?? {}).map(([name, schema]) => {
        return { in: 'body', name, schema, required: body.required?.includes(name) };
      });
      return [
        ...fieldsOf({ method, path, place: 'query' }, query),
        ...fieldsOf({ method, path, place: 'body' }, inBody),
      ];
    }),
  );
}

function fieldsOf(where: Pick<Field, 'method' | 'path' | 'place'>, all: readonly Parameter[]): Field[] {
  const needed = all
    .filter(({ required }) => required)
    .map(({ name, schema }) => [name, sampleOf(schema as JsonSchema, document)]);
  const others = Object.fromEntries(needed) as Record<string, unknown>;
  const free = all.filter(({ schema }) => isFreeText(resolve(schema)));
  return free.map(({ name }) => ({ ...where, name, others }));
}

function send({ method, path, place, name, others }: Field, text: string) {
  const client = api.http();
  const request = client[method](path.replace(/\{\w+\}/g, randomUUID())).set(token);
  const values = { ...others, [name]: text };
  if (place === 'body') return request.send(values);
  return method === 'put'
    ? request.query(values).set('Content-Type', 'application/octet-stream').send('{"traceEvents": []}')
    : request.query(values);
}

describe('text that cannot be shown on a line', () => {
  it('is looked for in every free text of the API', () => {
    const names = freeTexts().map(({ method, path, name }) => `${method} ${path} ${name}`);
    expect(names).toEqual(
      expect.arrayContaining(['get /v1/runs model', 'post /v1/tokens name', 'put /v1/ingest name']),
    );
    expect(names.length).toBeGreaterThan(14);
  });

  it.each(Object.entries(KINDS))('%s is refused wherever it would reach the database', async (kind, text) => {
    for (const field of freeTexts()) {
      const { method, path, place, name } = field;
      // An address cannot carry it: its bytes are no UTF-8.
      if (place === 'query' && kind === 'half a surrogate pair') continue;
      const response = await send(field, text);
      const where = `${method.toUpperCase()} ${path} ${name}`;
      if (NOT_STORED.includes(where)) {
        expect([where, response.status < 500]).toEqual([where, true]);
        continue;
      }
      const { errors } = expectProblem(response, 'validation-failed');
      expect([where, errors?.map((item) => item.field)]).toEqual([where, expect.arrayContaining([name])]);
    }
  });

  it('is refused inside lists and free metadata too', async () => {
    for (const text of Object.values(KINDS)) {
      const run = { model: 'm', cluster: 'c', tags: [text] };
      expectProblem(await api.http().post('/v1/runs').set(token).send(run), 'validation-failed');
    }
    for (const text of [KINDS.NUL, KINDS['half a surrogate pair']]) {
      for (const metadata of [{ a: text }, { [text]: 1 }, { a: [{ b: text }] }]) {
        const run = { model: 'm', cluster: 'c', metadata };
        expectProblem(await api.http().post('/v1/runs').set(token).send(run), 'validation-failed');
      }
    }
  });

  it('is not what other scripts are', async () => {
    for (const model of ['модель', 'モデル', 'نموذج', 'm😀', "o'neil; DROP TABLE runs", '%_\\']) {
      const { body } = await api.http().post('/v1/runs').set(token).send({ model, cluster: 'c' }).expect(201);
      const page = await api.http().get('/v1/runs').set(token).query({ model }).expect(200);
      expect((page.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([
        (body as { id: string }).id,
      ]);
    }
  });
});
