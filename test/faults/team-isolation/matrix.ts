import { teamRoutes } from '../../../src/team/http/routes.ts';
import type { Asked } from '../../harness/team/app.ts';

/** Builds a request of a route for a given project and memory. */
export type RequestOf = (target: {
  project: string;
  memory: string;
}) => Omit<Asked, 'method' | 'authorization' | 'headers'>;

interface Case {
  request: RequestOf;
  about: 'project' | 'memory' | 'asker';
  writes: boolean;
}

/** Routes that read the project in their path. */
const readsOfProject = (asked: string[]): Record<string, Case> =>
  Object.fromEntries(
    asked.map((path) => [
      `GET /api/projects/:id/${path.split('?')[0]}`,
      {
        request: ({ project }) => ({ path: `/api/projects/${project}/${path}` }),
        about: 'project',
        writes: false,
      },
    ]),
  );

/** Requests of every route that takes a token, by its path without the version. */
const cases: Record<string, Case> = {
  'GET /api/projects/:id/memory/search': {
    request: ({ project }) => ({ path: `/api/projects/${project}/memory/search?q=marker+shared+words` }),
    about: 'project',
    writes: false,
  },
  'GET /api/projects/:id/memory': {
    request: ({ project }) => ({ path: `/api/projects/${project}/memory` }),
    about: 'project',
    writes: false,
  },
  'POST /api/projects/:id/memory': {
    request: ({ project }) => ({
      path: `/api/projects/${project}/memory`,
      body: { text: 'planted by a stranger' },
    }),
    about: 'project',
    writes: true,
  },
  'POST /api/projects/:id/memory/batch': {
    request: ({ project }) => ({
      path: `/api/projects/${project}/memory/batch`,
      body: { memories: [{ source: 'job', sourceRef: 'planted', text: 'planted by a stranger' }] },
    }),
    about: 'project',
    writes: true,
  },
  'POST /api/projects/:id/memory/reindex': {
    request: ({ project }) => ({ path: `/api/projects/${project}/memory/reindex`, body: {} }),
    about: 'project',
    writes: true,
  },
  ...readsOfProject([
    'recall?query=marker+shared+words',
    'search/observations?query=marker+shared+words',
    'search/by-type?type=note',
    'search/by-concept?concept=shared',
    'search/by-file?filePath=secret.ts',
    'search/help',
    'timeline?query=marker+shared+words',
    'context/timeline?anchor=2026-01-01',
    'timeline/by-query?query=marker+shared+words',
    'stats',
    'live',
  ]),
  'GET /api/memory/:id': {
    request: ({ memory }) => ({ path: `/api/memory/${memory}` }),
    about: 'memory',
    writes: false,
  },
  'POST /mcp/:id': {
    request: ({ project }) => ({
      path: `/mcp/${project}`,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'recall', arguments: { query: 'marker shared words' } },
      },
    }),
    about: 'project',
    writes: false,
  },
  'DELETE /api/memory/:id': {
    request: ({ memory }) => ({ path: `/api/memory/${memory}` }),
    about: 'memory',
    writes: true,
  },
  'POST /api/projects/:id/sync': {
    request: ({ project }) => ({
      path: `/api/projects/${project}/sync`,
      body: {
        notes: [
          {
            id: '01a1df6f-2e0f-7912-8215-1964a63b275a',
            kind: 'decision',
            text: 'planted by a stranger',
            concepts: [],
            files: [],
            created: '',
            updated: '',
            author: 'stranger',
            device: 'd',
            rev: 1,
            base: 0,
          },
        ],
        // A reader's notes are refused one by one, and a withdrawal with the whole request.
        removed: ['01a1df6f-2e0f-7912-8215-1964a63b275a'],
      },
    }),
    about: 'project',
    writes: true,
  },
  'POST /api/projects/:id/lifecycle': {
    request: ({ project }) => ({
      path: `/api/projects/${project}/lifecycle`,
      body: {
        event: 'issue:created',
        sourceRef: 'planted',
        updatedAt: '2026-01-01T00:00:00Z',
        title: 'planted by a stranger',
      },
    }),
    about: 'project',
    writes: true,
  },
  'GET /api/projects/:id/events': {
    request: ({ project }) => ({ path: `/api/projects/${project}/events` }),
    about: 'project',
    writes: false,
  },
  // The code of this request belongs to no device, so nobody can approve it.
  'POST /api/device/approve': {
    request: () => ({ path: '/api/device/approve', body: { code: 'BBBB-BBBB' } }),
    about: 'memory',
    writes: false,
  },
  'GET /api/projects': { request: () => ({ path: '/api/projects' }), about: 'asker', writes: false },
  'GET /api/me': { request: () => ({ path: '/api/me' }), about: 'asker', writes: false },
};

const inV1 = (text: string): string => text.replace('/api/', '/api/v1/');
const routeNames = new Set(teamRoutes.map(({ method, path }) => `${method} ${path}`));

/**
 * Every route that takes a token, with requests for it, its aliases too. A route that is missing here fails the
 * evaluation, so that every new route is tested with foreign credentials.
 */
export const matrix: Record<string, Case> = Object.fromEntries(
  Object.entries(cases)
    .flatMap(([name, one]): [string, Case][] => [
      [name, one],
      [inV1(name), { ...one, request: (target) => versioned(one.request(target)) }],
    ])
    .filter(([name]) => routeNames.has(name)),
);

const versioned = (asked: ReturnType<RequestOf>): ReturnType<RequestOf> => ({
  ...asked,
  path: inV1(asked.path),
});
