import { z } from 'zod';
import { noteKinds } from '../../domain/note.ts';
import { maxCachedMemories } from '../../domain/team-memory.ts';
import {
  maxDisputesPerRequest,
  maxNotesPerRequest,
  maxReferenceLength,
  maxRemovedPerRequest,
  type SyncRequest,
} from '../../remote/sync-types.ts';
import * as teamAnswers from '../../wire/answers/team.ts';
import { maxTextLength } from '../memories/prepare.ts';
import { syncNotes } from '../sync/sync.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const time = z.string().max(40);
const words = z.array(z.string().max(500)).max(100);

/** Any text, as in POST /memory: other programs name their notes as they like. */
const reference = z.string().min(1).max(maxReferenceLength);

const pushedNote = z.object({
  id: reference,
  kind: z.enum(noteKinds),
  text: z.string().trim().min(1).max(maxTextLength),
  concepts: words,
  files: words,
  created: time,
  updated: time,
  device: z.string().max(100),
  rev: z.int().min(1),
  base: z.int().min(0).describe("The server's revision that this text is based on; 0 for a new note"),
}) satisfies z.ZodType<SyncRequest['notes'][number]>;

/**
 * Accepts notes that are not valid, so that the sync can refuse them one by one instead of refusing the whole
 * request.
 */
const anyNote = z.union([pushedNote, z.looseObject({ id: reference })]);

export const syncRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/v1/projects/:id/sync',
    alias: '/api/projects/:id/sync',
    name: 'syncNotes',
    answers: teamAnswers.synced,
    text: 'exact',
    summary:
      'Syncs notes: uploads shared notes, withdraws deleted ones, and returns changes since the last sync.',
    params: z.object({
      id: uuidShape,
      after: z.int().min(0).default(0).describe('`version` of the last response'),
      notes: z.array(anyNote).max(maxNotesPerRequest).default([]),
      removed: z.array(reference).max(maxRemovedPerRequest).default([]),
      disputes: z
        .array(
          z.object({
            id: reference,
            revision: z.int().min(1).describe('The revision of the disputed text'),
            correction: reference
              .optional()
              .describe("Id of the caller's own note that states what is right"),
          }),
        )
        .max(maxDisputesPerRequest)
        .default([])
        .describe('Notes of others that the caller calls wrong'),
      settled: z
        .array(reference)
        .max(maxDisputesPerRequest)
        .default([])
        .describe(
          'Notes of others that the caller no longer calls wrong, and own notes that hold although they are disputed',
        ),
      cached: z
        .array(z.string().max(300))
        .max(2 * maxCachedMemories)
        .optional()
        .describe(
          'Issues, comments and jobs that the client has, as `id.revision`; answered with what has changed',
        ),
    }),
    answer: async (parts, { id, notes: given, ...rest }, token) => {
      const read = given.map((note) => ({ id: note.id, note: pushedNote.safeParse(note).data }));
      const notes = read.flatMap(({ note }) => note ?? []);
      const { outcomes, ...changes } = await syncNotes(parts, token, id, { ...rest, notes });
      const refused = read.flatMap(({ id: refusedId, note }) =>
        note === undefined ? [{ id: refusedId, outcome: 'refused' as const, revision: 0 }] : [],
      );
      return { ...changes, outcomes: [...outcomes, ...refused] };
    },
  }),
];
