import { z } from 'zod';
import { helpOf } from '../../api/openapi.ts';
import { previewLimit } from '../../recall/hit.ts';
import { harmlessLine } from '../../text/fence.ts';
import * as projectAnswers from '../../wire/answers/project.ts';
import * as teamAnswers from '../../wire/answers/team.ts';
import { findMemory } from '../memories/find-memory.ts';
import { checkPermission, forReaders } from '../people/permissions.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const maxRelated = 6;
const defaultDays = 90;

/** Data for the viewer: one memory, statistics. */
export const browseRoutes: TeamRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/api/v1/memory/:id',
    alias: '/api/memory/:id',
    name: 'getMemory',
    answers: teamAnswers.openedMemory,
    summary: 'One memory with its author, what it mentions, and related memories.',
    params: z.object({ id: uuidShape }),
    async answer({ store }, { id }, token) {
      const project = await store.projectOf(token, id);
      return store.inProject(token, project, async ({ member, browse }) => {
        checkPermission(member, forReaders);
        return {
          memory: await findMemory(browse, id),
          related: (await browse.related(id, maxRelated)).map(({ memory: other, shared }) => ({
            documentId: other.documentId,
            kind: other.kind,
            source: other.source,
            trust: other.trust,
            title: harmlessLine(other.text, previewLimit),
            shared,
          })),
        };
      });
    },
  }),
  teamRoute({
    method: 'GET',
    path: '/api/v1/projects/:id/stats',
    name: 'getStats',
    answers: teamAnswers.teamStats,
    summary: 'Counts the memories that you can read, by source, kind, author and day.',
    params: z.object({ id: uuidShape, days: z.int().min(1).max(3_650).default(defaultDays) }),
    answer: ({ store }, { id, days }, token) =>
      store.inProject(token, id, async ({ member, browse }) => {
        checkPermission(member, forReaders);
        return { project: await browse.project(), days, ...(await browse.counts(days)) };
      }),
  }),
];

/**
 * The route that explains the search API. `all` returns all routes that require a token, from which it lists those
 * for searching.
 */
export const teamHelpRoutes = (all: () => TeamRoute[]): TeamRoute[] => [
  teamRoute({
    method: 'GET',
    path: '/api/projects/:id/search/help',
    name: 'searchHelp',
    answers: projectAnswers.searchHelp,
    summary: 'The routes of search, their parameters and examples.',
    params: z.object({ id: uuidShape }),
    async answer({ store, version }, { id }, token) {
      checkPermission(await store.member(token, id), forReaders);
      return {
        title: 'Backstory search',
        version,
        authorization: 'Authorization: Bearer TOKEN',
        steps: [
          'Search with format=index for one line per result.',
          'See what happened around a result with /api/projects/ID/context/timeline?anchor=ID.',
          'Open the results you need with format=full, or GET /api/v1/memory/ID.',
        ],
        endpoints: all()
          .filter(({ path }) => isSearch.test(path))
          .map(helpOf),
      };
    },
  }),
];

const isSearch =
  /^\/api\/(?:v1\/)?(?:memory\/:id$|projects\/:id\/(?:memory\/search|search|context|timeline|recall))/;
