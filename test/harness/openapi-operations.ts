import { type OpenAPIObject } from '@nestjs/swagger';

export type JsonSchema = Record<string, unknown> & {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  example?: unknown;
};

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  schema: JsonSchema;
}

/** One operation of the document, with what it takes to call it. */
export interface ApiOperation {
  name: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With its parameters in braces. */
  path: string;
  tags: string[];
  summary: string | undefined;
  security: unknown;
  parameters: Parameter[];
  responses: Record<string, { description?: string; content?: Record<string, { schema?: JsonSchema }> }>;
  /** Schema of the JSON body; undefined when there is none. */
  body: JsonSchema | undefined;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every operation of the document. */
export function operationsOf(document: OpenAPIObject): ApiOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): ApiOperation[] => {
      const operation = item[method];
      if (!operation) return [];
      const body = operation.requestBody as { content: Record<string, { schema: JsonSchema }> } | undefined;
      return [
        {
          name: `${method.toUpperCase()} ${path}`,
          ...{ method, path, tags: operation.tags ?? [], summary: operation.summary },
          security: operation.security,
          parameters: (operation.parameters ?? []) as Parameter[],
          responses: operation.responses as ApiOperation['responses'],
          body: body?.content['application/json']?.schema,
        },
      ];
    }),
  );
}

/** Something that the schema allows: its example, its default, or what its type and format ask for. */
export function sampleOf(schema: JsonSchema, document: OpenAPIObject): unknown {
  const resolved = resolve(schema, document);
  for (const word of ['example', 'default', 'const'] as const) {
    if (resolved[word] !== undefined) return resolved[word];
  }
  if (resolved.enum) return resolved.enum[0];
  const choices = (resolved.anyOf ?? resolved.oneOf) as JsonSchema[] | undefined;
  if (choices) return sampleOf(choices[0], document);
  const type = Array.isArray(resolved.type) ? resolved.type[0] : resolved.type;
  if (type === 'object') return sampleObject(resolved, document);
  if (type === 'array') return resolved.minItems ? [sampleOf(resolved.items ?? {}, document)] : [];
  if (type === 'integer' || type === 'number') return Math.max(1, Number(resolved.minimum ?? 1));
  if (type === 'boolean') return true;
  return sampleText(resolved);
}

/** Required properties, and those with an example: a change of nothing may be refused. */
function sampleObject(schema: JsonSchema, document: OpenAPIObject): Record<string, unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const isNeeded = (name: string, property: JsonSchema) =>
    (schema.required ?? []).includes(name) || resolve(property, document).example !== undefined;
  const needed = properties.filter(([name, property]) => isNeeded(name, property));
  return Object.fromEntries(needed.map(([name, property]) => [name, sampleOf(property, document)]));
}

function sampleText({ format, minLength, pattern }: JsonSchema): string {
  if (format === 'email') return 'somebody@example.org';
  if (format === 'uuid') return '01890a5d-ac96-774b-bcce-b302099a8057';
  if (format === 'uri') return 'https://example.org/';
  if (typeof pattern === 'string' && pattern.includes('{64}')) return 'a'.repeat(64);
  return 'x'.repeat(Math.max(1, Number(minLength ?? 1)));
}

/** The schema that a reference names, or the schema itself. */
export function resolve(schema: JsonSchema, document: OpenAPIObject): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  const name = schema.$ref.split('/').at(-1) ?? '';
  const found = document.components?.schemas?.[name] as JsonSchema | undefined;
  if (!found) throw new Error(`The document has no schema ${name}.`);
  return resolve(found, document);
}
