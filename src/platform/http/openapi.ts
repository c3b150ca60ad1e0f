import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { cleanupOpenApiDoc } from 'nestjs-zod';
import { z } from 'zod';
import { problemMediaType, problemSchema } from '../errors';
import { publicExtension, scopesExtension } from './public';

/** The version of the HTTP contract; the first number changes with incompatible changes and stands in the paths. */
const contractVersion = '1.0.0';
const methods = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'] as const;
const description =
  'Finds out where the step time of a deep-learning training run goes. Upload the profiler output of a run, and ' +
  'read what holds it back, with evidence. Every error is application/problem+json.';

/** The OpenAPI document of an application. Needs no server: the application may be created and never started. */
export function buildOpenApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Stallscope')
    .setDescription(description)
    .setVersion(contractVersion)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      description: 'An API token (sst_…) or an access token.',
    })
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (_controller, method) => method,
  });
  return describeProblems(withPlainNames(cleanupOpenApiDoc(withNullableTypes(document))));
}

/** Serves the document at /openapi.json and a page to try it at /docs. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => buildOpenApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    swaggerOptions: { persistAuthorization: false, validatorUrl: null },
    customSiteTitle: 'Stallscope API',
  });
}

/** The mark that nestjs-zod leaves on a property whose type is not one word, and takes off when it cleans up. */
const compositeTypeMark = 'x-nestjs_zod-empty-type';

/**
 * Mends types such as string or null: zod gives a list of two types, which the framework takes for the type of a list.
 */
function withNullableTypes(document: OpenAPIObject): OpenAPIObject {
  for (const schema of Object.values(document.components?.schemas ?? {})) {
    const properties = 'properties' in schema ? Object.values(schema.properties ?? {}) : [];
    for (const property of properties as Record<string, unknown>[]) {
      const items = property.items as { type?: unknown } | undefined;
      if (property[compositeTypeMark] !== true || property.type !== 'array' || !items) continue;
      property.type = [items.type, 'null'];
      delete property.items;
      delete property[compositeTypeMark];
    }
  }
  return document;
}

/**
 * Names schemas as the domain does: `Token`, not `TokenDto_Output`. Where a schema differs between request and answer,
 * the answer keeps its suffix.
 */
function withPlainNames(document: OpenAPIObject): OpenAPIObject {
  const names = Object.keys(document.components?.schemas ?? {});
  const plain = new Map<string, string>();
  for (const name of names) {
    const wanted = name.replace(/_Output$/, '').replace(/Dto$/, '');
    const taken = names.some(
      (other) => other !== name && other.replace(/_Output$/, '').replace(/Dto$/, '') === wanted,
    );
    plain.set(name, taken ? name.replace('Dto', '') : wanted);
  }
  const text = JSON.stringify(document, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string')
      return value.replace(/[^/]+$/, (name) => plain.get(name) ?? name);
    if (key !== 'schemas') return value;
    const renamed = Object.entries(value as object).map(([name, schema]) => [
      plain.get(name) ?? name,
      schema as unknown,
    ]);
    return Object.fromEntries(renamed) as unknown;
  });
  return JSON.parse(text) as OpenAPIObject;
}

function describeScopes(scopes: unknown[]): string {
  return scopes.length > 0 ? `Needs scope ${scopes.join(', ')}.` : 'Needs a credential with any scope.';
}

/** Adds the problem answer to every operation, and takes the credential off the public ones. */
function describeProblems(document: OpenAPIObject): OpenAPIObject {
  const { $schema: _, ...schema } = z.toJSONSchema(problemSchema);
  document.components ??= {};
  document.components.schemas = { ...document.components.schemas, Problem: schema as never };
  for (const path of Object.values(document.paths)) {
    for (const operation of methods.flatMap((method) => path[method] ?? [])) {
      operation.responses.default = {
        description: 'A problem; `code` says which, see docs/problems.md.',
        content: { [problemMediaType]: { schema: { $ref: '#/components/schemas/Problem' } } },
      };
      const marks = operation as unknown as Record<string, unknown>;
      if (marks[publicExtension] === true) operation.security = [];
      if (Array.isArray(marks[scopesExtension]))
        operation.description ??= describeScopes(marks[scopesExtension]);
      delete marks[publicExtension];
    }
  }
  return document;
}
