import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { defaultLimit } from '../../domain/hit.ts';
import type { ShownMemory } from '../../domain/shown-memory.ts';
import { answerFormats, hitRecord } from '../../recall/render.ts';
import { checkAllowed, forReaders } from '../../team/allowed.ts';
import { memoryChunk } from '../../team/memory-chunk.ts';
import type { TeamParts } from '../../team/parts.ts';
import { recallTeam } from '../../team/recall.ts';
import { offsetOf } from '../../wire/offset.ts';
import { recallShape } from '../../wire/recall.ts';
import { sourceShape, teamFilterFromWords, teamFilterShape } from '../../wire/team.ts';
import { nextOf, resultsOf } from '../results.ts';
import { cursorShape } from '../shapes.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

/**
 * The search of `serve` over a team's memory, by the same names and with the same answers. What only a team knows of a
 * memory stands beside it, in `memory`.
 */
const mostOffset = 10_000;
const offset = z.int().min(0).max(mostOffset).optional();
const source = z.array(sourceShape).optional().describe('Only of these; may be given several times');
const query = z.string().max(20_000);

export const recallRoutes: TeamRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/api/projects/:id/recall',
    summary: 'What the team knows about a question, best first, with the reason for each hit.',
    allowed: forReaders,
    asks: z.object({
      id: uuidShape,
      query: query.optional().describe('What to find, in plain words or identifiers'),
      q: query.optional().describe('The same, shorter'),
      ...teamFilterShape,
      source,
      format: recallShape.format,
      limit: recallShape.limit,
      offset,
    }),
    async answer(parts, { id, query: long, q, limit = defaultLimit, offset: from = 0, ...asked }, token) {
      const text = (long ?? q ?? '').trim();
      if (text === '') throw new AppError('INVALID_QUERY', 'what should be recalled?', { hint: '?query=…' });
      const { format, source: sources, ...words } = asked;
      const now = parts.clock.now();
      const filter = teamFilterFromWords({ ...words, sources }, now);
      const found = await recallTeam(await searching(parts), token, id, {
        text,
        filter,
        limit,
        offset: from,
        now,
      });
      return {
        ...found,
        hits: found.hits.map(({ memory, ...hit }) => {
          const { text: whole, ...record } = hitRecord(hit);
          return { ...record, ...(format === 'index' ? {} : { text: whole }), memory: detailsOf(memory) };
        }),
        ...(found.truncated ? { next_offset: from + found.hits.length } : {}),
      };
    },
  }),
  teamRoute({
    method: 'GET',
    path: '/api/projects/:id/search/observations',
    summary: 'Everything the team knows, best first.',
    allowed: forReaders,
    asks: z.object({
      id: uuidShape,
      query: query.min(1),
      type: z.string().max(500).optional().describe('Kinds, separated by commas'),
      concept: z.string().max(500).optional(),
      filePath: z.string().max(4_000).optional().describe('A path, or the end of one'),
      since: teamFilterShape.since,
      until: teamFilterShape.until,
      author: teamFilterShape.author,
      source,
      ...cursorShape,
      offset,
      format: z.enum(answerFormats).default('index'),
    }),
    async answer(parts, { id, query: text, limit, format, ...asked }, token) {
      const { type, filePath, source: sources, cursor, offset: given, ...words } = asked;
      const now = parts.clock.now();
      const from = given ?? offsetOf(cursor);
      const filter = teamFilterFromWords({ ...words, kind: type, file: filePath, sources }, now);
      const { hits, ...found } = await recallTeam(await searching(parts), token, id, {
        text,
        filter,
        limit,
        offset: from,
        now,
      });
      return {
        project: found.project.name,
        query: text,
        match: found.match,
        ...shown(
          hits.map(({ memory, ...hit }) => ({ memory, found: hit })),
          format,
        ),
        ...nextOf(found.truncated, from + hits.length),
      };
    },
  }),
  ...[
    {
      name: 'by-type',
      what: 'Everything of one kind',
      shape: { type: z.string().min(1).max(500).describe('Kinds, separated by commas') },
      words: ({ type }: Record<string, string>) => ({ kind: type }),
    },
    {
      name: 'by-concept',
      what: 'Everything about one matter',
      shape: { concept: z.string().min(1).max(500) },
      words: ({ concept }: Record<string, string>) => ({ concept }),
    },
    {
      name: 'by-file',
      what: 'Everything about one file',
      shape: { filePath: z.string().min(1).max(4_000).describe('A path, or the end of one') },
      words: ({ filePath }: Record<string, string>) => ({ file: filePath }),
    },
  ].map(({ name, what, shape, words }) =>
    teamRoute({
      method: 'GET',
      path: `/api/projects/:id/search/${name}`,
      summary: `${what}, the one changed last first.`,
      allowed: forReaders,
      asks: z.object({
        id: uuidShape,
        ...shape,
        since: teamFilterShape.since,
        until: teamFilterShape.until,
        author: teamFilterShape.author,
        source,
        ...cursorShape,
        offset,
        format: z.enum(answerFormats).default('index'),
      }),
      answer({ store, clock }, asked, token) {
        const { id, limit, cursor, offset: given, format, source: sources, since, until, author } = asked;
        const from = given ?? offsetOf(cursor);
        const named = words(asked as unknown as Record<string, string>);
        const filter = teamFilterFromWords({ ...named, since, until, author, sources }, clock.now());
        return store.inProject(token, id, async ({ member, browse }) => {
          checkAllowed(member, forReaders);
          const { memories, hasMore } = await browse.list(filter, { limit, offset: from });
          const listed = memories.map((memory) => ({ memory, found: { chunk: memoryChunk(memory) } }));
          return {
            project: (await browse.project()).name,
            ...shown(listed, format),
            ...nextOf(hasMore && from + memories.length <= mostOffset, from + memories.length),
          };
        });
      },
    }),
  ),
];

export const searching = async ({ store, embedder }: TeamParts) => ({ store, embedder: await embedder() });

/** What a team knows of a memory beyond what one's own memory would say of it. */
export const detailsOf = ({ text: _, files: __, concepts: ___, ...memory }: ShownMemory) => memory;

type FoundMemory = { memory: ShownMemory; found: Parameters<typeof resultsOf>[0][number] };

function shown(all: FoundMemory[], format: (typeof answerFormats)[number]) {
  const { results, ...told } = resultsOf(
    all.map(({ found }) => found),
    format,
  );
  return {
    ...told,
    results: results.map((result, at) => {
      const { memory } = all[at] as FoundMemory;
      const about = { source: memory.source, author: memory.author?.name ?? null };
      return { ...result, ...(format === 'full' ? { memory: detailsOf(memory) } : about) };
    }),
  };
}
