import type { Chunk } from '../domain/chunk.ts';
import type { TermStatistics } from '../store/store.ts';
import { rarity } from '../text/bm25.ts';
import { queryTerms, termsOf } from '../text/words.ts';
import { listNewest, type Search } from './gather.ts';
import { cosine } from './meaning.ts';
import type { Ranked } from './rank.ts';

/**
 * Finds what was said last about the same thing as a hit: the later turn that is most like the turn of the hit, then the
 * one that is most like that, and so on. The agent's answers count, because they name what a prompt such as "nah, 25"
 * leaves out. Candidates are turns that the question found too and the next turns of the session, so nothing is searched.
 */
export interface LikeTurns {
  /** The last turn of the chain, and the one after it if it continues it; newest first. */
  lastAfter(place: TurnPlace): Promise<Chunk[]>;
}

/** How many times a change may itself have been changed. */
const maxSteps = 3;
/** How many of the ranked texts give candidates, and how many of the next turns of a session. */
const maxRanked = 40;
const maxNext = 3;
const maxChunksPerTurn = 12;
const maxText = 1_500;
/** Likeness from which two turns are about the same thing; 1 is the likeness of equal texts. */
const minLikeness = 0.3;
/** A turn right after the likest one counts as its end from this share of its likeness on. */
const replyShare = 0.6;
/** A prompt of at most this many words is shown with the agent's answer, which says what it is about. */
const fewWords = 8;

interface Turn {
  key: string;
  at: number;
  agentSession: string;
  prompt: Chunk | undefined;
  answer: Chunk | undefined;
  text: string;
}

/** Where a hit is in its session. */
export type TurnPlace = Pick<Chunk, 'agentSession' | 'at' | 'turn'>;

export function likeTurns(ranked: Ranked[], search: Search): LikeTurns {
  const { index, meaning } = search;
  const turns = new Map<string, Turn | undefined>();
  const vectors = new Map<string, Float32Array | undefined>();
  const found = new Map(
    ranked
      .filter(({ chunk }) => chunk.source === 'event' && chunk.turn !== '')
      .slice(0, maxRanked)
      .map(({ chunk }) => [keyOf(chunk), chunk]),
  );

  async function turnOf({
    agentSession,
    turn,
  }: Pick<Chunk, 'agentSession' | 'turn'>): Promise<Turn | undefined> {
    const key = keyOf({ agentSession, turn });
    if (turns.has(key)) return turns.get(key);
    const chunks = await listNewest(
      search,
      { agentSession, turn, kinds: ['prompt', 'answer'] },
      maxChunksPerTurn,
    );
    const prompt = chunks.findLast(({ kind }) => kind === 'prompt');
    const answer = chunks.find(({ kind }) => kind === 'answer');
    const first = prompt ?? answer;
    const text = [prompt, answer].map((chunk) => chunk?.text.slice(0, maxText) ?? '').join('\n');
    const read = first && { key, at: first.at, agentSession, prompt, answer, text };
    turns.set(key, read);
    return read;
  }

  /** Each turn is embedded once, and all that are missing in one call, because it may be a request to a server. */
  async function embed(all: Turn[]): Promise<void> {
    const missing = all.filter(({ key }) => !vectors.has(key));
    if (missing.length === 0 || meaning === undefined) return;
    const fresh = await meaning.embedder.embed(missing.map(({ text }) => text));
    for (const [at, { key }] of missing.entries()) vectors.set(key, fresh[at]);
  }

  async function nextTurns({ agentSession, at, key }: Turn, limit: number): Promise<Turn[]> {
    if (agentSession === '' || index === undefined) return [];
    const prompts = await index.list({ agentSession, kinds: ['prompt'], since: at + 1 }, limit * 2, 'oldest');
    const next = new Map(prompts.filter(({ turn }) => turn !== '').map((chunk) => [keyOf(chunk), chunk]));
    next.delete(key);
    const read: Turn[] = [];
    for (const chunk of [...next.values()].slice(0, limit)) read.push(...asList(await turnOf(chunk)));
    return read;
  }

  async function likestAfter(turn: Turn): Promise<Turn[]> {
    const later = new Map<string, Turn>();
    for (const chunk of found.values())
      for (const one of chunk.at > turn.at ? asList(await turnOf(chunk)) : []) later.set(one.key, one);
    for (const one of await nextTurns(turn, maxNext)) later.set(one.key, one);
    later.delete(turn.key);
    const candidates = [...later.values()].filter(({ at }) => at > turn.at);
    await embed([turn, ...candidates]);
    const likeness = await createLikeness(turn, vectors, search);
    const [likest] = candidates
      .map((one) => ({ one, value: likeness(one) }))
      .sort((a, b) => b.value - a.value || a.one.at - b.one.at);
    if (likest === undefined || likest.value < minLikeness) return [];
    const [reply] = await nextTurns(likest.one, 1);
    await embed(asList(reply));
    const isPart = reply !== undefined && likeness(reply) >= replyShare * likest.value;
    return [...(isPart ? [reply] : []), likest.one];
  }

  return {
    async lastAfter(place) {
      let turn = place.turn === '' ? undefined : await turnOf(place);
      const seen = new Set<string>();
      let last: Turn[] = [];
      while (turn !== undefined && seen.size < maxSteps && !seen.has(turn.key)) {
        seen.add(turn.key);
        const later: Turn[] = await likestAfter(turn);
        if (later.length === 0) break;
        last = later;
        turn = later.at(-1);
      }
      return last.flatMap((one) => asList(spokenIn(one)));
    },
  };
}

const asList = <T>(one: T | undefined): T[] => (one === undefined ? [] : [one]);
const keyOf = ({ agentSession, turn }: Pick<Chunk, 'agentSession' | 'turn'>): string =>
  `${agentSession} ${turn}`;

/** How much turns are like the given one: half by the words they share, the rarer the more, and half by meaning. */
async function createLikeness(
  turn: Turn,
  vectors: Map<string, Float32Array | undefined>,
  { index, corpus }: Search,
): Promise<(other: Turn) => number> {
  const terms = [...new Set(queryTerms(turn.text).terms)];
  const statistics = (await index?.statistics(terms)) ?? corpus;
  const whole = weightOf(terms, statistics);
  const own = vectors.get(turn.key);
  return ({ key, text }) => {
    const { words, idents } = termsOf(text);
    const present = new Set([...words, ...idents]);
    const shared = weightOf(
      terms.filter((term) => present.has(term)),
      statistics,
    );
    const vector = vectors.get(key);
    const alike = own === undefined || vector === undefined ? 0 : cosine(own, vector);
    return (Math.sqrt(shared / Math.max(whole, Number.MIN_VALUE)) + alike) / 2;
  };
}

const weightOf = (terms: string[], corpus: TermStatistics): number =>
  terms.reduce((sum, term) => sum + rarity(corpus, term) ** 2, 0);

const spokenIn = ({ prompt, answer }: Turn): Chunk | undefined =>
  prompt !== undefined && prompt.text.split(/\s+/).length > fewWords ? prompt : (answer ?? prompt);
