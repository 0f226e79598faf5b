import { z } from 'zod';
import type { RouteShape } from './route.ts';

type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, Record<string, unknown>>;
  required?: string[];
};

/** The OpenAPI document, generated from the schemas that validate requests. */
export function openApiDocument(routes: RouteShape[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
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
      schemas: { Error: errorSchema },
    },
  };
}

export function inputSchemaOf({ params }: RouteShape): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(params, { io: 'input' });
  return schema as JsonSchema;
}

export const pathParameters = ({ path }: RouteShape): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);

function operationOf(route: RouteShape) {
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
    summary: route.summary,
    operationId: `${route.method.toLowerCase()}${route.path.replaceAll(/[^A-Za-z]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
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
      200: { description: 'The answer', content: { 'application/json': { schema: { type: 'object' } } } },
      ...(route.method === 'GET' ? { 304: { description: 'Not modified since the given ETag' } } : {}),
      default: {
        description: 'Error, with a suggested action',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

const errorSchema = {
  type: 'object',
  required: ['version', 'error'],
  properties: {
    version: { const: '1' },
    error: {
      type: 'object',
      required: ['code', 'message', 'retryable', 'suggested_action'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        retryable: { type: 'boolean' },
        suggested_action: { type: 'string' },
      },
    },
  },
};
