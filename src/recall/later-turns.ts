import type { Chunk } from '../domain/chunk.ts';
import type { Hit } from '../domain/hit.ts';
import type { Embedder } from '../models/embed.ts';
import type { LogIndex, TermStatistics } from '../store/store.ts';
import { rarity } from '../text/bm25.ts';
import { queryTerms, termsOf } from '../text/words.ts';
import { listNewest, type Search } from './gather.ts';
import { cosine } from './meaning.ts';

/**
 * People change their minds: "uploads up to 10 MB", and a week later "make it 25". A question matches the first turn
 * better, because the second one names hardly anything. So for the best hits this looks for a later turn about the
 * same thing, and shows it with the hit. The order of the hits stays as it is.
 */
export async function withLaterTurns(hits: Hit[], search: Search): Promise<Hit[]> {
  const { question, meaning, index } = search;
  if (question.isLookup || index === undefined || meaning === undefined) return hits;
  const looking = { search, index, embedder: meaning.embedder, turns: new Map(), vectors: new Map() };
  const turnOf = await turnsOfHits(hits.slice(0, maxHits), index);
  const found: Hit[] = [];
  for (const hit of hits.slice(0, maxHits)) {
    const later = await lastChangesOf(turnOf(hit.chunk), looking);
    found.push(later.length === 0 ? hit : { ...hit, later });
  }
  return [...found, ...hits.slice(maxHits)];
}

/** How many of the best hits are looked at, and how many times a change may itself have been changed. */
const maxHits = 3;
const maxSteps = 3;
/** How many chunks that resemble a turn are looked at. */
const maxNear = 24;
const maxChunksPerTurn = 12;
const maxText = 1_500;
/** Likeness from which two turns are about the same thing; 1 is the likeness of equal texts. */
const minLikeness = 0.3;
/** A turn right after the likest one counts as its end from this share of its likeness on. */
const replyShare = 0.6;
/** A prompt of at most this many words is shown with the agent's answer, which says what it is about. */
const fewWords = 8;

/** What was said last about the same thing, newest first. */
async function lastChangesOf(turn: string, looking: Looking): Promise<Chunk[]> {
  const seen = new Set<string>();
  let last: Chunk[] = [];
  for (let at = turn; at !== '' && seen.size < maxSteps && !seen.has(at); ) {
    seen.add(at);
    const later = await laterTurns(at, looking);
    if (later.length === 0) break;
    last = later;
    at = later.at(-1)?.turn ?? '';
  }
  return last;
}

interface Turn {
  id: string;
  at: number;
  session: string;
  prompt: Chunk | undefined;
  answer: Chunk | undefined;
  text: string;
}

/**
 * One query. The hits are often about the same turns, so turns and vectors are kept until it ends: reading them is most
 * of the cost, and an embedding may be a call to a server.
 */
interface Looking {
  search: Search;
  index: LogIndex;
  embedder: Embedder;
  turns: Map<string, Turn | undefined>;
  /** Vectors by text. */
  vectors: Map<string, Float32Array>;
}

/** The turn of a hit. A note belongs to the turn of the event from which it was extracted first. */
async function turnsOfHits(hits: Hit[], index: LogIndex): Promise<(chunk: Chunk) => string> {
  const notes = hits.filter(({ chunk }) => chunk.source === 'note' && chunk.kind !== 'summary');
  const ties = await index.noteTies(notes.map(({ chunk }) => chunk.sourceId));
  const firstSource = (note: string): string => ties.get(note)?.derivedFrom[0] ?? '';
  const events = await index.events([...ties.keys()].map(firstSource));
  return ({ source, sourceId, turn }) =>
    source === 'note' ? (events.get(firstSource(sourceId))?.turn ?? '') : turn;
}

/** What was said later about the same thing, newest first: the likest turn, and the one after it if it continues it. */
async function laterTurns(id: string, looking: Looking): Promise<Chunk[]> {
  const { search, index, embedder } = looking;
  const turn = await readTurn(id, looking);
  const [vector] = turn === undefined ? [] : await embed([turn], looking);
  if (turn === undefined || vector === undefined) return [];
  const near = await index.nearest({
    model: embedder.id,
    vector,
    filter: { ...search.filter, kinds: ['prompt', 'answer'], since: turn.at + 1 },
    limit: maxNear,
    wanted: [],
  });
  const next = await nextTurn(turn, index);
  const later: Turn[] = [];
  for (const other of new Set([...near.map(({ chunk }) => chunk.turn), next ?? ''])) {
    const found = other === '' || other === id ? undefined : await readTurn(other, looking);
    if (found !== undefined && found.at > turn.at) later.push(found);
  }
  const likenessOf = await createLikeness(turn, vector, looking);
  const values = await likenessOf(later);
  const best = values.indexOf(Math.max(...values));
  const [likest, likeness] = [later[best], values[best] ?? 0];
  if (likest === undefined || likeness < minLikeness) return [];
  const replyId = await nextTurn(likest, index);
  const reply = replyId === undefined ? undefined : await readTurn(replyId, looking);
  const [ofReply = 0] = reply === undefined ? [] : await likenessOf([reply]);
  const isPart = reply !== undefined && ofReply >= replyShare * likeness;
  return [...(isPart ? [reply] : []), likest].flatMap((one) => spokenIn(one) ?? []);
}

/** How much turns are like the given one: half by the words they share, the rarer the more, and half by meaning. */
async function createLikeness(turn: Turn, vector: Float32Array, looking: Looking) {
  const terms = [...new Set(queryTerms(turn.text).terms)];
  const corpus = await looking.index.statistics(terms);
  const whole = weightOf(terms, corpus);
  return async (others: Turn[]): Promise<number[]> => {
    const vectors = await embed(others, looking);
    return others.map(({ text }, at) => {
      const { words, idents } = termsOf(text);
      const present = new Set([...words, ...idents]);
      const shared = weightOf(
        terms.filter((term) => present.has(term)),
        corpus,
      );
      const own = vectors[at];
      return (Math.sqrt(shared / Math.max(whole, Number.MIN_VALUE)) + (own ? cosine(vector, own) : 0)) / 2;
    });
  };
}

/** The vectors of these turns, in order. Those that are not known yet are embedded in one call. */
async function embed(turns: Turn[], { embedder, vectors }: Looking): Promise<(Float32Array | undefined)[]> {
  const missing = [...new Set(turns.map(({ text }) => text))].filter((text) => !vectors.has(text));
  const fresh = missing.length === 0 ? [] : await embedder.embed(missing);
  for (const [at, vector] of fresh.entries()) vectors.set(missing[at] ?? '', vector);
  return turns.map(({ text }) => vectors.get(text));
}

const weightOf = (terms: string[], corpus: TermStatistics): number =>
  terms.reduce((sum, term) => sum + rarity(corpus, term) ** 2, 0);

const spokenIn = ({ prompt, answer }: Turn): Chunk | undefined =>
  prompt !== undefined && prompt.text.split(/\s+/).length > fewWords ? prompt : (answer ?? prompt);

async function readTurn(id: string, { turns, search }: Looking): Promise<Turn | undefined> {
  const turn = turns.has(id) ? turns.get(id) : await findTurn(id, search);
  turns.set(id, turn);
  return turn;
}

async function findTurn(id: string, search: Search): Promise<Turn | undefined> {
  const chunks = await listNewest(search, { turn: id, kinds: ['prompt', 'answer'] }, maxChunksPerTurn);
  const prompt = chunks.findLast(({ kind }) => kind === 'prompt');
  const answer = chunks.find(({ kind }) => kind === 'answer');
  const first = prompt ?? answer;
  if (first === undefined) return undefined;
  const text = [prompt, answer].map((chunk) => chunk?.text.slice(0, maxText) ?? '').join('\n');
  return { id, at: first.at, session: first.agentSession, prompt, answer, text };
}

async function nextTurn({ id, at, session }: Turn, index: LogIndex): Promise<string | undefined> {
  const next = await index.list({ agentSession: session, kinds: ['prompt'], since: at + 1 }, 2, 'oldest');
  return next.find(({ turn }) => turn !== id)?.turn;
}
