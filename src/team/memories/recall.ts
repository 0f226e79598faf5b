import type { MemoryFilter } from '../../domain/team-memory-view.ts';
import { type Hit, previewLimit, type RecallAnswer, type RecallQuery } from '../../recall/hit.ts';
import { qualityByCoverage } from '../../recall/match-quality.ts';
import { parseQuestion } from '../../recall/question.ts';
import { harmlessLine } from '../../text/fence.ts';
import { createTermFinder } from '../../text/words.ts';
import type { TeamMemory } from '../../wire/answers/team.ts';
import { checkPermission, forReaders } from '../people/permissions.ts';
import type { TokenHash } from '../store/team-store.ts';
import { memoryChunk } from './memory-chunk.ts';
import { rankTeam, type SearchParts } from './search.ts';

export interface TeamRecallQuery extends Pick<RecallQuery, 'text' | 'wordings'> {
  filter: MemoryFilter;
  limit: number;
  offset: number;
}

export interface TeamHit extends Hit {
  memory: TeamMemory;
}

export interface TeamRecall extends Omit<RecallAnswer, 'hits'> {
  project: { id: string; name: string };
  hits: TeamHit[];
}

/** How many memories that pass a filter are scanned for the words of the question, and how much of each text. */
const maxScanned = 1_000;
const maxScannedLength = 20_000;

/**
 * Finds hits for a question, as local recall does. The search returns the best memories of the whole project, and the
 * filter is applied to them. If too few remain, the newest memories that pass the filter are scanned for the words of
 * the question, so that a narrow filter also finds memories that rank low in the whole project.
 */
export async function recallTeam(
  parts: SearchParts,
  token: TokenHash,
  project: string,
  query: TeamRecallQuery,
): Promise<TeamRecall> {
  const { filter, limit, offset } = query;
  if (query.text === '') return listByFilter(parts, token, project, query);
  const { sources, ...conditions } = filter;
  const isNarrowed = Object.values(conditions).some((value) => value !== undefined);
  const wanted = offset + limit + 1;
  const { ranked, nearest } = await rankTeam(parts, token, project, {
    text: query.text,
    wordings: query.wordings,
    sources,
    limit: isNarrowed ? Math.max(wanted, maxRanked) : Math.min(wanted, maxRanked),
  });
  return parts.store.inProject(token, project, async ({ member, browse }) => {
    checkPermission(member, forReaders);
    const passing = new Map(
      (
        await browse.filterIds(
          ranked.map(({ memory }) => memory.documentId),
          filter,
        )
      ).map((memory) => [memory.documentId, memory]),
    );
    const found = ranked.flatMap(({ memory, score, why }) => {
      const shown = passing.get(memory.documentId);
      return shown === undefined ? [] : [hitOf(shown, score, why)];
    });
    if (isNarrowed && found.length < wanted) {
      const page = { limit: maxScanned, offset: 0, maxTextLength: maxScannedLength };
      const { memories } = await browse.list(filter, page);
      const rest = memories.filter(({ documentId }) => !passing.has(documentId));
      const more = byWords(query, rest).slice(0, wanted - found.length);
      // Load the full text only of the memories that are returned.
      const whole = await browse.filterIds(
        more.map(({ memory }) => memory.documentId),
        filter,
      );
      const byId = new Map(whole.map((memory) => [memory.documentId, memory]));
      found.push(
        ...more.map(({ memory, words }) => hitOf(byId.get(memory.documentId) ?? memory, 0, { words })),
      );
    }
    const quality = ranked.filter(({ memory }) => passing.has(memory.documentId));
    return {
      project: await browse.project(),
      hits: found.slice(offset, offset + limit),
      match: found.length > 0 && quality.length === 0 ? 'weak' : qualityByCoverage(quality, nearest ?? 0),
      arms: {
        lexical: found.length > 0 ? 'answered' : 'empty',
        tail: 'unused',
        dense: nearest === undefined ? 'unused' : nearest > 0 ? 'answered' : 'empty',
      },
      incomplete: false,
      truncated: found.length > offset + limit,
    };
  });
}

/** Answers a query without a question: all memories that pass the filter, last changed first. */
const listByFilter = (
  { store }: SearchParts,
  token: TokenHash,
  project: string,
  { filter, limit, offset }: TeamRecallQuery,
): Promise<TeamRecall> =>
  store.inProject(token, project, async ({ member, browse }) => {
    checkPermission(member, forReaders);
    const { memories, hasMore } = await browse.list(filter, { limit, offset });
    return {
      project: await browse.project(),
      hits: memories.map((memory) => hitOf(memory, 0, {})),
      match: memories.length === 0 ? 'none' : 'good',
      arms: { lexical: 'unused', tail: 'unused', dense: 'unused' },
      incomplete: false,
      truncated: hasMore,
    };
  });

const maxRanked = 100;

const hitOf = (memory: TeamMemory, score: number, why: Record<string, number>): TeamHit => ({
  id: memory.documentId,
  chunk: memoryChunk(memory),
  preview: harmlessLine(memory.text, previewLimit),
  ranks: {},
  score,
  why,
  memory,
});

/**
 * Orders memories by how many words of the question they contain. Memories with equally many words keep their order.
 */
function byWords(
  { text, wordings }: TeamRecallQuery,
  memories: TeamMemory[],
): { memory: TeamMemory; words: number }[] {
  const { terms } = parseQuestion(text, wordings);
  const find = createTermFinder(terms);
  return memories
    .map((memory) => {
      const { places, idents } = find(memory.text);
      return { memory, matches: new Set([...places.keys(), ...idents]).size };
    })
    .filter(({ matches }) => matches > 0)
    .sort((a, b) => b.matches - a.matches)
    .map(({ memory, matches }) => ({ memory, words: matches / terms.length }));
}
