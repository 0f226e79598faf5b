import { largest } from '../../base/largest.ts';
import type { MemorySource } from '../../domain/memory.ts';
import type { Embedder } from '../../models/embed.ts';
import { parseQuestion } from '../../recall/question.ts';
import { rank } from '../../recall/rank.ts';
import { sliceOf } from '../../recall/slice.ts';
import { rankingWeights } from '../../recall/weights.ts';
import { createTermFinder } from '../../text/words.ts';
import type { StoredMemory } from '../../wire/answers/team.ts';
import { linksIn } from '../sources/links.ts';
import type { FoundMemory, TeamStore, TokenHash } from '../store/team-store.ts';
import { rankedChunk } from './memory-chunk.ts';

export interface MemoryHit extends StoredMemory {
  score: number;
  /** Contribution of each ranking signal to the score. */
  why: Record<string, number>;
}

export interface MemorySearch {
  text: string;
  wordings?: string[] | undefined;
  limit: number;
  sources?: MemorySource[] | undefined;
}

/** Weight of mentioning the same files and issues as the question or the best hits. */
export const graphWeight = 0.3;
export const minNearness = 0.12;

/** How many memories to fetch: more than are shown, because some ranking signals are computed here, from the texts. */
export const poolOf = (limit: number): number => limit * 3;

/**
 * Finds memories for a question. The store returns a pool of candidates in one round trip. The ranking of local recall
 * then orders them, so that the same memories answer a question in the same order locally and on the server.
 */
export async function searchTeam(
  parts: SearchParts,
  token: TokenHash,
  project: string,
  query: MemorySearch,
): Promise<MemoryHit[]> {
  const { ranked } = await rankTeam(parts, token, project, query);
  return ranked.slice(0, query.limit).map(({ memory, score, why }) => ({ ...memory, score, why }));
}

export interface SearchParts {
  store: TeamStore;
  embedder: Embedder;
}

/** Ranks the whole pool of candidates, which is larger than the requested limit. */
export async function rankTeam(
  { store, embedder }: SearchParts,
  token: TokenHash,
  project: string,
  query: MemorySearch,
) {
  const question = parseQuestion(query.text, query.wordings);
  const [vector] = await embedder.embed([question.wordings.map(({ text }) => text).join('\n')]);
  const hasMeaning = vector?.some((number) => number !== 0) === true;
  const { meaning, contrast } = rankingWeights;
  const { found, corpus } = await store.search(token, project, {
    terms: question.terms,
    meaning: hasMeaning ? { model: embedder.id, vector } : undefined,
    targets: linksIn(query.text).map(({ target }) => target),
    sources: query.sources,
    limit: poolOf(query.limit),
    weights: { meaning, contrast, minNearness, graph: graphWeight },
  });
  const find = createTermFinder(question.terms);
  const nearest = largest(found.map(({ nearness }) => nearness));
  const byId = new Map(found.map((one) => [one.memory.documentId, one]));
  const leg = (name: string, weight: number, measure: (one: FoundMemory) => number) => ({
    name,
    weight,
    scores: new Map(
      found.map((one) => [one.memory.documentId, question.wordings.map(() => measure(one))] as const),
    ),
  });
  const ranked = rank(
    question,
    {
      slices: found.map((one) => sliceOf(rankedChunk(one.memory, one.sliceText, one.updated), find, corpus)),
      neighbours: [],
      legs: [
        leg('meaning', meaning, ({ nearness }) => (nearness > 0 ? nearness - contrast * nearest : 0)),
        leg('graph', graphWeight, ({ graph }) => graph),
      ],
    },
    corpus,
  );
  return {
    ranked: ranked.flatMap(({ chunk, score, why, coverage }) => {
      const one = byId.get(chunk.id);
      return one === undefined ? [] : [{ memory: one.memory, score, why, coverage }];
    }),
    /** Highest embedding similarity in the pool; undefined if the question was not embedded. */
    nearest: hasMeaning ? nearest : undefined,
  };
}
