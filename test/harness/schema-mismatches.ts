import { type OpenAPIObject } from '@nestjs/swagger';
import { type JsonSchema, resolve } from './openapi-operations';

/**
 * Where a value is not what a schema of the document says: types, required and unknown properties, choices. Not a whole
 * JSON Schema: what zod checks when it answers is not checked again.
 */
export function schemaMismatches(
  value: unknown,
  schema: JsonSchema,
  document: OpenAPIObject,
  path = '$',
): string[] {
  const known = resolve(schema, document);
  const choices = (known.anyOf ?? known.oneOf) as JsonSchema[] | undefined;
  if (choices) {
    const tried = choices.map((choice) => schemaMismatches(value, choice, document, path));
    return tried.some((mismatches) => mismatches.length === 0) ? [] : [`${path} fits no choice`];
  }
  const types = [known.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return [`${path} is ${JSON.stringify(value)?.slice(0, 40)}, not ${types.join(' or ')}`];
  }
  if (known.enum && !known.enum.includes(value)) return [`${path} is none of ${known.enum.join(', ')}`];
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => schemaMismatches(item, known.items ?? {}, document, `${path}[${i}]`));
  }
  return typeof value === 'object' && value !== null
    ? objectMismatches(value as Record<string, unknown>, known, document, path)
    : [];
}

function objectMismatches(
  value: Record<string, unknown>,
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  document: OpenAPIObject,
  path: string,
): string[] {
  const missing = required.filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`);
  const unknown = Object.keys(value).filter(
    (name) => !(name in properties) && additionalProperties === false,
  );
  const inside = Object.entries(properties).flatMap(([name, property]) =>
    name in value ? schemaMismatches(value[name], property, document, `${path}.${name}`) : [],
  );
  return [...missing, ...unknown.map((name) => `${path}.${name} is not in the schema`), ...inside];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
