import { z } from 'zod';
import { memorySources, roles, scopes } from '../../domain/memory.ts';
import { count, isoTime, listOf, named, nextCursor, object, projectName, text } from './fields.ts';
import { chunk, dispute, hitFields, recallFields } from './memory.ts';
import { problem } from './problem.ts';

/** Answers that only a team server gives. */
const memoryKey = {
  documentId: text,
  project: text,
  source: z.enum(memorySources),
  sourceRef: text.describe('identifies the issue, comment, job or note it comes from'),
};

export const teamEvent = object('TeamEvent', {
  id: text,
  event: z.enum(['memory:indexed', 'memory:removed', 'reset']),
  data: z.record(text, z.unknown()),
});

const details = {
  ...memoryKey,
  metadata: z.record(text, z.unknown()),
  trust: z.literal([0, 1]).describe('1: by a teammate or their agent, 0: from outside the team'),
  embeddedAt: isoTime.nullable(),
  kind: text,
  author: z.strictObject({ id: text, name: text }).nullable(),
  visibility: z.enum(['team', 'private']),
  revision: count,
  created: isoTime,
  updated: isoTime,
  issues: z.array(text),
  disputes: listOf({ by: text, at: isoTime })
    .optional()
    .describe('members who say that the note is wrong, unless its author has answered'),
};
const memoryDetails = object('MemoryDetails', details);
export type MemoryDetails = z.infer<typeof memoryDetails>;
const teamMemory = object('TeamMemory', { ...details, text, files: z.array(text), concepts: z.array(text) });
export type TeamMemory = z.infer<typeof teamMemory>;

const { text: _, ...hitWithoutText } = hitFields;
const teamHit = object('TeamHit', {
  ...hitWithoutText,
  text: text.optional().describe('absent with `format=index`'),
  memory: memoryDetails,
});
export type TeamHit = z.infer<typeof teamHit>;
export const teamRecallPage = object('TeamRecallPage', {
  project: projectName,
  items: z.array(teamHit),
  ...recallFields,
  nextCursor,
});
export type TeamRecallPage = z.infer<typeof teamRecallPage>;

export const teamTimeline = object('TeamTimeline', {
  project: projectName,
  anchor: chunk.optional(),
  items: z.array(chunk.extend({ memory: memoryDetails })).describe('oldest first'),
});
export type TeamTimeline = z.infer<typeof teamTimeline>;

const storedMemory = object('StoredMemory', {
  ...memoryKey,
  text,
  metadata: z.record(text, z.unknown()),
  trust: z.literal([0, 1]),
  embeddedAt: isoTime.nullable(),
});
export type StoredMemory = z.infer<typeof storedMemory>;
export const memoryPage = object('MemoryPage', {
  items: z.array(storedMemory),
  nextCursor,
});

const saved = { documentId: text, isChanged: z.boolean(), embeddedAt: isoTime.nullable() };
export const savedMemory = object('SavedMemory', { ...memoryKey, ...saved });
export type SavedMemory = z.infer<typeof savedMemory>;
export const savedMemories = object('SavedMemories', { items: listOf(saved) });
export const removedMemory = object('RemovedMemory', { documentId: text, removed: z.literal(true) });
export type RemovedMemory = z.infer<typeof removedMemory>;
export const queued = object('Queued', { project: text, status: z.literal('queued') });
export type Queued = z.infer<typeof queued>;

export const openedMemory = object('OpenedMemory', {
  memory: teamMemory,
  related: listOf({
    documentId: text,
    kind: text,
    source: z.enum(memorySources),
    trust: z.number(),
    title: text,
    shared: count.describe('links that both memories have'),
  }),
});
export type OpenedMemory = z.infer<typeof openedMemory>;

export const teamStats = object('TeamStats', {
  project: projectName,
  days: count,
  total: count,
  truncated: z.boolean().describe('only the newest memories were counted'),
  private: count,
  waiting: count.describe('memories without vectors'),
  lastAt: isoTime.nullable(),
  bySource: listOf({ source: z.enum(memorySources), count }),
  byKind: listOf({ kind: text, count }),
  byAuthor: listOf({ id: text.nullable(), name: text.nullable(), count }),
  byDay: listOf({ day: text, count }),
  model: z.strictObject({ name: text, dims: count }).nullable(),
});
export type TeamStats = z.infer<typeof teamStats>;

/** The other fields are tags, as the program sent them that saved the note. Only a laptop of the team sends all of them. */
const teamNote = named(
  'TeamNote',
  z
    .looseObject({ id: text, text })
    .describe('with kind, concepts, files, created, updated, author, device and rev'),
);
export const cachedMemory = object('CachedMemory', {
  id: text,
  revision: count,
  source: z.enum(memorySources),
  sourceRef: text,
  kind: text,
  author: text,
  updated: isoTime,
  files: z.array(text),
  issues: z.array(text),
  about: text.optional().describe('the issue that it is, or that it comments on'),
  commits: z.array(text),
  text,
});
/** The part of a team's memory that a laptop shows. */
export type CachedMemory = z.infer<typeof cachedMemory>;
export const synced = object('SyncAnswer', {
  outcomes: listOf({
    id: text,
    outcome: z.enum(['kept', 'conflict', 'forgotten', 'refused']),
    revision: count,
    problem: problem.optional().describe('why a note of somebody else was refused'),
  }),
  disputes: listOf({ id: text, outcome: z.enum(['kept', 'recorded', 'refused']) })
    .optional()
    .describe(
      'whether each dispute was stored; `recorded`: teammates are still told the note until somebody else disputes it, because the caller silences five others alone',
    ),
  changes: listOf({
    id: text,
    revision: count,
    isYours: z.boolean(),
    isRemovedByYou: z.boolean(),
    removedBy: text.optional().describe('who removed the note'),
    note: teamNote.optional(),
    disputes: listOf({ ...dispute, isYours: z.boolean() })
      .optional()
      .describe('who calls the note wrong'),
  }),
  version: count,
  epoch: text.optional(),
  isComplete: z.boolean(),
  memories: z
    .strictObject({
      changed: z.array(cachedMemory).describe('issues, comments and jobs that are new or have changed'),
      gone: z.array(text).describe('ids that are no longer among the newest'),
      writers: listOf({ memory: text, person: text, name: text })
        .optional()
        .describe('all memories of the copy whose account in the tracker is linked to a member'),
    })
    .optional(),
});
export type Synced = z.infer<typeof synced>;
/** A member who wrote a memory: the account in the tracker is linked to them. */
export type MemoryWriter = NonNullable<NonNullable<Synced['memories']>['writers']>[number];

export const applied = object('AppliedChange', {
  outcome: text,
  documentId: text,
  project: text,
  source: text,
  sourceRef: text,
});
export const delivered = object('Delivered', { outcome: text, documentId: text.optional() });

const teamProject = object('TeamProject', { id: text, name: text, role: z.enum(roles) });
export type TeamProject = z.infer<typeof teamProject>;
export const teamProjects = object('TeamProjects', { items: z.array(teamProject) });
export type TeamProjects = z.infer<typeof teamProjects>;
export const me = object('Me', {
  org: text,
  principal: text,
  person: text,
  kind: z.enum(['user', 'device']),
  orgRole: z.enum(['owner', 'member']),
  scopes: z.array(z.enum(scopes)),
});
export type Me = z.infer<typeof me>;

export const approvedDevice = object('ApprovedDevice', { device: text, name: text });
export const deviceCode = object('DeviceCode', {
  code: text,
  page: text,
  expiresInMs: count,
  pollEveryMs: count,
});
export type DeviceCode = z.infer<typeof deviceCode>;
export const deviceState = object('DeviceState', { state: z.enum(['waiting', 'approved', 'gone']) });
export type DeviceState = z.infer<typeof deviceState>;
export const leftDevice = object('LeftDevice', { left: z.literal(true) });
export const browserSession = object('BrowserSession', {
  signedIn: z.boolean(),
  signInAt: text.optional().describe('where to sign in with an account, if that is possible'),
});
export type BrowserSession = z.infer<typeof browserSession>;
