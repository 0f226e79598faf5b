import { z } from 'zod';
import { helpOf, openApiDocument } from '../api/openapi.ts';
import type { RouteShape } from '../api/route.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { type Route, route } from './route.ts';

/** Routes that describe the API. `all` returns every route. */
export function helpRoutes(all: () => RouteShape[]): Route[] {
  return [
    route({
      path: '/api/search/help',
      name: 'searchHelp',
      answers: projectAnswers.searchHelp,
      summary: 'Search routes and their parameters.',
      params: z.object({}),
      answer: async ({ version }) => ({
        title: 'Backstory search',
        version,
        authorization: 'Authorization: Bearer TOKEN, with the token in ~/.backstory/serve.token',
        steps: [
          'Search with format=index: one line per result.',
          'See what happened around a result: /api/context/timeline?anchor=ID.',
          'Open results with format=full, or GET /api/v1/notes/ID.',
        ],
        endpoints: all().filter(isSearch).map(helpOf),
      }),
    }),
    route({
      path: '/api/v1/openapi.json',
      name: 'getOpenApi',
      answers: projectAnswers.openApi,
      summary: 'OpenAPI description of all routes.',
      params: z.object({}),
      answer: async ({ version }) => openApiDocument(all(), version),
    }),
  ];
}

const isSearch = ({ path }: RouteShape): boolean =>
  /^\/(?:api\/(?:v1\/)?(?:search|context|timeline|recall)|health)\b/.test(path);
