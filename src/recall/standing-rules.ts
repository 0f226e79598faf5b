import { type ChunkFilter, isSetAside } from '../domain/chunk.ts';
import { listNewest, type Search } from './gather.ts';
import { byScore, type Ranked } from './rank.ts';
import { sliceOf } from './slice.ts';

/** How many hits come before the first rule, how many rules are added at most, and how many are looked at. */
const hitsBefore = 8;
const maxAdded = 2;
const maxRules = 100;

/**
 * Adds lasting rules of the user after the best hits. A rule can matter for a question that shares no
 * word with it ("always give dates as ISO" and "when is the release?"), but it seldom is the answer itself.
 */
export async function withStandingRules(ranked: Ranked[], search: Search): Promise<Ranked[]> {
  const { question, filter, find, corpus } = search;
  const isAsked = filter.kinds === undefined || filter.kinds.includes('rule');
  if (question.isLookup || !isAsked || ranked.length === 0) return ranked;
  const only: ChunkFilter = { ...filter, source: 'note', kinds: ['rule'] };
  const rules = (await listNewest(search, only, maxRules))
    .filter((chunk) => chunk.trust >= 2 && !isSetAside(chunk))
    .map((chunk) => ({ chunk, score: sliceOf(chunk, find, corpus).words }))
    .sort(byScore);
  const first = ranked.slice(0, hitsBefore);
  const shown = new Set(first.map(({ chunk }) => chunk.sourceId));
  const added = rules.filter(({ chunk }) => !shown.has(chunk.sourceId) && shown.add(chunk.sourceId));
  const score = first.at(-1)?.score ?? 0;
  const placed = added
    .slice(0, maxAdded)
    .map(({ chunk }) => ({ chunk, score, why: { rule: score }, coverage: 0 }));
  const ids = new Set(placed.map(({ chunk }) => chunk.sourceId));
  return [...first, ...placed, ...ranked.slice(hitsBefore).filter(({ chunk }) => !ids.has(chunk.sourceId))];
}
