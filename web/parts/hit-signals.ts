import type { ShownHit } from '../api.ts';

/** Labels for users of the ranking signals. */
const signalWords: Record<string, string> = {
  words: 'has your words',
  pairs: 'has your words next to each other',
  passage: 'has a passage like your question',
  meaning: 'has a similar meaning',
  neighbours: 'is beside another match',
  name: 'has the name that you searched',
  reason: 'gives a reason',
  kind: 'settles or explains something',
};

/** The signals of a hit in words with their share of its score, the largest first. */
export const signalsOf = ({ why }: Pick<ShownHit, 'why'>): { words: string; share: number }[] =>
  Object.entries(why)
    .filter(([, share]) => share > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, share]) => ({ words: signalWords[name] ?? name, share }));

const topSignals = (hit: Pick<ShownHit, 'why'>): string[] =>
  signalsOf(hit)
    .slice(0, 2)
    .map(({ words }) => words);

/** What counts most for each hit, without what counts most for more than half of them: that tells no two apart. */
export function distinctSignals(hits: Pick<ShownHit, 'why'>[]): string[][] {
  const counts = Map.groupBy(hits.flatMap(topSignals), (words) => words);
  const isCommon = (words: string): boolean =>
    (counts.get(words)?.length ?? 0) > Math.max(1, hits.length / 2);
  return hits.map((hit) => topSignals(hit).filter((words) => !isCommon(words)));
}
