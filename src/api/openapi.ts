import { z } from 'zod';
import { problem } from '../wire/answers/problem.ts';
import { parameterDescriptions } from './parameter-descriptions.ts';
import { problemType } from './problem.ts';
import type { RouteShape } from './route.ts';

type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, Record<string, unknown>>;
  required?: string[];
};

export function openApiDocument(routes: RouteShape[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, JsonSchema> = {};
  schemaOf(problem, schemas);
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Backstory',
      version,
      description: 'Memory and code context of your projects, on this machine only.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { login: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token in ~/.backstory/serve.token' },
        login: { type: 'apiKey', in: 'cookie', name: 'backstory-PORT', description: 'Set by `backstory ui`' },
      },
      schemas,
    },
  };
}

export function inputSchemaOf({ params }: RouteShape): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(params, { io: 'input' }) as JsonSchema;
  const described = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const description = property.description ?? parameterDescriptions[name];
    return [name, description === undefined ? property : { ...property, description }];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}

/** The schema of an answer. Named schemas are added to `schemas` and referred to. */
function schemaOf(answers: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  // In a property, because a named schema is written out where it is the root.
  const root = z.toJSONSchema(z.object({ answers }), { io: 'input', override: simplify });
  const { properties, $defs = {} } = forComponents(root) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };
  for (const [name, { id: _, ...schema }] of Object.entries($defs)) schemas[name] = schema;
  return properties?.answers as JsonSchema;
}

/**
 * Later versions may add fields, so the description does not forbid them. Tests check that there are none. The format
 * `date-time` says what zod's pattern says.
 */
function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}

const forComponents = (schema: object): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

export const pathParameters = ({ path }: RouteShape): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);

/** The resource of a route: `/api/v1/notes/{id}/pin` is about notes. */
const tagOf = ({ path }: RouteShape): string =>
  path.split('/').find((part) => !['', 'api', 'v1', 'orgs', 'projects', ':id', ':org'].includes(part)) ??
  'projects';

function operationOf(route: RouteShape, schemas: Record<string, JsonSchema>) {
  const { properties = {}, required = [] } = inputSchemaOf(route);
  const named = pathParameters(route);
  const hasBody = route.method === 'POST' || route.method === 'PATCH';
  const others = Object.entries(properties).filter(([name]) => !named.includes(name));
  const parameter =
    (place: 'path' | 'query') =>
    ([name, { description, ...schema }]: [string, Record<string, unknown>]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    });
  const body = {
    type: 'object',
    properties: Object.fromEntries(others),
    required: required.filter((name) => !named.includes(name)),
  };
  return {
    tags: [tagOf(route)],
    summary: route.summary.split(/(?<=[.:;]) /)[0],
    description: route.summary,
    operationId: route.name,
    parameters: [
      ...named.map((name) => parameter('path')([name, properties[name] ?? { type: 'string' }])),
      ...(hasBody ? [] : others.map(parameter('query'))),
    ],
    ...(hasBody && others.length > 0
      ? {
          requestBody: {
            required: body.required.length > 0,
            content: { 'application/json': { schema: body } },
          },
        }
      : {}),
    responses: {
      [route.status ?? 200]: {
        description: 'The answer',
        content: { [route.media ?? 'application/json']: { schema: schemaOf(route.answers, schemas) } },
      },
      ...(route.method === 'GET' ? { 304: { description: 'Not modified since the given ETag' } } : {}),
      '4XX': problemAnswer('The request is not valid or not allowed, or what it names does not exist'),
      '5XX': problemAnswer('The server failed or is overloaded'),
    },
  };
}

const problemAnswer = (description: string) => ({
  description,
  content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** A route as `search/help` describes it. */
export function helpOf(one: RouteShape) {
  const { properties = {}, required = [] } = inputSchemaOf(one);
  return {
    method: one.method,
    path: one.path,
    description: one.summary,
    parameters: Object.entries(properties).map(
      ([name, { type, enum: values, default: defaultValue, description }]) => ({
        name,
        type: type ?? 'string',
        required: required.includes(name) && defaultValue === undefined,
        ...(values === undefined ? {} : { values }),
        ...(defaultValue === undefined ? {} : { default: defaultValue }),
        ...(description === undefined ? {} : { description }),
      }),
    ),
  };
}
