import { z } from 'zod';
import { asksOf, openApiDocument } from './openapi.ts';
import { type Route, type RouteShape, route } from './route.ts';

/** What the routes of search say of themselves; `all` is everything that is answered with JSON. */
export function helpRoutes(all: () => Route[]): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/search/help',
      summary: 'The routes of search, their parameters and examples.',
      asks: z.object({}),
      answer: async ({ version }) => ({
        title: 'Backstory search',
        version,
        authorization: 'Authorization: Bearer, with what stands in ~/.backstory/serve.token',
        steps: [
          'Ask with format=index: a line of each result.',
          'Look around one with /api/context/timeline?anchor=ID.',
          'Open what matters with format=full, or GET /api/notes/ID.',
        ],
        endpoints: all().filter(isSearch).map(helpOf),
      }),
    }),
    route({
      method: 'GET',
      path: '/api/openapi.json',
      summary: 'This, for programs.',
      asks: z.object({}),
      answer: async ({ version }) => openApiDocument(all(), version),
    }),
  ];
}

const isSearch = ({ path }: RouteShape): boolean =>
  /^\/(?:api\/(?:search|context|timeline|recall)|health)\b/.test(path);

export function helpOf(one: RouteShape) {
  const { properties = {}, required = [] } = asksOf(one);
  return {
    method: one.method,
    path: one.path,
    description: one.summary,
    parameters: Object.entries(properties).map(
      ([name, { type, enum: values, default: usual, description }]) => ({
        name,
        type: type ?? 'string',
        required: required.includes(name) && usual === undefined,
        ...(values === undefined ? {} : { values }),
        ...(usual === undefined ? {} : { default: usual }),
        ...(description === undefined ? {} : { description }),
      }),
    ),
  };
}
