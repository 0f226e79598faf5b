import type { Comparison, OldVersion } from './compare-lines.ts';
import type { CurrentCode } from './current-code.ts';
import type { SourceText } from './source-text.ts';
import { isStillDefined } from './still-defined.ts';

export type Lost = Extract<Comparison, { kind: 'lost' }>;

/** Nothing of it is left. */
export const wholly = ({ block }: OldVersion): Lost => ({
  kind: 'lost',
  keptLines: 0,
  of: block.length,
  replacement: { lines: 0, likeness: 0, isTelling: false },
});

const isOfSize = ({ lines }: Lost['replacement'], of: number): boolean => Math.abs(lines - of) <= of / 4;

export const isMostlyGone = ({ keptLines: kept, of }: Lost): boolean => kept / of < minKeptShare;

/** Some of it stands: then it was changed. Of nothing that stands, what is there instead has to tell. */
const minSimilarity = 0.5;
const hardlyAlike = 0.3;
const minKeptShare = 0.34;

export async function stateOf(
  origin: OldVersion,
  path: string,
  lost: Lost,
  file: SourceText | undefined,
  now: CurrentCode,
): Promise<'changed' | 'gone'> {
  if (file === undefined) return 'gone';
  const { keptLines: kept, replacement } = lost;
  if (!isMostlyGone(lost) || replacement.likeness >= minSimilarity) return 'changed';
  const isDefined = await isStillDefined(origin, path, file, now);
  if (isDefined === false) return 'gone';
  if (kept > 0) return 'changed';
  if (isDefined === true) return replacement.isTelling ? 'changed' : 'gone';
  // Of lines that are known by their hashes alone, no word can be compared: as many others are another version of them.
  if (origin.by === 'hashes')
    return replacement.isTelling && isOfSize(replacement, lost.of) ? 'changed' : 'gone';
  return replacement.isTelling && replacement.likeness >= hardlyAlike ? 'changed' : 'gone';
}
