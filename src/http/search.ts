import { z } from 'zod';
import type { ChunkFilter } from '../domain/chunk.ts';
import { filterFromWords } from '../recall/filter-words.ts';
import { listChunks } from '../recall/list-chunks.ts';
import { answerFormats } from '../recall/render.ts';
import { quickLimits } from '../recall/with-index.ts';
import { offsetOf } from '../wire/offset.ts';
import { askMemory, driftsOf } from './ask-memory.ts';
import { projectFor } from './parts.ts';
import { nextOf, resultsOf } from './results.ts';
import { type Route, route } from './route.ts';
import { cursorShape, projectShape } from './shapes.ts';

/**
 * The search of the design that the skill and its routes come from, by its names: `type` is a kind, `index` a line of
 * each result and `full` all of it.
 */
const pageShape = {
  ...projectShape,
  ...cursorShape,
  offset: z.int().min(0).max(1_000_000).optional(),
  format: z.enum(answerFormats).default('index'),
};

const kinds = 'Kinds, separated by commas: decision, bugfix, feature, refactor, …';

const fullText = [
  { name: 'observations', in: 'all', what: 'Everything that is known: notes, and what was said and done' },
  { name: 'sessions', in: 'sessions', what: 'What was said and done in agent sessions' },
  { name: 'prompts', in: 'prompts', what: 'What people asked for' },
].map(({ name, in: scope, what }) =>
  route({
    method: 'GET',
    path: `/api/search/${name}`,
    summary: `${what}, best first.`,
    asks: z.object({
      query: z.string().min(1).max(20_000),
      type: z.string().optional().describe(kinds),
      ...pageShape,
    }),
    async answer(http, { query, type, project, ...page }) {
      const named = projectFor(http, project);
      const now = http.clock.now();
      const offset = page.offset ?? offsetOf(page.cursor);
      const filter = { ...filterFromWords({ in: scope }, now), ...typeFilter(type, scope, now) };
      const found = await askMemory(http, named, { ...filter, text: query, limit: page.limit, offset });
      return {
        project: named.project.name,
        query,
        match: found.match,
        ...resultsOf(found.hits, page.format),
        ...nextOf(found.truncated, offset + found.hits.length),
      };
    },
  }),
);

/** Prompts are a kind themselves; of another kind are the sentences in them that decide something. */
function typeFilter(type: string | undefined, scope: string, now: number): ChunkFilter {
  if (type === undefined) return {};
  return {
    ...filterFromWords({ kind: type }, now),
    ...(scope === 'prompts' ? { minTrust: 2 as const } : {}),
  };
}

const filtered = [
  {
    name: 'by-type',
    what: 'Everything of one kind',
    shape: { type: z.string().min(1).describe(kinds) },
    filter: ({ type }: { type?: string }) => ({ kind: type }),
  },
  {
    name: 'by-concept',
    what: 'Notes about one matter',
    shape: { concept: z.string().min(1) },
    filter: ({ concept }: { concept?: string }) => ({ concept }),
  },
  {
    name: 'by-file',
    what: 'Everything about one file',
    shape: { filePath: z.string().min(1).describe('A path, or the end of one') },
    filter: ({ filePath }: { filePath?: string }) => ({ file: filePath }),
  },
].map(({ name, what, shape, filter }) =>
  route({
    method: 'GET',
    path: `/api/search/${name}`,
    summary: `${what}, newest first.`,
    asks: z.object({ ...shape, ...pageShape }),
    async answer(http, { project, limit, offset: given, cursor, format, ...asked }) {
      const named = projectFor(http, project);
      const offset = given ?? offsetOf(cursor);
      const words = filterFromWords(filter(asked as Record<string, string>), http.clock.now());
      const found = await listChunks(named.parts, words, { limit, offset, limits: quickLimits });
      const drifts = await driftsOf(http, named, found.chunks);
      return {
        project: named.project.name,
        ...resultsOf(
          found.chunks.map((chunk) => ({ chunk, drift: drifts.get(chunk) })),
          format,
        ),
        ...nextOf(found.truncated, offset + found.chunks.length),
      };
    },
  }),
);

export const searchRoutes: Route[] = [...fullText, ...filtered];
