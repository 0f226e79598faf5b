import type { Chunk } from '../domain/chunk.ts';
import type { Hit } from '../domain/hit.ts';
import type { Embedder } from '../models/embed.ts';
import type { LogIndex, TermStatistics } from '../store/store.ts';
import { rarity } from '../text/bm25.ts';
import { queryTerms, termsOf } from '../text/words.ts';
import { listNewest, type Search } from './gather.ts';

/**
 * People change their minds: "uploads up to 10 MB", and a week later "make it 25". A question matches the first turn
 * better, because the second one names hardly anything. So for the best hits this looks for a later turn about the
 * same thing, and shows it with the hit. The order of the hits stays as it is.
 */
export async function withLaterTurns(hits: Hit[], search: Search): Promise<Hit[]> {
  const { question, meaning, index } = search;
  if (question.isLookup || index === undefined || meaning === undefined) return hits;
  const looking = { search, index, embedder: meaning.embedder };
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

interface Looking {
  search: Search;
  index: LogIndex;
  embedder: Embedder;
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
  const turn = await readTurn(id, search);
  const [vector] = turn === undefined ? [] : await embedder.embed([turn.text]);
  if (turn === undefined || vector === undefined) return [];
  const near = await index.nearest({
    model: embedder.id,
    vector,
    filter: { ...search.filter, kinds: ['prompt', 'answer'], since: turn.at + 1 },
    limit: maxNear,
    wanted: [],
  });
  const next = await nextTurn(turn, index);
  const ids = new Set([...near.map(({ chunk }) => chunk.turn), next ?? '']);
  const likeness = await createLikeness(turn, vector, looking);
  let best: { turn: Turn; likeness: number } | undefined;
  for (const other of ids) {
    const later = other === '' || other === id ? undefined : await readTurn(other, search);
    if (later === undefined || later.at <= turn.at) continue;
    const value = await likeness(later);
    if (best === undefined || value > best.likeness) best = { turn: later, likeness: value };
  }
  if (best === undefined || best.likeness < minLikeness) return [];
  const replyId = await nextTurn(best.turn, index);
  const reply = replyId === undefined ? undefined : await readTurn(replyId, search);
  const isPart = reply !== undefined && (await likeness(reply)) >= replyShare * best.likeness;
  return [...(isPart ? [reply] : []), best.turn].flatMap((one) => spokenIn(one) ?? []);
}

/** How much a turn is like the given one: half by the words they share, the rarer the more, and half by meaning. */
async function createLikeness(turn: Turn, vector: Float32Array, { index, embedder }: Looking) {
  const terms = [...new Set(queryTerms(turn.text).terms)];
  const corpus = await index.statistics(terms);
  const whole = weightOf(terms, corpus);
  return async (other: Turn): Promise<number> => {
    const { words, idents } = termsOf(other.text);
    const present = new Set([...words, ...idents]);
    const shared = weightOf(
      terms.filter((term) => present.has(term)),
      corpus,
    );
    const [own] = await embedder.embed([other.text]);
    return (Math.sqrt(shared / Math.max(whole, Number.MIN_VALUE)) + (own ? dot(vector, own) : 0)) / 2;
  };
}

const weightOf = (terms: string[], corpus: TermStatistics): number =>
  terms.reduce((sum, term) => sum + rarity(corpus, term) ** 2, 0);

const spokenIn = ({ prompt, answer }: Turn): Chunk | undefined =>
  prompt !== undefined && prompt.text.split(/\s+/).length > fewWords ? prompt : (answer ?? prompt);

async function readTurn(id: string, search: Search): Promise<Turn | undefined> {
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

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number);
  return sum;
}
