import { z } from 'zod';
import { previewLimit } from '../../domain/hit.ts';
import type { ShownMemory } from '../../domain/shown-memory.ts';
import { helpOf } from '../../http/help.ts';
import { harmlessLine } from '../../text/fence.ts';
import { findMemory } from '../memories/find-memory.ts';
import { graphOfTeam, maxMemoryNodes } from '../memories/graph.ts';
import { checkPermission, forReaders } from '../people/permissions.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const maxNodes = 5_000;
const defaultNodes = 1_000;
const linksPerNode = 10;
/** Enough for a label, and not the whole of thousands of texts. */
const maxDrawnLength = 500;
const maxRelated = 6;
const defaultDays = 90;

/** What a page about a team's memory shows: one memory, numbers, a picture. */
export const browseRoutes: TeamRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/api/memory/:id',
    summary: 'One memory with whose it is, what it speaks of, its history and its neighbours.',
    allowed: forReaders,
    asks: z.object({ id: uuidShape }),
    async answer({ store }, { id }, token) {
      const project = await store.projectOf(token, id);
      return store.inProject(token, project, async ({ member, browse }) => {
        checkPermission(member, forReaders);
        const memory = await findMemory(browse, id);
        return {
          memory,
          links: (await browse.links([id], 100)).map(({ relation, target }) => ({ relation, target })),
          history: historyOf(memory),
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
    path: '/api/projects/:id/stats',
    summary: 'How many memories there are, by source, kind, author and day; of what you may read.',
    allowed: forReaders,
    asks: z.object({ id: uuidShape, days: z.int().min(1).max(3_650).default(defaultDays) }),
    answer: ({ store }, { id, days }, token) =>
      store.inProject(token, id, async ({ member, browse }) => {
        checkPermission(member, forReaders);
        return { project: await browse.project(), days, ...(await browse.counts(days)) };
      }),
  }),
  teamRoute({
    method: 'GET',
    path: '/api/projects/:id/graph',
    summary: 'The newest memories, the files, issues and concepts they speak of, and what connects them.',
    allowed: forReaders,
    asks: z.object({ id: uuidShape, limit: z.int().min(1).max(maxNodes).default(defaultNodes) }),
    answer: ({ store }, { id, limit }, token) =>
      store.inProject(token, id, async ({ member, browse }) => {
        checkPermission(member, forReaders);
        const { memories, hasMore } = await browse.list(
          {},
          { limit: maxMemoryNodes(limit), offset: 0, longestText: maxDrawnLength },
        );
        const links = await browse.links(
          memories.map(({ documentId }) => documentId),
          limit * linksPerNode,
        );
        return graphOfTeam(memories, links, { maxNodes: limit, hasMore });
      }),
  }),
];

/** Earlier texts are not kept; that there were some is. */
const historyOf = ({ created, updated, revision }: ShownMemory) => [
  { action: 'create', rev: 1, at: Date.parse(created) },
  ...(revision > 1 ? [{ action: 'edit', rev: revision, at: Date.parse(updated) }] : []),
];

/** `all` is every route that takes a token. */
export const teamHelpRoutes = (all: () => TeamRoute[]): TeamRoute[] => [
  teamRoute({
    method: 'GET',
    path: '/api/projects/:id/search/help',
    summary: 'The routes of search, their parameters and examples.',
    allowed: forReaders,
    asks: z.object({ id: uuidShape }),
    async answer({ store, version }, { id }, token) {
      checkPermission(await store.member(token, id), forReaders);
      return {
        title: 'Backstory search',
        version,
        authorization: 'Authorization: Bearer, with your token',
        steps: [
          'Ask with format=index: a line of each result.',
          'Look around one with /api/projects/ID/context/timeline?anchor=ID.',
          'Open what matters with format=full, or GET /api/memory/ID.',
        ],
        endpoints: all()
          .filter(({ path }) => isSearch.test(path))
          .map(helpOf),
      };
    },
  }),
];

const isSearch = /^\/api\/(?:memory\/:id$|projects\/:id\/(?:memory\/search|search|context|timeline|recall))/;
