import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../http/routes.ts';
import { teamRoutes } from '../team/http/routes.ts';
import { type Alias, aliasRoutes } from './aliases.ts';

const real = {
  name: 'findThings',
  answers: z.unknown(),
  method: 'GET' as const,
  path: '/api/things/find',
  summary: 'Ours.',
  allowed: ['reader'],
  params: z.object({ text: z.string().max(5), project: z.string().optional() }),
  answer: async (parts: string, asked: Record<string, unknown>, caller: string) => ({
    said: [parts, asked, caller],
  }),
};
const alias: Alias<{ said: unknown[] }> = {
  name: 'searchTheirs',
  answers: z.unknown(),
  path: 'theirs/search',
  summary: 'Theirs.',
  params: { query: z.string() },
  keeps: ['project'],
  toParams: ({ query, ...same }) => ({ ...same, text: query }),
  answer: ({ said }, { query }) => ({ query, said }),
};

describe('an alias of a route', () => {
  const [route] = aliasRoutes(real, [alias]);

  it('calls the real route and maps parameters and answer', async () => {
    expect(route).toMatchObject({ path: '/api/things/theirs/search', summary: 'Theirs.' });
    expect(Object.keys(route?.params.shape ?? {})).toEqual(['project', 'query']);
    expect(await route?.answer('parts', { query: 'x', project: 'p' }, 'ann')).toEqual({
      query: 'x',
      said: ['parts', { text: 'x', project: 'p' }, 'ann'],
    });
  });

  it('has the access rules and the validation of the real route', async () => {
    expect(route).toMatchObject({ method: 'GET', allowed: ['reader'] });
    await expect(route?.answer('parts', { query: 'too long' }, 'ann')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('has a path of its own, on both servers', () => {
    for (const all of [routes, teamRoutes]) {
      const names = all.map(({ method, path }) => `${method} ${path}`);
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
      const operations = all.map(({ name }) => name);
      expect(operations.filter((name, at) => operations.indexOf(name) !== at)).toEqual([]);
    }
  });
});
