import { isoDay } from '../../base/clock.ts';
import { hasStatement } from '../../distil/distil-session.ts';
import { type Chunk, isSetAside, searchedText } from '../../domain/chunk.ts';
import type { Hit } from '../../domain/hit.ts';
import type { TeamSource } from '../../domain/team-memory.ts';
import type { EmbedderSource } from '../../models/embed.ts';
import { embedderOf } from '../../recall/embed-chunks.ts';
import { type Evidence, evidenceIn } from '../../recall/evidence.ts';
import { asWords } from '../../recall/question.ts';
import { recallFrom } from '../../recall/recall.ts';
import { shortHitId } from '../../recall/render.ts';
import { statisticsWith, type UnindexedEvents } from '../../recall/unindexed-events.ts';
import { rankingWeights } from '../../recall/weights.ts';
import { compareWords } from '../../recall/word-comparison.ts';
import type { LogIndex } from '../../store/store.ts';
import { rarity } from '../../text/bm25.ts';
import { harmlessLine } from '../../text/fence.ts';
import { safeName } from '../../text/safe-name.ts';
import { queryTerms } from '../../text/words.ts';
import { revertedLines } from '../prelude/reverted-lines.ts';
import { hasUnexplainedWord } from '../redact/random-word.ts';
import { isProse, isRequest, isSpecific, questionOf, specificTerms } from './request.ts';
import type { TopicLine } from './topic-table.ts';

/** The memory that a prompt is compared with. */
export interface PromptMemory {
  index: LogIndex;
  tail: UnindexedEvents;
  embedder?: EmbedderSource;
  /** Lines of the settled topics, by the id of their note. */
  topics: Map<string, TopicLine>;
  /** The team of the project, if it has joined one. */
  team?: PromptTeam;
}

export interface PromptTeam {
  name: string;
  /** Where a note or memory of the team comes from, by its id. The index has only its text. */
  sources: Map<string, Omit<TeamSource, 'name'>>;
}

export interface PromptQuestion {
  prompt: string;
  agentSession: string;
  now: number;
  /** Ids of notes and events that the session knows already. */
  told: ReadonlySet<string>;
  /** Whether a file of the checkout still exists. */
  isFile(path: string): boolean;
  /** Whether the time is over. Then nothing more is looked up. */
  isOver(): boolean;
}

export interface ContextLine {
  section: 'Settled' | 'Failed before' | 'Asked before' | 'From the team, not reviewed';
  text: string;
}

const maxHits = 24;
/** How many texts are compared with the prompt in both directions. */
const maxCompared = 8;
/** The passages of the candidates are not compared: that takes half of the time, and the texts are compared below. */
const quickWeights = { ...rankingWeights, passage: 0 };
const maxTopics = 6;
const maxTurns = 2;
const maxQuote = 260;
const maxFiles = 4;

/**
 * Chooses what a session is told about a prompt: the settled topics that concern it, approaches that failed, one or
 * two earlier turns in which the user settled something about it, and what the team has about it. Prose comes only from
 * the user, as in the prelude. An agent's answer and the team's texts are given as ids. Nothing is told if nothing is
 * close enough, because an agent that is told much ignores it.
 */
export async function composeContext(
  { index, tail, embedder, topics, team }: PromptMemory,
  { prompt, agentSession, now, told, isFile, isOver }: PromptQuestion,
): Promise<ContextLine[]> {
  const text = questionOf(prompt);
  if (!isSpecific(text) || !isProse(text)) return [];
  const parts = embedder === undefined ? {} : { embedder };
  const query = { text, limit: maxHits, now };
  // Anybody can open issues about any subject. So the user's own memory is searched, compared and judged without them:
  // neither their number nor their words change what is told of it.
  const own = { ...query, unreviewedTeamText: false };
  const { hits, match } = await recallFrom(parts, { index, tail }, own, quickWeights);
  if (isOver()) return [];
  const compare = await comparisonWith(text, { index, tail, embedder });
  const isNews = (chunk: Chunk): boolean =>
    chunk.agentSession !== agentSession && !told.has(chunk.sourceId) && !isSetAside(chunk);
  const fresh = hits.filter(({ chunk }) => isNews(chunk));
  const others = team === undefined ? [] : (await teamTexts(index, text)).filter(isNews);
  const fromTeam = team === undefined ? [] : await teamLines(others, { team, compare, prompt: text });
  const settled = await topicLines(fresh, { topics, compare, isGood: match === 'good' });
  const evidence = await evidenceIn(index, tail);
  const turns = isOver() ? [] : await turnLines(fresh, { evidence, compare, told, isFile });
  const files = [...new Set(turns.flatMap((turn) => turn.files))].slice(0, maxFiles);
  const reverted = isOver() || files.length === 0 ? [] : await revertedLines(files, now, evidence);
  return [
    ...settled,
    ...reverted.map(({ text: line }) => ({ section: 'Failed before' as const, text: line })),
    ...turns,
    ...fromTeam,
  ];
}

/** How much a text and the question are about each other. */
interface Relevance {
  /**
   * Share of the question that the text is about, plus the share of the text that the question is about: 0 to 2. Both
   * count, because a short text may be about a part of a long prompt, and a long text contains the words of any prompt.
   */
  mutual: number;
  /** Number of specific words that both have, and their rarity, summed. */
  words: number;
  rarity: number;
}

/** Limits for topics, and for turns in which the user settles something. */
const closeTopic: Relevance = { mutual: 0.8, words: 2, rarity: 3 };
const closeStatement: Relevance = { mutual: 0.9, words: 3, rarity: 6 };

/** In a small memory no word is rare, so several shared words are enough. */
const isClose = (found: Relevance, least: Relevance): boolean =>
  found.mutual >= least.mutual && (found.rarity >= least.rarity || found.words >= least.words);

/** A text that may be told, with its relevance. */
type Compared<Item> = Item & { relevance: Relevance };

/** Texts that share fewer words with the question, or say less about it, are not compared further. */
const minForward = 0.15;

/** Compares texts with a question, and returns the most relevant ones. */
type Compare = <Item extends { text: string }>(items: Item[]) => Promise<Compared<Item>[]>;

async function comparisonWith(
  question: string,
  { index, tail, embedder }: Pick<PromptMemory, 'index' | 'tail'> & { embedder: EmbedderSource | undefined },
): Promise<Compare> {
  const vectors = embedder === undefined ? undefined : (await embedderOf(embedder))?.words;
  const asked = asWords(question);
  const statistics = async (terms: string[]) =>
    statisticsWith(tail, terms, await index.statistics(terms, true));
  const own = specificTerms(asked);
  const corpus = await statistics(queryTerms(asked).terms);
  const forward = vectors === undefined ? undefined : compareWords(vectors, [asked], corpus);
  return async (items) => {
    const candidates = items
      .map((item) => {
        const words = asWords(item.text);
        const terms = new Set(specificTerms(words));
        const shared = own.filter((term) => terms.has(term));
        const share = shared.length / Math.max(1, own.length) + shared.length / Math.max(1, terms.size);
        const towards = shared.length === 0 ? 0 : (forward?.wholeText(words)[0] ?? share);
        return { item, words, shared, share, towards };
      })
      .filter(({ shared, towards }) => shared.length > 0 && towards >= minForward)
      .sort((a, b) => b.share + b.towards - a.share - a.towards)
      .slice(0, maxCompared);
    // One look-up for all texts.
    const all = await statistics([...new Set(candidates.flatMap(({ words }) => queryTerms(words).terms))]);
    return candidates.map(({ item, words, shared, share, towards }) => ({
      ...item,
      relevance: {
        mutual:
          vectors === undefined
            ? share
            : towards + (compareWords(vectors, [words], all)?.wholeText(asked)[0] ?? 0),
        words: shared.length,
        rarity: shared.reduce((sum, term) => sum + rarity(corpus, term), 0),
      },
    }));
  };
}

/** The settled topics among the hits, best first. */
async function topicLines(
  hits: Hit[],
  { topics, compare, isGood }: { topics: Map<string, TopicLine>; compare: Compare; isGood: boolean },
): Promise<ContextLine[]> {
  const found = hits.flatMap(({ chunk }) => {
    const line = chunk.source === 'note' ? topics.get(chunk.sourceId) : undefined;
    return line === undefined ? [] : [{ line, text: searchedText(chunk) }];
  });
  const least = isGood ? { ...closeTopic, mutual: closeTopic.mutual - 0.15 } : closeTopic;
  return (await compare(found))
    .filter(({ relevance }) => isClose(relevance, least))
    .slice(0, maxTopics)
    .map(({ line: { section, text } }) => ({
      section: section === 'Failed before' ? 'Failed before' : 'Settled',
      text,
    }));
}

const maxTeamLines = 3;
/**
 * Bounds on what is compared with the prompt: the best hits, and the start of each text. Without them, 300 issues about
 * the subject of a prompt doubled the time of its hook.
 */
const maxComparedTeamTexts = 6;
const chunksPerTeamText = 4;
const maxComparedTeamLength = 600;
const maxSharedWords = 6;
/** Of a team's many texts, more words must agree than of the user's own topics. */
const closeTeamText: Relevance = { mutual: 0.8, words: 3, rarity: 6 };

/** The texts of the team that share most words with the prompt, one chunk of each. */
async function teamTexts(index: LogIndex, prompt: string): Promise<Chunk[]> {
  const filter = { unreviewedTeamText: true };
  const limit = maxComparedTeamTexts * chunksPerTeamText;
  const found = await index.search(specificTerms(asWords(prompt)), filter, limit);
  const first = new Map(found.reverse().map(({ chunk }) => [chunk.sourceId, chunk]));
  return [...first.values()].reverse().slice(0, maxComparedTeamTexts);
}

/**
 * Lines about texts of the team. Anybody may open an issue, so a line has no word of the text except those that the
 * user's own prompt has too. It says where the text comes from, so that the agent can open it as data.
 */
async function teamLines(
  chunks: Chunk[],
  { team, compare, prompt }: { team: PromptTeam; compare: Compare; prompt: string },
): Promise<ContextLine[]> {
  const found = chunks.map((chunk) => ({
    chunk,
    text: searchedText(chunk).slice(0, maxComparedTeamLength),
  }));
  return (await compare(found))
    .filter(({ relevance }) => isClose(relevance, closeTeamText))
    .sort((a, b) => b.relevance.mutual - a.relevance.mutual)
    .slice(0, maxTeamLines)
    .map(({ chunk, text }) => ({
      section: 'From the team, not reviewed',
      text: teamLine(chunk, team, sharedWords(prompt, text)),
    }));
}

/** Words of the prompt, as the user wrote them, that the text has too. */
function sharedWords(prompt: string, text: string): string[] {
  const terms = new Set(specificTerms(text));
  const words = prompt.match(/[\p{L}\p{N}_-]{3,}/gu) ?? [];
  const shared = words.filter((word) => specificTerms(word).some((term) => terms.has(term)));
  return [...new Set(shared.map((word) => word.toLowerCase()))].slice(0, maxSharedWords);
}

function teamLine(chunk: Chunk, { name, sources }: PromptTeam, words: string[]): string {
  const { source, author } = sources.get(chunk.sourceId) ?? { source: 'note', author: '' };
  const by = author === '' ? '' : ` by ${safeName('person', author)}`;
  const about = `${source}${by} about ${words.join(', ')}`;
  return `${isoDay(chunk.at)} team ${safeName('project', name)}: ${about} [${shortHitId(chunk)}]`;
}

interface TurnLine extends ContextLine {
  files: string[];
}

const turnKinds: Chunk['kind'][] = ['prompt', 'answer'];
const maxLookedUp = 10;
const chunksPerTurn = 80;

/** The turns of the best hits: what the user said, the files that were changed, and the id of the answer. */
async function turnLines(
  hits: Hit[],
  {
    evidence,
    compare,
    told,
    isFile,
  }: {
    evidence: Evidence;
    compare: Compare;
    told: ReadonlySet<string>;
    isFile(path: string): boolean;
  },
): Promise<TurnLine[]> {
  const turns = [
    ...new Set(
      hits.flatMap(({ chunk: { source, kind, turn } }) =>
        source === 'event' && turn !== '' && turnKinds.includes(kind) ? [turn] : [],
      ),
    ),
  ].slice(0, maxLookedUp);
  const found: { asked: Chunk; chunks: Chunk[]; text: string }[] = [];
  for (const turn of turns) {
    const chunks = await evidence.chunks({ turn }, chunksPerTurn, 'oldest');
    const asked = chunks.find(({ kind, trust }) => kind === 'prompt' && trust >= 2);
    if (asked === undefined || told.has(asked.sourceId) || !mayQuote(asked)) continue;
    const text = questionOf(asked.text);
    // An earlier request says nothing that the agent could use. In four projects that nobody had looked at, 27 of 34
    // lines with requests were of no use.
    if (!hasStatement(text)) continue;
    if (found.every((other) => other.text !== text)) found.push({ asked, chunks, text });
  }
  return Promise.all(
    (await compare(found))
      .filter(({ relevance }) => isClose(relevance, closeStatement))
      .sort((a, b) => b.relevance.mutual - a.relevance.mutual)
      .slice(0, maxTurns)
      .map((one) => turnLine(one, evidence, isFile)),
  );
}

const mayQuote = ({ origin, text }: Chunk): boolean =>
  origin === 'user' && isRequest(text) && isProse(questionOf(text)) && !hasUnexplainedWord(text);

async function turnLine(
  { asked, chunks, text }: { asked: Chunk; chunks: Chunk[]; text: string },
  evidence: Evidence,
  isFile: (path: string) => boolean,
): Promise<TurnLine> {
  const { edits } = await evidence.ofTurns([asked.turn]);
  const files = [...new Set(edits.map(({ path }) => path))].filter(isFile).slice(0, maxFiles);
  const answered = chunks.findLast(({ kind }) => kind === 'answer');
  const about = [
    ...(files.length === 0 ? [] : [`changed ${files.map((file) => safeName('file', file)).join(', ')}`]),
    ...(answered === undefined ? [] : [`the answer, not reviewed: ${answered.id.slice(0, 8)}`]),
  ];
  const more = about.length === 0 ? '' : ` (${about.join('; ')})`;
  return {
    section: 'Asked before',
    text: `${isoDay(asked.at)} you: "${harmlessLine(text, maxQuote)}"${more} [${asked.id.slice(0, 8)}]`,
    files,
  };
}
