import type { Chunk } from '../../domain/chunk.ts';
import type { Memory, MemorySource } from '../../domain/memory.ts';
import type { Embedder } from '../../models/embed.ts';
import { asWords, parseQuestion, type Question } from '../../recall/question.ts';
import { rank } from '../../recall/rank.ts';
import { sliceOf } from '../../recall/slice.ts';
import { rankingWeights } from '../../recall/weights.ts';
import { largest } from '../../text/rank-fusion.ts';
import { createTermFinder } from '../../text/term-finder.ts';
import { linksIn } from '../sources/links.ts';
import type { FoundMemory, TeamStore, TokenHash } from '../store/team-store.ts';

export interface MemoryHit extends Memory {
  score: number;
  /** What each signal added. */
  why: Record<string, number>;
}

export interface AskedMemory {
  text: string;
  limit: number;
  sources?: MemorySource[] | undefined;
  now: number;
}

/** What a memory gains by speaking of the same files and issues as the question or the best answers. */
export const graphWeight = 0.3;
export const minNearness = 0.12;

/**
 * How many memories to fetch. More than are shown, because some signals are computed here, from the texts. A date in
 * the question can lift an answer from far down; word pairs change the order only a little.
 */
export const poolOf = ({ dates }: Question, limit: number): number => limit * (dates === undefined ? 3 : 8);

/**
 * Question → memories. The store brings a pool in one round trip, already fused; the ranking that a single machine
 * uses puts it in its last order, so that the same memories answer the same question alike here and there.
 */
export async function searchTeam(
  parts: SearchParts,
  token: TokenHash,
  project: string,
  asked: AskedMemory,
): Promise<MemoryHit[]> {
  const { ranked } = await rankTeam(parts, token, project, asked);
  return ranked.slice(0, asked.limit).map(({ memory, score, why }) => ({ ...memory, score, why }));
}

export interface SearchParts {
  store: TeamStore;
  embedder: Embedder | undefined;
}

export interface RankedMemories {
  /** All that were brought, which are more than were asked for. */
  ranked: { memory: Memory; score: number; why: Record<string, number>; coverage: number }[];
  /** Of the one that is nearest in meaning; undefined when nobody looked. */
  nearest: number | undefined;
}

export async function rankTeam(
  { store, embedder }: SearchParts,
  token: TokenHash,
  project: string,
  asked: AskedMemory,
): Promise<RankedMemories> {
  const question = parseQuestion(asked.text, asked.now);
  const vector =
    embedder === undefined || question.isLookup
      ? undefined
      : (await embedder.embed([asWords(asked.text)]))[0];
  const isMeant = vector?.some((number) => number !== 0) === true;
  const { meaning, contrast } = rankingWeights;
  const { found, corpus } = await store.search(token, project, {
    terms: question.terms,
    meaning:
      isMeant && embedder !== undefined && vector !== undefined ? { model: embedder.id, vector } : undefined,
    targets: linksIn(asked.text).map(({ target }) => target),
    sources: asked.sources,
    limit: poolOf(question, asked.limit),
    weights: { meaning, contrast, minNearness, graph: graphWeight },
  });
  const find = createTermFinder(question.terms);
  const nearest = largest(found.map(({ nearness }) => nearness));
  const byId = new Map(found.map((one) => [one.memory.documentId, one]));
  const leg = (weight: number, measure: (one: FoundMemory) => number) => ({
    weight,
    scores: new Map(found.map((one) => [one.memory.documentId, measure(one)] as const)),
  });
  const ranked = rank(
    question,
    {
      slices: found.map((one) => sliceOf(chunkOf(one), find, corpus)),
      neighbours: [],
      legs: [
        leg(meaning, ({ nearness }) => (nearness > 0 ? nearness - contrast * nearest : 0)),
        leg(graphWeight, ({ graph }) => graph),
      ],
      related: new Map(),
      madeIn: new Map(),
    },
    corpus,
    rankingWeights,
  );
  return {
    ranked: ranked.flatMap(({ chunk, score, why, coverage }) => {
      const one = byId.get(chunk.id);
      return one === undefined ? [] : [{ memory: one.memory, score, why, coverage }];
    }),
    nearest: isMeant ? nearest : undefined,
  };
}

/** As the ranking sees it: something a teammate put down. */
const chunkOf = ({ memory, said, updated }: FoundMemory): Chunk => ({
  id: memory.documentId,
  project: memory.project,
  source: 'note',
  sourceId: memory.documentId,
  kind: 'knowledge',
  origin: 'teammate',
  trust: memory.trust,
  agent: 'backstory',
  agentSession: '',
  turn: '',
  branch: '',
  at: updated,
  paths: [],
  concepts: [],
  pinned: false,
  text: said,
});
