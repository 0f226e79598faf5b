import type { ChunkFilter, ChunkKind } from '../domain/chunk.ts';
import { noteKinds } from '../domain/note.ts';
import type { DateFit } from '../text/dates.ts';
import { queryTerms } from '../text/words.ts';
import { listNewest, type Search } from './gather.ts';
import { asWords, type Question } from './question.ts';
import type { Ranked } from './rank.ts';

/**
 * "What did we do yesterday?" names a time and nothing to look for in it. No text holds its words, so it is answered
 * by what was asked, settled and committed then, the latest first.
 */
export function dateOnly(text: string, { dates }: Question): DateFit | undefined {
  if (dates === undefined) return undefined;
  const { terms, isCommon } = queryTerms(asWords(text).replace(ofTime, ' '));
  return terms.length === 0 || isCommon ? dates : undefined;
}

/** Words for times and for doing anything at all. */
const ofTime =
  /\b(?:today|yesterday|(?:this|last|past) (?:week|month)|\d{1,3} (?:days?|weeks?|months?) ago|(?:19|20)\d\d-\d\d(?:-\d\d)?|show|tell|list|happen(?:ed)?|work(?:ed|ing)?|sessions?|things?|everything|project|here)\b/giu;

/** Edits and commands of a day are many, and what was asked tells more. */
const telling: ChunkKind[] = [...noteKinds.filter((kind) => kind !== 'knowledge'), 'prompt', 'commit'];
const maxChunksScanned = 2_000;

export async function listFromDate(
  search: Pick<Search, 'index' | 'tail'>,
  filter: ChunkFilter,
  dates: DateFit,
): Promise<Ranked[]> {
  const chunks = await listNewest(search, { ...filter, kinds: filter.kinds ?? telling }, maxChunksScanned);
  const seen = new Set<string>();
  return chunks
    .filter(({ at }) => dates(at) > 0)
    .filter(({ sourceId }) => !seen.has(sourceId) && seen.add(sourceId))
    .map((chunk) => ({ chunk, score: dates(chunk.at), why: { date: dates(chunk.at) }, coverage: 1 }));
}
