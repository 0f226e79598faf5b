import { z } from 'zod';
import type { FailedPath } from '../../domain/failed-path.ts';
import { count, named, text, time } from './fields.ts';
import { failedPath, said } from './memory.ts';

const writer = z.strictObject({
  agent: text,
  model: text.optional(),
  lines: count.describe('added lines that it wrote'),
});

const changedFile = z.strictObject({
  path: text,
  from: text.optional().describe('the path before the change, if the file was renamed'),
  added: count,
  removed: count,
  writers: z
    .array(writer)
    .describe('largest part first; the other lines are by people, or nobody recorded them'),
});

const exchange = z.strictObject({ question: text, answer: said });

const turn = z.strictObject({
  agent: text,
  model: text.optional(),
  agentSession: text,
  at: time,
  lines: count.describe('added lines that it wrote; 0 if it led to others, or its lines were changed later'),
  files: z.array(
    z.strictObject({
      path: text,
      lines: z.array(z.tuple([count, count])).describe('ranges after the change'),
    }),
  ),
  removed: count.describe('distinctive lines that it removed'),
  asked: z.array(said).describe('what the user typed'),
  untyped: z.array(said).describe('prompts that are not known to be typed by a person'),
  plan: said.optional().describe("the agent's plan that the user accepted"),
  exchanges: z.array(exchange).describe('questions of the agent with the answers of the user'),
  decisions: z.array(said).describe('notes kept of what was said'),
  rejected: z.array(said),
  account: z.array(said).describe("the agent's words, the last answer last"),
});

export const changeAnswer = named(
  'Change',
  z.strictObject({
    name: text,
    base: text,
    head: text.describe('empty for what is staged'),
    commits: z.array(z.strictObject({ hash: text, at: time, author: text, subject: text, body: text })),
    files: z.array(changedFile),
    turns: z.array(turn).describe('the turns of agent sessions that led to the change, oldest first'),
    tried: z.array(failedPath).describe('edits of these files that were taken back'),
    tests: z.array(
      z.strictObject({
        command: text,
        result: z.enum(['passed', 'failed']),
        at: time,
        isBeforeLastEdit: z.boolean().describe('the files were edited after it'),
      }),
    ),
    open: z.array(text).describe('what is unfinished'),
  }),
);
export type ChangeAnswer = Omit<z.infer<typeof changeAnswer>, 'tried'> & { tried: FailedPath[] };
export type ChangeTurn = z.infer<typeof turn>;
