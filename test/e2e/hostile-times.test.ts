import { type OpenAPIObject } from '@nestjs/swagger';
import { randomUUID } from 'node:crypto';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';
import {
  type ApiOperation,
  type JsonSchema,
  operationsOf,
  resolve,
  sampleOf,
} from '../harness/openapi-operations';

const REFUSED = [
  ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z'],
  ...['1970-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '10000-01-01T00:00:00Z'],
  ...['+275760-09-13T00:00:00Z', '+275761-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-06-30T23:59:60Z'],
  ...['2026-01-01T24:00:00Z', '2026-01-01T00:00:00+24:00', '2026-01-01', '2026-01-01T00:00:00', ''],
  ...['infinity', '-infinity', 'epoch', 'now', '1e999', '٢٠٢٦-01-01T00:00:00Z', '2026-01-01T00:00:00Z BC'],
];
const TAKEN = [
  ...['1970-01-01T00:00:00Z', '1969-12-31T23:59:59-00:01', '9999-12-31T23:59:59.999Z'],
  ...['2026-01-01T23:59:59+23:59', `2026-01-01T00:00:00.${'9'.repeat(1_000)}Z`],
];

/** Times that have bounds of their own: not in the future, not in the past, or not more than a year. */
const BOUND_BESIDES = [
  'GET /v1/fleet from',
  'POST /v1/runs startedAt',
  'PUT /v1/ingest startedAt',
  'POST /v1/regressions/{id}/mute until',
];

/** A time that an operation takes: where it stands, and a request with it. */
interface TimeField {
  where: string;
  field: string;
  send: (time: string) => ReturnType<ReturnType<InProcessApi['http']>['get']>;
}

let api: InProcessApi;
let admin: { Authorization: string };
let document: OpenAPIObject;

beforeAll(async () => {
  api = await startInProcessApi();
  const { teamId } = await api.createTeam();
  admin = await api.tokenHeader(teamId, ['admin', 'runs:read', 'runs:write', 'gates:evaluate']);
  document = (await api.http().get('/openapi.json').expect(200)).body as OpenAPIObject;
});
afterAll(() => api.stop());

const isTime = ({ format }: JsonSchema) => format === 'date-time' || format === 'date';
const choicesOf = (schema: JsonSchema) => [schema, ...((schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[])];
const takesTime = (schema: JsonSchema) => choicesOf(resolve(schema, document)).some(isTime);

/** Every time in every query and body that the document knows: a new one is tested without being named here. */
function timeFields(): TimeField[] {
  return operationsOf(document).flatMap((operation) => [
    ...timesInQuery(operation),
    ...timesInBody(operation),
  ]);
}

function call({ method, path }: ApiOperation) {
  const client = api.http();
  return client[method](path.replace(/\{\w+\}/g, () => randomUUID())).set(admin);
}

function timesInQuery(operation: ApiOperation): TimeField[] {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const needed = query
    .filter(({ required }) => required)
    .map(({ name, schema }) => [name, sampleOf(schema, document)]);
  return query
    .filter(({ schema }) => takesTime(schema))
    .map(({ name }) => ({
      where: `${operation.name} ${name}`,
      field: name,
      send: (time) => call(operation).query({ ...Object.fromEntries(needed), [name]: time }),
    }));
}

function timesInBody(operation: ApiOperation): TimeField[] {
  const { body } = operation;
  if (!body) return [];
  return pathsOfTimes(body).map((path) => ({
    where: `${operation.name} ${path.join('.')}`,
    field: path.join('.'),
    send: (time) => call(operation).send(withTime(sampleOf(body, document), path, time)),
  }));
}

function pathsOfTimes(schema: JsonSchema): string[][] {
  return choicesOf(resolve(schema, document)).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, property]) =>
      takesTime(property) ? [[name]] : pathsOfTimes(property).map((path) => [name, ...path]),
    ),
  );
}

function withTime(sample: unknown, [name, ...rest]: string[], time: string): object {
  const object = (sample ?? {}) as Record<string, unknown>;
  return { ...object, [name]: rest.length ? withTime(object[name], rest, time) : time };
}

describe('times from outside', () => {
  it('are looked for in every operation', () => {
    expect(timeFields().map(({ where }) => where)).toEqual(
      expect.arrayContaining([
        ...['GET /v1/audit-log from', 'GET /v1/audit-log to'],
        ...['GET /v1/runs createdFrom', 'GET /v1/runs createdTo'],
      ]),
    );
    const nested = { type: 'object', properties: { a: { properties: { b: { format: 'date-time' } } } } };
    expect(pathsOfTimes(nested)).toEqual([['a', 'b']]);
    expect(withTime({ a: { c: 1 } }, ['a', 'b'], 'now')).toEqual({ a: { b: 'now', c: 1 } });
  });

  it.each(REFUSED)('are refused when Postgres cannot take them or they are none: %s', async (time) => {
    for (const { where, field, send } of timeFields()) {
      const { errors } = expectProblem(await send(time), 'validation-failed');
      expect([where, errors?.map((item) => item.field)]).toEqual([where, expect.arrayContaining([field])]);
    }
  });

  it.each(TAKEN)('are taken up to the bounds: %s', async (time) => {
    for (const { where, field, send } of timeFields()) {
      const { status, text } = await send(time);
      const isRefused = text.includes(`"field":"${field}"`) && !BOUND_BESIDES.includes(where);
      expect([where, status < 500, isRefused]).toEqual([where, true, false]);
    }
  });
});
