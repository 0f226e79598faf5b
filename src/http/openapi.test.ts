import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../api/openapi.ts';
import { teamOpenApi } from '../team/http/app.ts';
import { routes } from './routes.ts';

interface Operation {
  operationId: string;
  tags: string[];
  description: string;
  parameters: { name: string; description?: string }[];
  responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }>;
}

describe.each([
  ['serve', openApiDocument(routes, '1')],
  ['the team server', teamOpenApi('1')],
])('the OpenAPI document of %s', (_server, document) => {
  const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap(
    (path) => Object.values(path),
  );

  it('has a schema for every answer', () => {
    expect(operations.length).toBeGreaterThan(30);
    const bare = operations.filter(({ responses }) =>
      Object.values(responses)
        .flatMap(({ content = {} }) => Object.values(content))
        .some(
          ({ schema }) => schema.$ref === undefined && schema.type !== 'string' && schema.anyOf === undefined,
        ),
    );
    // What MCP answers is described by its own protocol.
    expect(bare.map(({ operationId }) => operationId).filter((name) => !/mcp/i.test(name))).toEqual([]);
  });

  it('refers only to schemas that it defines', () => {
    const { schemas } = document.components as { schemas: Record<string, unknown> };
    const used = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(used.filter((name) => schemas[name as string] === undefined)).toEqual([]);
    expect(Object.keys(schemas).length).toBeGreaterThan(20);
  });

  it('has a tag and a description for each operation, and a description for each parameter', () => {
    for (const { operationId, tags, description, parameters } of operations) {
      expect(tags, operationId).toHaveLength(1);
      expect(description, operationId).not.toBe('');
      const bare = parameters.filter((parameter) => !parameter.description).map(({ name }) => name);
      expect(bare, operationId).toEqual([]);
    }
  });

  it('names each operation once', () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
