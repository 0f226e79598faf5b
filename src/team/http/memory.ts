import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { uuidv7 } from '../../base/ids.ts';
import { parseObject } from '../../base/json.ts';
import { maxMemoryTextLength, memorySources } from '../../domain/memory.ts';
import * as aliasesAnswers from '../../wire/answers/aliases.ts';
import * as teamAnswers from '../../wire/answers/team.ts';
import { metadataShape } from '../memories/prepare.ts';
import { saveInTeam } from '../memories/save.ts';
import { searchTeam } from '../memories/search.ts';
import { checkPermission, forPeople, forReaders, forWriters, notFound } from '../people/permissions.ts';
import type { SavedMemory } from '../store/team-store.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const text = z.string().trim().min(1).max(maxMemoryTextLength);
const maxBatchSize = 500;

export const memoryRoutes: TeamRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/api/projects/:id/memory/search',
    name: 'searchMemory',
    answers: aliasesAnswers.memoryRecords,
    summary: "Searches the team's memory, best hits first.",
    params: z.object({
      id: uuidShape,
      q: z.string().trim().min(1).max(10_000).describe('In plain words or identifiers'),
      limit: z.int().min(1).max(100).default(10),
      source: z.array(z.enum(memorySources)).optional().describe('Only these sources; can be repeated'),
    }),
    async answer(parts, { id, q, limit, source }, token) {
      const query = { text: q, limit, sources: source };
      return { results: await searchTeam(parts, token, id, query) };
    },
  }),
  teamRoute({
    method: 'GET',
    path: '/api/v1/projects/:id/memory',
    alias: '/api/projects/:id/memory',
    name: 'listMemories',
    answers: teamAnswers.memoryPage,
    summary: 'Lists all memories of a project, last changed first.',
    params: z.object({
      id: uuidShape,
      source: z.enum(memorySources).optional(),
      limit: z.int().min(1).max(200).default(50),
      cursor: z.string().max(500).optional(),
    }),
    answer: ({ store }, { id, source, limit, cursor }, token) =>
      store.inProject(token, id, async (work) => {
        checkPermission(work.member, forReaders);
        const { memories, next } = await work.list(readCursor(cursor), limit, source);
        return { items: memories, ...(next === undefined ? {} : { nextCursor: cursorOf(next) }) };
      }),
  }),
  teamRoute({
    method: 'POST',
    path: '/api/v1/projects/:id/memory',
    alias: '/api/projects/:id/memory',
    name: 'saveMemory',
    location: ({ documentId }) => `/api/v1/memory/${documentId}`,
    answers: teamAnswers.savedMemory,
    summary: 'Adds a note, for the project or only for yourself.',
    status: 201,
    params: z.object({
      id: uuidShape,
      text,
      metadata: metadataShape,
      sourceRef: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .describe('Saving the same one again replaces it, if it is yours'),
      visibility: z.enum(['team', 'private']).default('team'),
    }),
    async answer(parts, input, token) {
      const at = parts.clock.now();
      const sourceRef = input.sourceRef ?? uuidv7(at);
      const isPrivate = input.visibility === 'private';
      const [saved] = await saveInTeam(parts, token, input.id, forPeople, [
        { source: 'note', sourceRef, text: input.text, metadata: input.metadata, isPrivate, at },
      ]);
      return { ...(saved as SavedMemory), project: input.id, source: 'note' as const, sourceRef };
    },
  }),
  teamRoute({
    method: 'POST',
    path: '/api/v1/projects/:id/memory/batch',
    alias: '/api/projects/:id/memory/batch',
    name: 'saveMemories',
    answers: teamAnswers.savedMemories,
    summary: 'Saves many memories atomically. Each replaces your memory with the same source and sourceRef.',
    params: z.object({
      id: uuidShape,
      memories: z
        .array(
          z.object({
            source: z.enum(memorySources),
            sourceRef: z.string().min(1).max(500),
            text,
            metadata: metadataShape,
            visibility: z.enum(['team', 'private']).default('team'),
          }),
        )
        .min(1)
        .max(maxBatchSize),
    }),
    async answer(parts, { id, memories }, token) {
      const at = parts.clock.now();
      const saving = memories.map(({ visibility, ...memory }) => ({
        ...memory,
        isPrivate: visibility === 'private',
        at,
      }));
      return { items: await saveInTeam(parts, token, id, forWriters, saving) };
    },
  }),
  teamRoute({
    method: 'DELETE',
    path: '/api/v1/memory/:id',
    alias: '/api/memory/:id',
    name: 'deleteMemory',
    answers: teamAnswers.removedMemory,
    summary:
      'Deletes a memory of yours, or as an owner of the project any memory, and all data derived from it.',
    params: z.object({ id: uuidShape }),
    async answer({ store }, { id }, token) {
      const project = await store.projectOf(token, id);
      return store.inProject(token, project, async (work) => {
        checkPermission(work.member, forPeople);
        const removed = await work.remove(id);
        if (removed === undefined) throw notFound();
        await work.audit('memory.remove', id, removed);
        return { documentId: id, removed: true as const };
      });
    },
  }),
  teamRoute({
    method: 'POST',
    path: '/api/v1/projects/:id/memory/reindex',
    alias: '/api/projects/:id/memory/reindex',
    name: 'reindexMemory',
    answers: teamAnswers.queued,
    summary: 'Starts a job that makes missing vectors, and those of another model, with the current model.',
    status: 202,
    params: z.object({ id: uuidShape }),
    answer: ({ store }, { id }, token) =>
      store.inProject(token, id, async (work) => {
        checkPermission(work.member, forPeople);
        await work.reindex();
        await work.audit('memory.reindex', id);
        return { project: id, status: 'queued' as const };
      }),
  }),
];

const position = z.object({
  updated: z.string().regex(/^[\d-]{10} [\d:.]{8,15}[+-][\d:]{2,8}$/),
  documentId: z.string().regex(/^[0-9a-f-]{36}$/),
});

const cursorOf = (next: z.output<typeof position>): string =>
  Buffer.from(JSON.stringify(next)).toString('base64url');

function readCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const read = position.safeParse(parseObject(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (read.success) return read.data;
  throw new AppError('INVALID_ARGUMENT', 'invalid cursor', {
    hint: 'Use nextCursor of the previous page',
  });
}
