import { z } from 'zod';
import { symbolFields } from './code.ts';
import { count, listOf, object, text, time } from './fields.ts';
import { driftState, failedPath, origin, standing } from './memory.ts';

/** The answers of `GET /api/v1/viewer/file`, the code of a file, and `…/file/story`, the backstory of its lines. */
const lineRange = z.tuple([count, count]).describe('first and last line, from 1');

const note = z.strictObject({
  id: text,
  kind: text,
  text,
  topic: text.optional(),
  ...standing,
  at: time,
  freshness: driftState,
  drift: text.describe('the state of its code, as a sentence'),
  lines: z.array(lineRange).describe('lines of this file that the note refers to'),
});

const symbol = z.strictObject(symbolFields).omit({ line: true, column: true, signature: true });

const state = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('commit'),
    hash: text,
    at: time,
    author: text,
    subject: text,
    path: text.describe('the path of the file in this commit'),
    added: count,
    removed: count,
  }),
  z.strictObject({
    kind: z.literal('edit'),
    id: text,
    at: time,
    agent: text,
    agentSession: text,
    added: count,
    removed: count,
  }),
]);

export const filePage = object('FilePage', {
  path: text,
  commit: text.optional().describe('the commit whose version this is; absent for the file on disk'),
  language: text.optional(),
  lines: z.array(text).describe('the first 10,000 lines; none of a file of more than 2 MB'),
  lineCount: count.describe('number of lines of the whole file'),
  tokenClasses: z.array(text),
  tokens: z
    .array(z.array(count))
    .describe('by line, three numbers for each token: column from 0, length, index in `tokenClasses`'),
  symbols: z.array(symbol),
});

export const fileStory = object('FileStory', {
  origins: z.array(origin.omit({ lines: true, text: true })),
  blocks: listOf({ from: count, to: count, origin: count.describe('index in `origins`') }).describe(
    'consecutive lines with the same origin',
  ),
  notes: z.array(note),
  tried: z
    .array(failedPath.extend({ edit: text.optional().describe('id of the edit event') }))
    .describe('attempts that were taken back'),
  states: z.array(state).describe('commits and edits of the file, newest first'),
  titles: z.record(z.string(), text).describe('titles of the agent sessions, by id'),
  missing: z.array(z.enum(['history', 'reasons'])).describe('what a limit has cut'),
});

const workedFile = z.strictObject({
  path: text,
  at: time.describe('when an agent last edited it, or a note about it changed'),
  lines: count.describe('lines with words'),
  agentLines: count.describe('those of them that match a line that an agent’s edit of the file added'),
  decisions: count.describe('active decisions and rules about it'),
  failures: count.describe('failed attempts: notes, and edits that were taken back'),
});

export const workedFiles = object('WorkedFiles', {
  items: z.array(workedFile),
  isCut: z.boolean().describe('older files were left out'),
});

export type WorkedFile = z.infer<typeof workedFile>;
export type WorkedFiles = z.infer<typeof workedFiles>;
export type FilePage = z.infer<typeof filePage>;
export type FileStory = z.infer<typeof fileStory>;
