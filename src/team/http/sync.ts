import { z } from 'zod';
import { noteKinds } from '../../domain/note.ts';
import {
  maxNotesAtOnce,
  maxReferenceLength,
  maxRemovedAtOnce,
  type SyncAnswer,
  type SyncRequest,
} from '../../remote/sync-shapes.ts';
import { maxTextLength } from '../memories/prepare.ts';
import { forReaders } from '../people/permissions.ts';
import { syncNotes } from '../sync/sync.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const time = z.string().max(40);
const words = z.array(z.string().max(500)).max(100);

/** As POST /memory takes them: other programs name their notes as they like. */
const reference = z.string().min(1).max(maxReferenceLength);

const pushedNote = z.object({
  id: reference,
  kind: z.enum(noteKinds),
  text: z.string().trim().min(1).max(maxTextLength),
  concepts: words,
  files: words,
  created: time,
  updated: time,
  author: z.string().max(200),
  device: z.string().max(100),
  rev: z.int().min(1),
  base: z.int().min(0).describe("The server's revision that this text was made from; 0 when there was none"),
  isPrivate: z.boolean(),
}) satisfies z.ZodType<SyncRequest['notes'][number]>;

/** One note that cannot be taken must not keep all the others from going up. */
const anyNote = z.union([pushedNote, z.looseObject({ id: reference })]);

export const syncRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/projects/:id/sync',
    text: 'exact',
    summary: 'Brings chosen notes of a laptop, takes back forgotten ones, and tells what changed since.',
    allowed: forReaders,
    asks: z.object({
      id: uuidShape,
      after: z.int().min(0).default(0).describe('`version` of the last answer'),
      notes: z.array(anyNote).max(maxNotesAtOnce).default([]),
      removed: z.array(reference).max(maxRemovedAtOnce).default([]),
    }),
    answer: async (parts, { id, notes: given, ...brought }, token): Promise<SyncAnswer> => {
      const read = given.map((note) => ({ id: note.id, note: pushedNote.safeParse(note).data }));
      const notes = read.flatMap(({ note }) => note ?? []);
      const { outcomes, ...told } = await syncNotes(parts, token, id, { ...brought, notes });
      const refused = read.flatMap(({ id: refusedId, note }) =>
        note === undefined ? [{ id: refusedId, outcome: 'refused' as const, revision: 0 }] : [],
      );
      return { ...told, outcomes: [...outcomes, ...refused] } as SyncAnswer;
    },
  }),
];
