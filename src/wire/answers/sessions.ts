import { z } from 'zod';
import { noteKinds, noteStates } from '../../domain/note.ts';
import { count, listOf, object, page, text, time } from './fields.ts';
import { driftState, missing, note, noteSource, sessionFields, standing, usage } from './memory.ts';

const noteTitle = object('NoteTitle', {
  id: text,
  kind: z.enum(noteKinds),
  title: text,
  state: z.enum(noteStates),
});

const sessionEvent = object('SessionEvent', {
  id: text,
  kind: text,
  at: time,
  origin: text,
  trust: z.number(),
  subagent: text.optional(),
  text: text.optional(),
  path: text.optional(),
  created: z.boolean().optional(),
  command: text.optional(),
  ok: z.boolean().optional(),
  exit: count.optional(),
  output: text.optional(),
  tool: text.optional(),
  lines: count.optional(),
});
export type SessionEvent = z.infer<typeof sessionEvent>;
const turns = listOf({ id: text, at: time, events: z.array(sessionEvent), usage: usage.optional() });
const isCut = z.boolean().describe('the session has more turns than are returned');

const failing = z.strictObject({ id: text.describe('id of the event'), at: time, command: text });

const periods = listOf({ from: time, to: time, events: count }).describe(
  'when it worked, without pauses of four hours or more, oldest first',
);

const isByTime = z
  .literal(true)
  .optional()
  .describe('set if git printed the commit in no session, but this one changed a file of it at that time');

const digest = object('SessionDigest', {
  ...sessionFields,
  decisions: z.array(
    noteTitle.extend({ waits: z.literal(true).optional().describe('set if it waits for review') }),
  ),
  commits: listOf({ id: text.describe('id of the event'), at: time, hash: text, subject: text, isByTime }),
  failing: z
    .array(failing)
    .describe('checks of the project whose last run, in any session, was in this one and failed'),
  periods,
  work: z
    .strictObject({ prompts: count, failedCommands: count, files: z.array(text) })
    .optional()
    .describe('what it did between `since` and `until`, if one of them was given'),
});
export type SessionDigest = z.infer<typeof digest>;
export const digestPage = object('SessionDigestPage', page(digest));
export type SessionDigestPage = z.infer<typeof digestPage>;
export const sessionStory = object('SessionStory', {
  session: digest,
  turns,
  isCut,
  told: listOf({
    at: time,
    tokens: count,
    lines: listOf({
      id: text.describe('id of the note or event'),
      kind: text,
      text,
      agentSession: text.optional().describe('of an event'),
    }),
  }).describe('what it was told at each start, oldest first'),
  isLatestWork: z.boolean().describe('whether `backstory handoff` would hand over its work'),
});
export type SessionStory = z.infer<typeof sessionStory>;

/** The latest sessions, in the form of claude-mem. */
export const recentSessions = object('RecentSessions', {
  project: text,
  count,
  sessions: listOf({ ...sessionFields, notes: z.array(noteTitle) }),
});

const codePiece = object('CodePiece', { path: text, startLine: count, text, commit: text.optional() });
export type CodePiece = z.infer<typeof codePiece>;
const noteCode = object('NoteCode', {
  path: text,
  state: driftState,
  symbol: text.optional(),
  by: text.optional().describe('the commit that changed it'),
  past: codePiece.optional(),
  now: codePiece.optional(),
});
export type NoteCode = z.infer<typeof noteCode>;
const statementStory = object('StatementStory', {
  id: text.describe('id of the note'),
  text,
  from: time,
  to: time.optional().describe('absent if it holds'),
  closedBy: text.optional().describe('id of the note or event that closed it, or `user`'),
  steps: listOf({ at: time, action: text, source: noteSource.optional() }).describe(
    'when it was said, with the event, and what was done with it, oldest first',
  ),
  told: listOf({ agentSession: text, at: time }).describe(
    'sessions that were told it at their start, newest first',
  ),
});
export type StatementStory = z.infer<typeof statementStory>;

export const noteView = object('OpenedNote', {
  note,
  path: text,
  ...standing,
  freshness: driftState.describe('the state of its code'),
  drift: text.describe('the same as a sentence'),
  code: z.array(noteCode),
  sources: z.array(noteSource),
  history: listOf({ action: text, rev: count, at: time }),
  story: z.array(statementStory).describe('the statements on its topic, oldest first'),
  isMuted: z.boolean().describe('whether the user muted it in this project'),
  team: text.optional().describe('name of the team with which the note is shared, or may be'),
  related: z.array(noteTitle.extend({ relation: text })),
});
export type OpenedNote = z.infer<typeof noteView>;

export const eventView = object('EventView', {
  kind: text,
  agent: text,
  at: time,
  origin: text,
  trust: z.number(),
  text,
  paths: z.array(text),
  missing,
  author: text.optional().describe('of a commit'),
  sessions: listOf({ ...sessionFields, isByTime })
    .optional()
    .describe('of the event, or of the commit, newest first'),
});
export type EventView = z.infer<typeof eventView>;

export const activity = object('Activity', {
  items: listOf({ periods }),
});
export type Activity = z.infer<typeof activity>;

export const editDiff = object('EditDiff', {
  path: text,
  hunks: listOf({
    oldStart: count,
    newStart: count,
    lines: listOf({
      sign: z.enum(['+', '-']),
      text: text.optional().describe('missing if no version of the file has the line'),
    }),
  }),
});
export type EditDiff = z.infer<typeof editDiff>;
