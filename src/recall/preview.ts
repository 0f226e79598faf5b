import type { Chunk } from '../domain/chunk.ts';
import { type CorpusStatistics, rarity } from '../text/bm25.ts';
import { harmlessLine } from '../text/fence.ts';
import type { FoundTerms } from '../text/words.ts';
import { hitPreviewLimit } from './hit.ts';

/** One line for a hit. For a long text, the passage with most of the question's terms, from the start of a line or sentence. */
export function previewOf(
  { kind, text }: Pick<Chunk, 'kind' | 'text'>,
  find: (text: string) => FoundTerms,
  corpus: CorpusStatistics,
  limit = hitPreviewLimit,
): string {
  // The first line of a command's chunk says how the command ended, so a passage of its output must not replace it.
  if (text.length <= limit || kind === 'command') return harmlessLine(text, limit);
  const passages = text.split(/(?<=[.!?])\s+|\n+/).filter((passage) => passage.trim() !== '');
  const terms = passages.map((passage) => {
    const { places, idents } = find(passage);
    return [...places.keys(), ...idents];
  });
  const worthFrom = (start: number): number => {
    const covered = new Set<string>();
    let length = 0;
    for (let at = start; at < passages.length; at++) {
      length += (passages[at] as string).length + 1;
      if (at > start && length > limit) break;
      for (const term of terms[at] as string[]) covered.add(term);
    }
    let worth = 0;
    for (const term of covered) worth += rarity(corpus, term);
    return worth;
  };
  let [best, worth] = [0, 0];
  for (const [start, found] of terms.entries()) {
    if (found.length === 0) continue;
    const own = worthFrom(start);
    if (own > worth) [best, worth] = [start, own];
  }
  return best === 0
    ? harmlessLine(text, limit)
    : `… ${harmlessLine(passages.slice(best).join(' '), limit - 2)}`;
}
