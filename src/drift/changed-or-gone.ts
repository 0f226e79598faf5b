import type { Comparison, OldVersion } from './compare-lines.ts';
import type { CurrentCode } from './current-code.ts';
import type { SourceText } from './source-text.ts';
import { isStillDefined } from './still-defined.ts';

export type Lost = Extract<Comparison, { kind: 'lost' }>;

/** The result if the whole file is gone. */
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

/** Decides between changed and gone, by the lines that remain, the parser, and the text that replaced them. */
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
  // Words cannot be compared if only hashes are known. Then about as many new lines count as a changed version.
  if (origin.by === 'hashes')
    return replacement.isDistinctive && isSimilarSize(replacement, lost.of) ? 'changed' : 'gone';
  return replacement.isDistinctive && replacement.similarity >= minSimilarity ? 'changed' : 'gone';
}
