import type { NoteKind } from './note.ts';

/** The kinds of statements that a topic may have, with the names that people and models use. */
export const topicKindNames = {
  decision: 'decision',
  convention: 'rule',
  preference: 'preference',
  fact: 'fact',
  open: 'open',
  'failed-path': 'failed',
} as const satisfies Partial<Record<NoteKind, string>>;

export type TopicKind = keyof typeof topicKindNames;

export const isTopicKind = (kind: string): kind is TopicKind => Object.hasOwn(topicKindNames, kind);

/** Parses a kind as it is shown or as notes store it: "rule" and "convention" are the same. */
export function parseTopicKind(name: string): TopicKind | undefined {
  const wanted = name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
    .replace(/-approach$/, '');
  const shown = Object.entries(topicKindNames).find(([, title]) => title === wanted)?.[0] ?? wanted;
  return isTopicKind(shown) ? shown : undefined;
}
