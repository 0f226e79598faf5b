import type { Comparison, OldVersion } from './compare-lines.ts';
import type { CurrentCode } from './current-code.ts';
import type { SourceText } from './source-text.ts';
import { isStillDefined } from './still-defined.ts';

export type Lost = Extract<Comparison, { kind: 'lost' }>;

/** The comparison result for lines whose whole file is gone. */
export const allLost = ({ block }: OldVersion): Lost => ({
  kind: 'lost',
  keptLines: 0,
  of: block.length,
  replacement: { lines: 0, similarity: 0, isDistinctive: false },
});

const isSimilarSize = ({ lines }: Lost['replacement'], of: number): boolean => Math.abs(lines - of) <= of / 4;

export const isMostlyGone = ({ keptLines: kept, of }: Lost): boolean => kept / of < minKeptShare;

/** Share of common words from which code counts as changed and not as gone, even if its symbol is no longer defined. */
const certainSimilarity = 0.5;
const minSimilarity = 0.3;
const minKeptShare = 0.34;

/**
 * Decides whether code was changed or is gone, by the lines of it that remain, the parser, and the text that replaced
 * it.
 */
export async function stateOf(
  origin: OldVersion,
  path: string,
  lost: Lost,
  file: SourceText | undefined,
  now: CurrentCode,
): Promise<'changed' | 'gone'> {
  if (file === undefined) return 'gone';
  const { keptLines: kept, replacement } = lost;
  if (!isMostlyGone(lost) || replacement.similarity >= certainSimilarity) return 'changed';
  const isDefined = await isStillDefined(origin, path, file, now);
  if (isDefined === false) return 'gone';
  if (kept > 0) return 'changed';
  if (isDefined === true) return replacement.isDistinctive ? 'changed' : 'gone';
  // If only hashes of the old lines are known, words cannot be compared. Then the code counts as changed if about as
  // many new lines replaced it.
  if (origin.by === 'hashes')
    return replacement.isDistinctive && isSimilarSize(replacement, lost.of) ? 'changed' : 'gone';
  return replacement.isDistinctive && replacement.similarity >= minSimilarity ? 'changed' : 'gone';
}
