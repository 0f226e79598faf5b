import type { NoteKind } from './note.ts';

/** The kinds of notes that users write: the same words on every surface and in note files. */
export const topicKinds = [
  'decision',
  'rule',
  'preference',
  'fact',
  'failed',
  'open',
] as const satisfies readonly NoteKind[];

export type TopicKind = (typeof topicKinds)[number];

export const isTopicKind = (kind: string): kind is TopicKind =>
  (topicKinds as readonly string[]).includes(kind);
