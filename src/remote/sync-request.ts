import { z } from 'zod';
import { maxMemoryTextLength } from '../domain/memory.ts';
import { noteKinds } from '../domain/note.ts';
import {
  maxDisputesPerRequest,
  maxNotesPerRequest,
  maxReferenceLength,
  maxRemovedPerRequest,
} from '../domain/team-note.ts';
import type { Synced } from '../wire/answers/team.ts';
import { maxCachedMemories } from '../wire/answers/team-memory.ts';

const time = z.string().max(40);
const words = z.array(z.string().max(500)).max(100);

/** Any text, as in POST /memory: other programs name their notes as they like. */
const reference = z.string().min(1).max(maxReferenceLength);

/** A note as a device sends it: its content, without references to local events. */
export const pushedNote = z.object({
  id: reference,
  kind: z.enum(noteKinds),
  text: z.string().trim().min(1).max(maxMemoryTextLength),
  concepts: words,
  files: words,
  created: time,
  updated: time,
  device: z.string().max(100).describe('The device that wrote this text'),
  rev: z.int().min(1).describe('Its revision on that device'),
  base: z.int().min(0).describe("The server's revision that this text is based on; 0 for a new note"),
});
export type PushedNote = z.output<typeof pushedNote>;

/**
 * Accepts notes that are not valid, so that the sync can refuse them one by one instead of refusing the whole
 * request.
 */
const anyNote = z.union([pushedNote, z.looseObject({ id: reference })]);

const statedDispute = z.object({
  id: reference,
  revision: z.int().min(1).describe('The revision of the disputed text'),
  correction: reference.optional().describe("Id of the caller's own note that states what is right"),
});
export type StatedDispute = z.output<typeof statedDispute>;

export const syncFields = {
  after: z.int().min(0).default(0).describe('`version` of the last response'),
  notes: z.array(anyNote).max(maxNotesPerRequest).default([]),
  removed: z.array(reference).max(maxRemovedPerRequest).default([]),
  disputes: z
    .array(statedDispute)
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
};
type SyncFields = z.output<z.ZodObject<typeof syncFields>>;
export type SyncRequest = Omit<SyncFields, 'notes'> & { notes: PushedNote[] };

/** The latest change of a note. Without `note`, the note was removed. */
export type PulledChange = Synced['changes'][number];
