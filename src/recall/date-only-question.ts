import type { ChunkFilter, ChunkKind } from '../domain/chunk.ts';
import { noteKinds } from '../domain/note.ts';
import { type DateFit, withoutDates } from '../text/dates-in-text.ts';
import { queryTerms } from '../text/words.ts';
import { listNewest, type Search } from './gather.ts';
import { asWords, type Question } from './question.ts';
import type { Ranked } from './rank.ts';

/**
 * "What did we do yesterday?" names a time but no subject, so matching words is useless. It is answered with the
 * prompts, notes and commits of that time, newest first.
 */
export function dateOnly(text: string, { dates }: Question): DateFit | undefined {
  if (dates === undefined) return undefined;
  const { terms, isCommon } = queryTerms(withoutDates(asWords(text)).replace(activityWords, ' '));
  return terms.length === 0 || isCommon ? dates : undefined;
}

const activityWords =
  /\b(?:show|tell|list|happen(?:ed)?|work(?:ed|ing)?|sessions?|things?|everything|project|here|changed?|done)\b/giu;

/**
 * Kinds listed for a question that names only a date. Edits and commands are left out: a day has many of them, and
 * prompts say more.
 */
const listedKinds: ChunkKind[] = [...noteKinds.filter((kind) => kind !== 'knowledge'), 'prompt', 'commit'];
const maxChunksScanned = 2_000;

export async function listFromDate(
  search: Pick<Search, 'index' | 'tail'>,
  filter: ChunkFilter,
  dates: DateFit,
): Promise<Ranked[]> {
  const chunks = await listNewest(
    search,
    { ...filter, kinds: filter.kinds ?? listedKinds },
    maxChunksScanned,
  );
  const seen = new Set<string>();
  const ofThatTime = chunks.filter(({ at }) => dates(at) > 0);
  const exact = ofThatTime.filter(({ at }) => dates(at) > 1);
  // "On 9 October" wants that day. If nothing is from that day, the rest of the month is the nearest, or else the last
  // day on which anything happened.
  const lastDay = chunks.filter(({ at }) => dayOf(at) === dayOf(chunks[0]?.at ?? 0));
  return ([exact, ofThatTime, lastDay].find(({ length }) => length > 0) ?? [])
    .filter(({ sourceId }) => !seen.has(sourceId) && seen.add(sourceId))
    .map((chunk) => ({ chunk, score: dates(chunk.at), why: { date: dates(chunk.at) }, coverage: 1 }));
}

const dayOf = (at: number): number => Math.floor(at / 86_400_000);
