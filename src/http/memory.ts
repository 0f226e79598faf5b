import { z } from 'zod';
import { idShape } from '../api/shapes.ts';
import { AppError } from '../base/errors.ts';
import { noteKinds } from '../domain/note.ts';
import { forget } from '../memory/notes/forget.ts';
import { type Opened, openHit } from '../memory/sessions/open-hit.ts';
import { quickLimits } from '../recall/with-index.ts';
import * as aliasesAnswers from '../wire/answers/aliases.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { writeNote } from './notes.ts';
import { contextFor, type HttpParts, knownProjects, projectFor, type RequestedProject } from './parts.ts';
import { type Route, route } from './route.ts';

const ofProject = { id: z.string().min(1).max(4_000).describe('Project') };

/** Memory as records, in the format of Forge memory. Its search is an alias of recall. */
export const memoryRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/api/projects/:id/memory',
    name: 'addMemoryRecord',
    answers: aliasesAnswers.addedRecord,
    summary: 'Adds a note, like POST /api/v1/notes.',
    needsPerson: false,
    params: z.object({
      ...ofProject,
      text: z.string().min(1).max(20_000),
      metadata: z
        .object({
          kind: z.enum(noteKinds).optional(),
          concepts: z.array(z.string().max(200)).max(50).optional(),
          files: z.array(z.string().max(4_000)).max(50).optional(),
        })
        .catchall(z.union([z.string().max(200), z.number(), z.boolean()]))
        .optional()
        .describe('Other tags become concepts, such as `priority:high`'),
    }),
    async answer(http, { id, text, metadata }, caller) {
      const named = projectFor(http, id);
      const { kind = 'decision', concepts: given = [], files = [], ...tags } = metadata ?? {};
      const concepts = [...given, ...Object.entries(tags).map(([name, value]) => `${name}:${value}`)];
      const note = await writeNote(named, { text, kind, concepts, files }, caller);
      return {
        documentId: note.id,
        project: named.project.id,
        source: 'note' as const,
        sourceRef: note.id,
        text: note.text,
        metadata: { kind: note.kind, concepts: note.concepts, files: note.files, trust: note.trust },
        embeddedAt: null,
      };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/memory/:id',
    name: 'deleteMemoryRecord',
    answers: memoryAnswers.forgotten,
    summary: 'Deletes a memory permanently, in any project.',
    needsPerson: 'Forgetting a memory',
    params: z.object(idShape),
    async answer(http, { id }) {
      const { named, opened } = await findMemory(http, id);
      const memoryId = opened.kind === 'note' ? opened.note.id : opened.event.id;
      return forget(named.parts, { ids: [memoryId] }, contextFor(named));
    },
  }),
  route({
    method: 'POST',
    path: '/api/projects/:id/memory/reindex',
    name: 'reindexMemory',
    answers: projectAnswers.started,
    summary: 'Discards the index of a project; a background drain rebuilds it.',
    needsPerson: false,
    params: z.object(ofProject),
    async answer(http, { id }) {
      const { project, parts } = projectFor(http, id);
      parts.access.discard();
      http.startDrain(project.id);
      return { status: 'started' as const, project: project.id };
    },
  }),
];

async function findMemory(http: HttpParts, id: string): Promise<{ named: RequestedProject; opened: Opened }> {
  for (const project of knownProjects(http.paths)) {
    const named = { http, project, parts: http.open(project) };
    const opened = await openHit(named.parts, id, quickLimits).catch((error) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
    if (opened !== undefined) return { named, opened };
  }
  throw new AppError('NOT_FOUND', `no memory has the id ${id}`, { hint: 'GET /api/v1/recall' });
}
