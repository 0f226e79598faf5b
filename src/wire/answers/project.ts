import { z } from 'zod';
import { count, isoTime, listOf, named, object, projectName, text, time } from './fields.ts';
import { usedTokens } from './memory.ts';

export const projectList = object('ProjectList', {
  startedIn: text.nullable().describe('the project in which the server was started'),
  items: listOf({
    id: text,
    name: text,
    paths: z.array(text),
    isThere: z.boolean().describe('whether one of its folders exists'),
    created: isoTime,
    lastAt: time.nullable().describe('when something was last captured; null if nothing was'),
  }),
});
export type ProjectList = z.infer<typeof projectList>;

export const overview = object('Overview', {
  project: projectName.nullable().describe('null before the first capture'),
  waiting: count.describe('notes to review'),
  mayApprove: z.boolean().describe('a person at a terminal signed this browser in'),
  agents: z.array(text).describe('agents in which Backstory is installed'),
});
export type Overview = z.infer<typeof overview>;

export const nextSteps = object('NextSteps', { items: listOf({ command: text, reason: text }) });
export type NextSteps = z.infer<typeof nextSteps>;

const savings = {
  rereadsAvoided: count.describe('files that were not read again after Memo advised against it'),
  rereadTokens: count,
  searchesAvoided: count.describe('searches answered with a reference to an earlier answer'),
  searchTokens: count,
  preludeTokens: count,
  answerTokens: count.describe("of all answers of Backstory's MCP tools"),
  answers: count,
  definitionTokens: count.describe('of the tool definitions, whether the tools are used or not'),
  netTokens: count.describe('saved tokens minus those that Backstory itself used'),
};
const savingsAnswer = object('Savings', savings);
export type Savings = z.infer<typeof savingsAnswer>;

const baseline = z.strictObject({
  sessions: count,
  readTokens: count.describe('tokens of files, in the middle one of these sessions'),
});
export type Baseline = z.infer<typeof baseline>;

export const stats = object('Stats', {
  days: count,
  estimated: z.literal(true),
  sessions: listOf({
    agent: text,
    agentSession: text,
    lastAt: time,
    title: text.optional().describe('absent for an MCP connection whose session is not known'),
    ...savings,
  }),
  total: savingsAnswer,
  baseline: z
    .strictObject({ withBackstory: baseline, without: baseline })
    .describe('what agents read before their first edit, in the sessions of the last year that did both'),
});
export type Stats = z.infer<typeof stats>;

export const usageReport = object('UsageReport', {
  days: count,
  from: time,
  until: time.describe('the last use, if there was none later'),
  total: z.strictObject(usedTokens),
  byDay: listOf({ day: text.describe('in local time'), ...usedTokens }),
  byModel: listOf({ model: text, ...usedTokens }),
  bySession: listOf({
    agentSession: text,
    agent: text,
    title: text.optional(),
    lastAt: time,
    ...usedTokens,
  }),
});
export type UsageReport = z.infer<typeof usageReport>;

export const spent = object('Spent', { tokens: count, usd: z.number(), calls: count });
export const liveEvent = object('LiveEvent', {
  id: text.describe('`lastEventId` of a client that resumes after this event'),
  event: z
    .enum([
      'ready',
      'reset',
      'memory:captured',
      'memory:indexed',
      'note:candidate',
      'note:changed',
      'drain:progress',
      'spend',
    ])
    .describe(
      '`ready`: nothing is missed from now on. `reset`: events were missed; ask for everything again',
    ),
  data: z.strictObject({
    project: text,
    at: isoTime,
    ...z
      .strictObject({
        ...{ id: text, kind: text, title: text, state: text, rev: count },
        gone: count.describe('notes that were removed'),
        more: count.describe('changed notes that have no event of their own'),
        running: z.boolean(),
        ...{ logBytes: count, indexedBytes: count, isComplete: z.boolean() },
        ...{ today: spent, month: spent },
      })
      .partial().shape,
  }),
});
export type LiveEvent = z.infer<typeof liveEvent>;

export const caps = object('SpendCaps', {
  dailyTokens: count,
  monthlyTokens: count,
  dailyUsd: z.number(),
  monthlyUsd: z.number(),
});
export type Caps = z.infer<typeof caps>;
export const spend = object('Spend', {
  model: text.describe('the chosen model, or off'),
  isPriceAssumed: z.boolean(),
  caps,
  today: spent,
  month: spent,
  ever: spent,
  byModel: listOf({
    provider: text,
    model: text,
    failed: count,
    tokens: count,
    usd: z.number(),
    calls: count,
  }),
  failures: listOf({ at: time, provider: text, model: text, outcome: text, why: text }),
  ahead: count.describe('calls with a date in the future'),
  unreadable: count,
  ledger: text.describe('path'),
  days: count,
  entries: listOf({
    at: isoTime,
    provider: text,
    model: text,
    purpose: text,
    project: text,
    tokensIn: count,
    tokensOut: count,
    costUsd: z.number(),
    outcome: text,
    notes: count,
  }),
});
export type Spend = z.infer<typeof spend>;

export const logDamage = object('LogDamage', {
  kind: z.enum(['line', 'changed', 'shortened', 'missing', 'manifest']),
  file: text,
  detail: text,
  offset: count.optional(),
  length: count.optional(),
  line: count.optional().describe('starts at 1'),
  at: isoTime.optional().describe('when it was detected'),
});
/**
 * `line`: it does not match its checksum. `changed`: lines were changed, deleted, added or moved, but every line matches
 * its checksum. `manifest`: the manifest itself is damaged.
 */
export type LogDamage = z.infer<typeof logDamage>;

const doubtfulApproval = z
  .strictObject({
    note: text,
    action: text,
    at: isoTime,
    from: text.describe('the terminal and the programs that ran the command, or `viewer`'),
  })
  .describe('an approval while an agent was working, in the last 30 days');
export type DoubtfulApproval = z.infer<typeof doubtfulApproval>;

const prompts = z
  .strictObject({
    person: count,
    unconfirmed: count.describe('nobody saw who typed them'),
    agent: count.describe('it was seen that no person typed them'),
    waiting: count.describe('of the unconfirmed, those about which `backstory import` asks a person'),
  })
  .describe('by who typed them');
export type PromptCounts = z.infer<typeof prompts>;

/** The state of a project, of which `status` prints more. */
export const statusFields = {
  project: text,
  name: text,
  root: text,
  capture: z.enum(['on', 'off']),
  reason: text.optional(),
  installs: listOf({ agent: text, scope: text }),
  events: z.record(text, count).describe('by kind'),
  notes: count,
  candidates: count,
  unreadSessions: count.describe('sessions that are not searched for statements yet'),
  untrusted: count.describe('texts of the repository that are not trusted yet'),
  lastCapture: z.record(text, time).describe('by agent'),
  bytes: z.strictObject({ events: count, notes: count, index: count, all: count }),
  unindexedBytes: count,
  failures: count,
  prompts,
  doubtfulApprovals: listOf(doubtfulApproval.shape),
  gap: z
    .strictObject({ from: isoTime, to: isoTime, events: count, code: text })
    .optional()
    .describe('events that could not be stored and are not recorded yet'),
  log: z.strictObject({ damage: z.array(logDamage), recoverable: count, tornWrites: count }),
};

export const check = {
  name: text,
  ok: z.boolean(),
  detail: text,
  hint: text.optional(),
};

export const health = object('Health', {
  ok: z.boolean(),
  checks: listOf(check),
  status: z.strictObject(statusFields).optional().describe('absent before the first capture'),
  failures: listOf({ at: isoTime, where: text, code: text, message: text }),
  settings: listOf({
    key: text,
    value: z.union([text, z.number(), z.array(text).readonly()]),
    from: text,
    meaning: text,
  }),
});
export type Health = z.infer<typeof health>;

export const alive = object('Liveness', { status: z.literal('ok'), version: text, pid: count });
export const ending = object('ShuttingDown', { status: z.literal('ending') });
export const started = object('ReindexStarted', { status: z.literal('started'), project: text });
export const rejected = object('Rejected', { rejected: text.describe('id of the note') });
export type Rejected = z.infer<typeof rejected>;

export const searchHelp = object('SearchHelp', {
  title: text,
  version: text,
  authorization: text,
  steps: z.array(text),
  endpoints: listOf({
    method: text,
    path: text,
    description: text,
    parameters: listOf({
      name: text,
      type: z.unknown(),
      required: z.boolean(),
      values: z.unknown().optional(),
      default: z.unknown().optional(),
      description: z.unknown().optional(),
    }),
  }),
});

export const openApi = named('OpenApi', z.record(text, z.unknown())).describe('An OpenAPI 3.1 document');
