import { z } from 'zod';
import { noteKinds } from '../../domain/note.ts';
import { mostNotesAtOnce, type SyncAnswer, type SyncRequest } from '../../remote/sync-shapes.ts';
import { longestText } from '../../team/prepare.ts';
import { syncNotes } from '../../team/sync.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const time = z.string().max(40);
const words = z.array(z.string().max(500)).max(100);

const pushedNote = z.object({
  id: uuidShape,
  kind: z.enum(noteKinds),
  text: z.string().trim().min(1).max(longestText),
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

export const syncRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/projects/:id/sync',
    summary: 'Brings chosen notes of a laptop, takes back forgotten ones, and tells what changed since.',
    allowed: { kinds: ['user', 'device'], role: 'reader', scope: 'read' },
    asks: z.object({
      id: uuidShape,
      after: z.int().min(0).default(0).describe('`version` of the last answer'),
      notes: z.array(pushedNote).max(mostNotesAtOnce).default([]),
      removed: z.array(uuidShape).max(1_000).default([]),
    }),
    answer: (parts, { id, ...brought }, token): Promise<SyncAnswer> =>
      syncNotes(parts, token, id, brought) as Promise<SyncAnswer>,
  }),
];
