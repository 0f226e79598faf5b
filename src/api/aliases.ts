import { z } from 'zod';
import { isoTime } from '../base/clock.ts';
import type { Chunk } from '../domain/chunk.ts';
import { previewLimit } from '../recall/hit.ts';
import { memoryRecord } from '../recall/hit-as-team-memory.ts';
import { type AnswerFormat, answerFormats, type hitRecord } from '../recall/render.ts';
import { harmlessLine } from '../text/fence.ts';
import { memoryRecords, searchResults, timelineRecords } from '../wire/answers/aliases.ts';
import type { AgentSession, Drift } from '../wire/answers/memory.ts';
import type { TeamMemory } from '../wire/answers/team.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { timelineShape } from '../wire/timeline.ts';
import { checkInput } from './request-input.ts';
import type { RouteShape } from './route.ts';
import { limitShape } from './shapes.ts';

/**
 * Routes under the names that other memory servers use. Each alias defines the parameters its clients send, how they
 * map to one of our routes, and how our answer maps to their fields. `serve` and the team server share them.
 */
export interface Alias<Found> {
  name: string;
  answers: z.ZodType;
  /** Replaces the last segment of our route's path. */
  path: string;
  summary: string;
  params: z.ZodRawShape;
  /** Parameters of our route that the alias accepts unchanged. */
  keeps: string[];
  toParams(input: AliasInput): Record<string, unknown>;
  answer(found: Found, input: AliasInput): unknown;
}

interface AliasInput extends Record<string, unknown> {
  query?: string;
  type?: string[];
  filePath?: string;
  limit?: number;
  offset?: number;
  cursor?: string;
  format?: AnswerFormat;
  depth_before?: number;
  depth_after?: number;
}

type FoundChunk = Chunk & { drift?: Drift | undefined };

/** Only team servers set `memory`. */
type FoundHit = ReturnType<typeof hitRecord> & { memory?: Pick<TeamMemory, 'source' | 'author'> };

interface RecallAnswer {
  project: { name: string };
  match: string;
  items: FoundHit[];
  sessions?: AgentSession[];
  nextCursor?: string;
}

interface TimelineAnswer {
  project: { name: string };
  anchor?: FoundChunk;
  items: FoundChunk[];
}

const keeps = ['id', 'project', 'since', 'until', 'author', 'source'];
const pageShape = {
  ...limitShape,
  cursor: z.string().max(500).optional().describe('`next_cursor` of the previous page'),
  offset: z.int().min(0).max(1_000_000).optional(),
  format: z.enum(answerFormats).default('index'),
};
const query = z.string().min(1).max(20_000);
const type = z
  .array(z.string().max(500))
  .min(1)
  .describe('Types, repeated or separated by commas: decision, bugfix, feature, refactor, …');
const concept = z.string().min(1).max(500);
const filePath = z.string().min(1).max(4_000).describe('A path, or the end of one');

const searchAlias = (
  name: string,
  path: string,
  summary: string,
  shape: z.ZodRawShape,
  scope: 'observations' | 'sessions' | 'prompts' = 'observations',
): Alias<RecallAnswer> => ({
  name,
  answers: searchResults,
  path: `search/${path}`,
  summary,
  params: { ...shape, ...pageShape },
  keeps,
  toParams: (input) => {
    const { type: kinds, filePath: file, cursor, offset = offsetOf(cursor), format: _, ...same } = input;
    return { ...same, kind: kinds?.join(','), file, cursor: String(offset), in: scope };
  },
  answer: ({ project, match, items: hits, sessions, nextCursor }, { query: question, format }) => ({
    project: project.name,
    ...(question === undefined ? {} : { query: question, match }),
    format,
    count: hits.length,
    results:
      sessions?.map(sessionLine) ??
      hits.map((hit) =>
        format === 'full' ? { ...hit, ...resultOf(hit) } : { ...resultOf(hit), ...authorOf(hit) },
      ),
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
  }),
});

export const searchAliases = [
  searchAlias(
    'searchObservations',
    'observations',
    'Search what was done in turns and the notes, best first.',
    {
      query,
      type: type.optional(),
      concept: concept.optional(),
      filePath: filePath.optional(),
    },
  ),
  searchAlias('searchByType', 'by-type', 'What was done, and notes, of some types, newest first.', { type }),
  searchAlias('searchByConcept', 'by-concept', 'What was done, and notes, about one concept, newest first.', {
    concept,
  }),
  searchAlias('searchByFile', 'by-file', 'What was done, and notes, about one file, newest first.', {
    filePath,
  }),
];

/**
 * HTTP routes of `backstory serve` that run `recall` under another name. Team servers offer only `searchAliases`,
 * because they have no agent sessions.
 */
export const localSearchAliases: Alias<RecallAnswer>[] = [
  ...searchAliases,
  searchAlias('searchSessions', 'sessions', 'Search agent sessions, best first.', { query }, 'sessions'),
  searchAlias('searchPrompts', 'prompts', 'Search the prompts of users, best first.', { query }, 'prompts'),
  {
    name: 'searchMemory',
    answers: memoryRecords,
    path: 'projects/:id/memory/search',
    summary: 'Search the memory of a project, best first, as memory records.',
    params: { id: z.string().min(1).max(4_000).describe('Project'), q: query, ...limitShape },
    keeps: [],
    toParams: ({ id, q, limit }) => ({ project: id, query: q, limit }),
    answer: ({ items }) => ({ results: items.map(memoryRecord) }),
  },
];

const timelineAlias = (
  name: string,
  path: string,
  summary: string,
  shape: z.ZodRawShape,
): Alias<TimelineAnswer> => ({
  name,
  answers: timelineRecords,
  path,
  summary,
  params: { limit: z.int().min(1).max(100).optional(), ...shape },
  keeps,
  // `limit` counts all records. Half of it applies before and half after the anchor, unless the caller gives the two
  // depths.
  toParams: ({ limit, depth_before, depth_after, ...same }) => {
    const depth = limit === undefined ? undefined : Math.floor((limit - 1) / 2);
    return { ...same, depthBefore: depth_before ?? depth, depthAfter: depth_after ?? depth };
  },
  answer: ({ project, anchor, items: chunks }) => {
    const isAnchor = ({ sourceId }: FoundChunk) => sourceId === anchor?.sourceId;
    return {
      project: project.name,
      anchor: anchor === undefined ? null : lineOf(chunks.find(isAnchor) ?? anchor),
      count: chunks.length,
      records: chunks.map((chunk) => ({ ...lineOf(chunk), isAnchor: isAnchor(chunk) })),
    };
  },
});

const { query: _, ...aroundShape } = timelineShape;

export const timelineAliases = [
  timelineAlias(
    'timelineAround',
    'context/timeline',
    'Events before and after an id or a time, oldest first.',
    aroundShape,
  ),
  timelineAlias(
    'timelineByQuery',
    'timeline/by-query',
    'Events before and after the best hit for a question.',
    timelineShape,
  ),
];

const lineOf = ({ id, kind, text, at, paths, trust, drift }: FoundChunk) => ({
  id,
  type: kind,
  title: harmlessLine(text, previewLimit),
  date: isoTime(at),
  files: paths,
  trust,
  drift,
});

const resultOf = (hit: FoundHit) => ({
  ...lineOf(hit),
  ...(hit.observation === undefined ? {} : { title: hit.observation.title }),
  concepts: hit.concepts,
});

const sessionLine = ({ id, title, titleBy, lastAt, files, end, summary }: AgentSession) => ({
  id,
  type: 'session',
  title,
  date: isoTime(lastAt),
  files,
  trust: titleBy === 'user' ? 2 : 1,
  end,
  summary,
});

const authorOf = ({ memory }: FoundHit) =>
  memory === undefined ? {} : { source: memory.source, author: memory.author?.name ?? null };

interface RouteWithAnswer extends RouteShape {
  answer(parts: never, input: Record<string, unknown>, ...more: never[]): Promise<unknown>;
}

/** Creates a route for each alias, with the method, access rules and validation of the real route. */
export const aliasRoutes = <Real extends RouteWithAnswer, Found>(
  real: Real,
  aliases: Alias<Found>[],
): Real[] =>
  aliases.map(({ name, path, summary, params, answers, keeps: names, toParams, answer }) => ({
    ...real,
    name,
    answers,
    path: real.path.replace('/api/v1/', '/api/').replace(/[^/]+$/, path),
    summary,
    params: z.object({ ...pick(real.params.shape, names), ...params }),
    answer: async (parts: never, input: AliasInput, ...more: never[]) =>
      answer((await real.answer(parts, checkInput(real.params, toParams(input)), ...more)) as Found, input),
  }));

const pick = (shape: z.ZodRawShape, names: string[]): z.ZodRawShape =>
  Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name)));
