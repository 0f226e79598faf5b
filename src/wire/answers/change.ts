import { z } from 'zod';
import { count, listOf, object, text, time } from './fields.ts';
import { failedPath, said } from './memory.ts';

const writer = z.strictObject({
  agent: text,
  model: text.optional(),
  lines: count.describe('added lines that it wrote'),
  claim: z.enum(['git-ai', 'trailer']).optional().describe('what says so, if no session is known'),
});

const turn = z.strictObject({
  agent: text,
  model: text.optional(),
  agentSession: text,
  at: time,
  files: listOf({ path: text, lines: z.array(z.tuple([count, count])) }).describe(
    'ranges of the lines that it wrote, as they are after the change',
  ),
  added: count,
  removed: count.describe('distinctive lines that it removed'),
  asked: z.array(said).describe('`by` is `user` if a person is known to have typed it'),
  decided: z
    .array(said)
    .describe('notes, answers of the user to the agent, and plans that the user accepted'),
  rejected: z.array(said),
  account: z.array(said).describe("the agent's words, the last answer last"),
});

export const changeAnswer = object('Change', {
  name: text,
  base: text,
  head: text.describe('empty for what is staged'),
  commits: listOf({ hash: text, at: time, author: text, subject: text, message: text }),
  files: listOf({ path: text, added: count, removed: count, writers: z.array(writer) }),
  turns: z.array(turn).describe('turns of agent sessions that led to the change, oldest first'),
  tried: z.array(failedPath).describe('edits of these files that were taken back'),
  tests: listOf({
    command: text,
    result: z.enum(['passed', 'failed']),
    isBeforeLastEdit: z.boolean().describe('files were edited after it'),
  }),
  open: z.array(text).describe('what is unfinished'),
});
export type ChangeAnswer = z.infer<typeof changeAnswer>;
export type ChangeTurn = z.infer<typeof turn>;
export type ChangeWriter = z.infer<typeof writer>;
