import { z } from 'zod';
import { sessionEndings } from '../../domain/agent-session.ts';
import { matcherKinds } from '../../domain/match.ts';
import { memorySources } from '../../domain/memory.ts';
import { importances, noteKinds, noteStates, verdicts } from '../../domain/note.ts';
import { observationTypes } from '../../domain/observation.ts';
import {
  agent,
  count,
  isoTime,
  listOf,
  named,
  nextCursor,
  object,
  page,
  projectName,
  text,
  time,
} from './fields.ts';

/**
 * `current`: every line still exists, in the same file and order. `changed`: some exist, or other code replaced them.
 * `elsewhere`: it was written on another branch, and never was on this one. `unanchored`: the memory refers to no code.
 * `unchecked`: there was no time for the check, or nothing to compare with.
 */
export const driftState = named(
  'DriftState',
  z.enum(['current', 'moved', 'changed', 'gone', 'elsewhere', 'unanchored', 'unchecked']),
);
export type DriftState = z.infer<typeof driftState>;

export const drift = object('Drift', {
  state: driftState,
  path: text.optional().describe('where the code is, or was'),
  from: count.optional(),
  to: count.optional(),
  symbol: text.optional(),
  was: text.optional().describe('the file before the move'),
  by: text.optional().describe('the commit that changed or removed it, or "uncommitted"'),
  branch: text.optional().describe('the branch that has the code'),
  keptLines: count.describe('number of lines that still exist'),
  of: count.describe('number of lines it was anchored to'),
});
/** The state of the code that a memory refers to. */
export type Drift = z.infer<typeof drift>;

const trust = z.number().describe('3: you wrote it, 2: you approved it, 1: an agent, 0: others');

const hitStatement = object('HitStatement', { id: text, text, at: isoTime });
export type HitStatement = z.infer<typeof hitStatement>;

/** Whether a note holds, as every surface says it. */
export const standing = {
  state: z.enum(noteStates),
  closedBy: hitStatement.optional().describe('what closed it; an event or `user` has no text'),
  changedBy: hitStatement.optional().describe('a later statement that may have changed it'),
  doubtedSince: isoTime.optional().describe('what had closed it was forgotten'),
};
export type NoteStanding = z.infer<z.ZodObject<typeof standing>>;

const chunkFields = {
  id: text,
  project: text,
  source: z.enum(['event', 'note']),
  sourceId: text.describe('the event or note that contains it'),
  kind: text,
  origin: text.describe('user, assistant, tool, …'),
  trust,
  agent: text,
  agentSession: text,
  turn: text,
  branch: text,
  at: time,
  paths: z.array(text),
  concepts: z.array(text),
  state: standing.state.optional().describe('set for a note'),
  pinned: z.boolean(),
  isFailed: z.literal(true).optional().describe('set for a command that failed'),
  topic: text.optional().describe('what the statement of a note is about'),
  team: z
    .strictObject({
      name: text,
      source: z.enum(memorySources),
      author: text,
      isOnServer: z
        .literal(true)
        .optional()
        .describe('set if this machine has no copy: GET /api/v1/viewer/events/{id} opens it'),
    })
    .optional()
    .describe('set for a memory of the team: its project, kind of source and author'),
  text,
};

export const chunk = object('Chunk', chunkFields);
export const checkedChunk = object('CheckedChunk', { ...chunkFields, drift: drift.optional() });

export const dispute = {
  by: text,
  at: isoTime,
  isOverLimit: z.literal(true).optional().describe('recorded, but does not silence the note'),
  correction: text.optional().describe("id of that person's note, which states what is right"),
  keptAt: isoTime.optional().describe('when the author, or you, answered that the note holds'),
};

const match = z.partialRecord(z.enum(matcherKinds), z.array(text));

export const note = object('Note', {
  id: text,
  kind: z.enum(noteKinds),
  title: text,
  state: z.enum(noteStates),
  trust,
  pinned: z.boolean(),
  match: match.optional().describe('tool calls that go against it; the agent is told it before one'),
  enforced: z.literal(true).optional().describe('such calls are denied'),
  proposedMatch: match.optional().describe('proposed by an agent; without effect until a person accepts it'),
  mutedIn: z.array(text).optional().describe('projects whose sessions are not told it'),
  concepts: z.array(text),
  files: z.array(text),
  created: isoTime,
  updated: isoTime,
  rev: count,
  parents: z.array(text),
  author: text,
  visibility: z.enum(['private', 'team']),
  validFrom: text,
  validTo: text,
  derivedFrom: z.array(text).describe('ids of events and notes'),
  anchors: z.array(text).optional().describe('lines of code it is anchored to'),
  topic: text.optional().describe('what it is about'),
  isTopicConfirmed: z.literal(true).optional(),
  quote: text.optional().describe('the words of the user on which it is based'),
  proposal: text.optional().describe('the sentence of the agent that the quote answers'),
  replaces: z.array(text).optional().describe('ids of the notes that it replaces, according to its writer'),
  closedBy: z.array(text).optional().describe('ids of the notes or events that closed it, or `user`'),
  confirmedBy: z
    .enum(['person', 'model'])
    .optional()
    .describe('who confirmed that text, kind and topic are what the user meant'),
  confirmedAt: isoTime.optional(),
  verdict: z.enum(verdicts).optional().describe('why a model did not confirm it'),
  doubtedSince: isoTime.optional().describe('what had closed it was forgotten'),
  importance: z.enum(importances).optional().describe('as a model judged it'),
  learnedIn: z.string().optional().describe('the run of `backstory learn` that found it'),
  everywhere: z.literal(true).optional().describe('a statement of the user in every project'),
  disputes: listOf({ ...dispute, isYours: z.literal(true).optional() })
    .optional()
    .describe('who in the team says that the note is wrong'),
  text,
});
export type Note = z.infer<typeof note>;

export const createdNote = named(
  'CreatedNote',
  note.extend({
    redaction: text.optional().describe('what was taken for a secret and not stored, if anything'),
  }),
);
export type CreatedNote = z.infer<typeof createdNote>;

export const correction = object('Correction', { withdrawn: note, now: note.optional() });
export type Correction = z.infer<typeof correction>;
export const forgotten = object('Forgotten', {
  events: count,
  notes: count,
  leftInRepository: z.array(text).optional().describe('files that still contain the text'),
});
export type Forgotten = z.infer<typeof forgotten>;

const speaker = z
  .enum(['user', 'agent', 'tool', 'unconfirmed'])
  .describe('`unconfirmed`: a prompt of which nobody saw who typed it');
export const said = object('Quote', { id: text, at: time, by: speaker, text });
export type Quote = z.infer<typeof said>;
const quoted = object('Excerpt', { id: text, at: time, text });
const arm = z.enum(['answered', 'empty', 'failed', 'unused']);

export const failedPath = object('FailedPath', {
  path: text,
  agent,
  agentSession: text,
  at: time,
  lines: count.describe('number of lines that were added and later removed'),
  prompt: said.optional(),
  failure: said.optional().describe('the command that failed between the edit and its reversal'),
});
/** A change to a file that was reverted in the same agent session. */
export type FailedPath = z.infer<typeof failedPath>;

const titleBy = z.enum(['user', 'unconfirmed', 'agent', 'record']).describe('whose words the title has');

/**
 * What one turn was about: a prompt of the user and what the agent did until the next. It is derived from the log when
 * it is asked for, and stored nowhere.
 */
const observation = object('Observation', {
  turn: text.describe('the event of its prompt'),
  session: text,
  at: time,
  type: z.enum(observationTypes),
  title: text,
  titleBy,
  files: z.array(text).describe('changed files or, if there are none, those that were read'),
  concepts: z.array(text),
  done: text.describe('what was seen, such as edits and the results of tests'),
  ended: z.enum(sessionEndings),
  account: z
    .enum(['commit', 'agent'])
    .optional()
    .describe('whose account the type is; absent if the log proves it'),
});
export type Observation = z.infer<typeof observation>;

export const missing = z.array(text).optional().describe('those of the first 20 paths that are no file here');

/** Fields of a hit. A team server leaves the text out if only an index is asked for, and adds fields. */
export const hitFields = {
  ...chunkFields,
  preview: text.describe('at most 300 characters'),
  ...standing,
  state: chunkFields.state,
  session: z
    .strictObject({ id: text, title: text, end: z.enum(sessionEndings).optional() })
    .optional()
    .describe('the agent session of which it is the summary'),
  observation: observation.optional().describe('set if the hit is a whole turn'),
  earlier: z.array(quoted).optional().describe('superseded statements on the same topic'),
  copies: listOf({ id: text, at: time }).optional().describe('other places with the same text'),
  ranks: z
    .strictObject({ lexical: count.optional(), tail: count.optional(), dense: count.optional() })
    .describe('its rank, from 1, by words, by words in events that are not indexed yet, and by embedding'),
  score: z.number(),
  why: z
    .record(text, z.number())
    .describe('score of each signal, without the factor for the author of the text'),
  drift: drift.optional(),
  missing,
};
const hit = object('Hit', hitFields);
export type Hit = z.infer<typeof hit>;

export const usedTokens = {
  input: count.describe('tokens without cached ones'),
  output: count,
  cacheRead: count,
  cacheWrite: count,
  cost: z.number().optional().describe('US dollars, only if the agent reports it'),
};
export const usage = object('Usage', {
  models: z.array(text).describe("the main agent's first, then by tokens written"),
  ...usedTokens,
});

export const sessionFields = {
  id: text,
  agent,
  branch: text,
  firstAt: time,
  lastAt: time,
  prompts: count,
  answers: count,
  edits: count,
  commands: count,
  failedCommands: count,
  usage: usage.optional().describe('models and tokens, as the transcript reports them'),
  files: z.array(text).describe('files that the session changed'),
  title: text.describe('what it was for'),
  titleBy,
  name: text.optional().describe('the title without what the session made, if it names that too'),
  thread: text
    .optional()
    .describe('the first of the sessions that have its name or pull request, if there are several'),
  pullRequests: z.array(text).optional().describe('addresses of those that it made or worked on'),
  end: z.enum(sessionEndings).optional().describe('absent if it is not known'),
  summary: text.optional().describe("facts and, marked, a model's account"),
};
export const agentSession = object('AgentSession', sessionFields);
export type AgentSession = z.infer<typeof agentSession>;

/** What an answer of recall says beside its hits. */
export const recallFields = {
  sessions: z
    .array(agentSession)
    .optional()
    .describe('the sessions of a list, newest first, or of the hits, best first'),
  total: count.optional().describe('in a list of notes or sessions: how many there are'),
  closed: count.optional().describe('how many notes a list leaves out because they no longer hold'),
  recap: z
    .array(text)
    .optional()
    .describe('the last work here, if the question asked for it or there was none'),
  failedPaths: z.array(failedPath).optional().describe('reverted attempts in the files of the question'),
  match: z.enum(['good', 'weak', 'none']).describe('`weak`: the best hit is probably no answer'),
  arms: z.strictObject({ lexical: arm, tail: arm, dense: arm }),
  incomplete: z.boolean().describe('some of the newest events could not be searched'),
  truncated: z.boolean(),
  team: z
    .strictObject({
      name: text,
      state: z
        .enum(['answered', 'silent', 'refused', 'not-asked'])
        .describe(
          '`silent`: unreachable or too slow. `refused`: this machine is not accepted. `not-asked`: there was no question, or capture is off',
        ),
      syncedAt: isoTime.optional().describe('when the local copy was last updated'),
    })
    .optional()
    .describe('whether the server of the team took part in the answer'),
};

export const recallPage = object('RecallPage', {
  project: projectName,
  items: z.array(hit).describe('best first'),
  ...recallFields,
  nextCursor,
});
export type RecallPage = z.infer<typeof recallPage>;

export const timelinePage = object('Timeline', {
  project: projectName,
  anchor: chunk.optional(),
  items: z.array(checkedChunk).describe('oldest first'),
});

const reason = z.strictObject({
  name: text.optional().describe('what it was for, in one line: the request, after the title of the session'),
  title: text.optional().describe('the title of the session, if it is not the request'),
  prompt: said.optional().describe('what the user asked for'),
  answers: said.optional().describe('what the agent had said before a prompt that says too little alone'),
  decisions: z
    .array(said)
    .describe('options of dialogs that the user chose, accepted plans, and statements that hold'),
  rejected: z.array(said).describe('alternatives that were turned down'),
  account: said.optional().describe("the agent's own summary"),
  failures: z.array(said).describe('commands that failed after the edit'),
});

const claim = z.strictObject({
  source: z.enum(['git-ai', 'trailer']).describe('a Git AI note, or a trailer of the commit message'),
  tool: text.describe('the agent that is said to have written the lines'),
  model: text.optional(),
  by: text.describe('where the claim is and whose it is, such as `a git note of Ada`'),
});
export type Claim = z.infer<typeof claim>;

export const origin = z.strictObject({
  lines: z.array(z.tuple([count, count])).describe('first and last line of each range'),
  count: count.describe('number of lines'),
  text,
  commit: z
    .strictObject({ hash: text, at: time, author: text, summary: text, message: text, path: text })
    .optional()
    .describe('absent if the lines are not committed'),
  session: z
    .strictObject({
      agent: text,
      agentSession: text,
      turn: text,
      at: time,
      branch: text,
      edit: text.describe('event id of the edit'),
      model: text.optional().describe('the model that the agent used, if its transcript names it'),
    })
    .optional()
    .describe('the agent session that wrote the lines; absent if none is known'),
  isUnsure: z.literal(true).optional().describe('several sessions may have written the lines'),
  claims: z
    .array(claim)
    .optional()
    .describe('what notes and trailers of the commit say about the lines; anybody can write them'),
  reason: reason.optional(),
});

export type Origin = z.infer<typeof origin>;
export type Reason = NonNullable<Origin['reason']>;

export const whyAnswer = object('Why', {
  path: text,
  from: count,
  to: count,
  origins: z.array(origin),
  notes: z.array(checkedChunk),
  failedPaths: z.array(failedPath),
});

export const notePage = object('NotePage', page(note));

const changes = z
  .array(z.tuple([note, note]))
  .describe('pairs of active notes: a statement, and a later one that may have changed it');

export const noteSource = object('NoteSource', {
  id: text,
  kind: text,
  at: time,
  agent: text,
  agentSession: text,
  branch: text,
  text,
});
export type NoteSource = z.infer<typeof noteSource>;

const code = text.optional().describe('what sessions are told about its code, if that has changed');

const toldLine = {
  section: text,
  text,
  reason: text,
  leftOut: z.literal([1, 2]).optional().describe('left out first if there is no room: 2 before 1'),
  line: text
    .optional()
    .describe('key to mute the line, if it tells no note; the same if the figures in it change'),
  code,
  isOfHead: z.literal(true).optional().describe('left out if another commit is checked out'),
};
const sourcedLine = object('SourcedLine', {
  ...toldLine,
  note: note.optional(),
  source: noteSource.optional(),
});
export type SourcedLine = z.infer<typeof sourcedLine>;
const preludeLine = z.strictObject({
  ...toldLine,
  note: text.optional().describe('id of the note'),
  event: text.optional().describe('id of the event, if the line tells no note'),
});
export type PreludeLine = z.infer<typeof preludeLine>;
export const prelude = object('Prelude', {
  text,
  tokens: count,
  characters: count,
  lines: z.array(preludeLine),
  muted: z.array(preludeLine).optional().describe('lines that a person muted'),
  since: z.array(text),
  comparedWith: text.optional().describe('the checkout, if it is not the current one'),
});
export const mutedLine = object('MutedLine', { line: text, isMuted: z.boolean() });

const sourced = object('SourcedNote', { note, source: noteSource.optional() });
export type SourcedNote = z.infer<typeof sourced>;

export const today = object('Today', {
  prelude: z.strictObject({
    tokens: count,
    characters: count,
    since: z.array(text),
    lines: z.array(sourcedLine),
    muted: z.array(preludeLine),
  }),
  waiting: z.strictObject({ items: z.array(sourced), total: count, changes: count }),
  open: z.strictObject({
    items: z.array(sourced),
    total: count,
    failing: listOf({
      id: text.describe('id of the event'),
      at: time,
      command: text,
      agent: text,
      agentSession: text,
    }).describe('commands whose last run failed, of the last week of work'),
  }),
});
export type Today = z.infer<typeof today>;

/** What waits for review, with the event that each note was made from. */
export const reviewDesk = object('ReviewDesk', { ...page(sourced), changes });
export type ReviewDesk = z.infer<typeof reviewDesk>;

export const decidedNotes = object('DecidedNotes', {
  decided: count,
  changed: z.array(text).describe('ids of notes that were left because they have changed'),
});
export type DecidedNotes = z.infer<typeof decidedNotes>;

export const undoneDecisions = object('UndoneDecisions', {
  notes: listOf({ id: text, rev: count }).describe('the notes as they are again, with their new revision'),
  changed: z.array(text).describe('ids of notes whose decision could not be taken back'),
});
export type UndoneDecisions = z.infer<typeof undoneDecisions>;

const topic = object('Topic', {
  id: text,
  rev: count,
  kind: z.enum(noteKinds),
  topic: text.describe('empty if the statement has none'),
  text: text.describe('at most 400 characters'),
  pinned: z.boolean(),
  trust,
  updated: isoTime,
  files: z.array(text),
  ...standing,
  earlier: count.describe('number of statements that it replaced'),
  code,
  isTold: z.boolean().describe('whether the next session is told it'),
  isMuted: z.boolean().describe('whether the user muted it in this project'),
});
export type Topic = z.infer<typeof topic>;
/** Each note is in one of these. What is told is in `told` as well. */
export const topicLists = ['holds', 'told', 'proposed', 'closed', 'summaries'] as const;
export type TopicList = (typeof topicLists)[number];

export const topicPage = object('TopicPage', {
  ...page(topic),
  counts: z.partialRecord(z.enum(topicLists), count).describe('number of notes in each list that has any'),
});
export type TopicPage = z.infer<typeof topicPage>;

export const forgettable = object('Forgettable', {
  notes: listOf({ id: text, kind: z.enum(noteKinds), title: text }),
  events: listOf({ kind: text, count }),
});
export type Forgettable = z.infer<typeof forgettable>;
