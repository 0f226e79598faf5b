import { localDay } from '../../base/clock.ts';
import { hasStatement } from '../../distil/distil-session.ts';
import { type Chunk, type ChunkFilter, isSetAside, searchedText } from '../../domain/chunk.ts';
import { isDialog } from '../../domain/event.ts';
import type { EmbedderSource, WordVectors } from '../../models/embed.ts';
import { type Evidence, evidenceIn } from '../../recall/evidence.ts';
import { cheapTerms } from '../../recall/gather.ts';
import { cosine, meaningOf } from '../../recall/meaning.ts';
import { asWords } from '../../recall/question.ts';
import {
  isGone,
  statisticsWith,
  type UnindexedEvents,
  unindexedChunks,
} from '../../recall/unindexed-events.ts';
import { compareWords } from '../../recall/word-comparison.ts';
import type { LogIndex } from '../../store/store.ts';
import { rarity } from '../../text/bm25.ts';
import { harmlessLine } from '../../text/fence.ts';
import { surelyTyped } from '../../text/prompt-blocks.ts';
import { editedName } from '../../text/safe-name.ts';
import { queryTerms } from '../../text/words.ts';
import { revertedLines } from '../prelude/reverted-lines.ts';
import { hasUnexplainedWord } from '../redact/random-word.ts';
import { chunksNaming, commitLine } from './named-issues.ts';
import { isRequest, namedIssues, questionOf } from './request.ts';
import { type PromptTeam, similarTeamLines, teamLinesNamed } from './team-lines.ts';
import type { TopicLine } from './topic-table.ts';

export interface PromptMemory {
  index: LogIndex;
  tail: UnindexedEvents;
  embedder?: EmbedderSource;
  /** Lines of the settled topics, by the id of their note. */
  topics: Map<string, TopicLine>;
  team?: PromptTeam;
}

export interface PromptQuestion {
  prompt: string;
  agentSession: string;
  now: number;
  /** Ids of notes and events that the session knows already. */
  told: ReadonlySet<string>;
  isFile(path: string): boolean;
  /** Whether the time is over. Then nothing more is looked up. */
  isOver(): boolean;
}

export interface ContextLine {
  section:
    | 'Named in the prompt'
    | 'Settled'
    | 'Failed before'
    | 'Asked before'
    | 'From the team, not reviewed';
  text: string;
  /** A line about a text of the team, and the line without its quotation. */
  isTeams?: true;
  shortText?: string;
  reason: string;
}

const maxTopics = 6;
const maxTurns = 2;
const maxQuote = 260;
const maxFiles = 4;
/** How many chunks with rare words of the prompt are looked up, and how many of them are compared with it. */
const maxCandidates = 40;
const maxCompared = 12;

const nothingClose = 'nothing that is remembered is close to it';
const isInPrelude = 'the prelude tells already what is close to it';

/**
 * Chooses what a session is told about a prompt: the settled topics that concern it, approaches that failed, one or
 * two earlier turns in which the user settled something about it, and what the team has about it. Prose comes only from
 * the user, as in the prelude. An agent's answer and the team's texts are given as ids. Nothing is told if nothing is
 * close enough, because an agent that is told much ignores it.
 */
export async function composeContext(
  memory: PromptMemory,
  { prompt, agentSession, now, told, isFile, isOver }: PromptQuestion,
): Promise<{ lines: ContextLine[]; silence: string }> {
  const { index, tail, topics, team } = memory;
  const text = questionOf(prompt);
  if (text === '') return { lines: [], silence: 'all of it is pasted text' };
  const { find, prompts: similar, scored, close } = await comparisonWith(text, memory);
  const isNews = (chunk: Chunk): boolean =>
    chunk.agentSession !== agentSession && !told.has(chunk.sourceId) && !isSetAside(chunk);
  const settled = await closeTopics(await find({ source: 'note', minTrust: 2 }), { topics, close });
  const fresh = settled.filter(({ note }) => !told.has(note)).slice(0, maxTopics);
  const evidence = await evidenceIn(index, tail);
  const issues = namedIssues(text);
  const named = issues.length === 0 ? [] : await issueLines(issues, { memory, evidence, isNews, isFile });
  const turns = await turnLines(isOver() ? [] : similar.filter(isNews), { evidence, close, isFile });
  const files = [...new Set(turns.flatMap((turn) => turn.files))].slice(0, maxFiles);
  const reverted = isOver() || files.length === 0 ? [] : await revertedLines(files, now, evidence);
  const ofTeam = team === undefined ? [] : teamLinesNamed(prompt, team);
  // Who names an issue means that one.
  const asksTeam = team !== undefined && issues.length + ofTeam.length === 0 && !isOver();
  const fromTeam = asksTeam ? await similarTeamLines(text, { index, team, scored, isNews }) : [];
  const failed = reverted.map((line) => ({ ...line, section: 'Failed before' as const }));
  return {
    lines: [...ofTeam, ...named, ...fresh.map(({ line }) => line), ...failed, ...turns, ...fromTeam],
    silence: settled.length === 0 ? nothingClose : isInPrelude,
  };
}

export interface Relevance {
  /**
   * Similarity of their embeddings, plus the share of the prompt that the text is about, plus the share of the text that
   * the prompt is about: 0 to 3. A short text may be about a part of a long prompt, and a long text contains the words of
   * any prompt, so no part decides alone.
   */
  score: number;
  /** Rarity of the words that both have; 1 is that of a word that only one text of the memory has. */
  rarity: number;
}

/** Words that are less rare do not count: about a tenth of the texts of a memory has them. */
const minRarity = 0.3;

/** Limits for topics and for earlier prompts. Chosen on three real projects. */
const closeTopic: Relevance = { score: 1.1, rarity: 0.4 };
const closeStatement: Relevance = { score: 1.4, rarity: 0.8 };

interface Scored<Item> extends Relevance {
  item: Item;
}

export interface Comparison {
  /** Earlier prompts of the user that share words with this one, best first. */
  prompts: Chunk[];
  /** The chunks that share rare words with the prompt, best first. */
  find(filter: ChunkFilter): Promise<Chunk[]>;
  /** The texts that share enough rare words with the prompt, and how close they are, closest first. */
  scored<Item extends { text: string }>(items: Item[], minRarity: number): Promise<Scored<Item>[]>;
  /** The texts that are close to the prompt, closest first. */
  close<Item extends { text: string }>(items: Item[], least: Relevance): Promise<Item[]>;
}

async function comparisonWith(
  prompt: string,
  { index, tail, embedder }: Pick<PromptMemory, 'index' | 'tail' | 'embedder'>,
): Promise<Comparison> {
  const asked = asWords(prompt);
  const { terms } = queryTerms(asked);
  // Anybody can open issues about any subject. So the user's own memory is searched, compared and judged without them:
  // neither their number nor their words change what is told of it.
  const statistics = async (wanted: string[]) =>
    statisticsWith(tail, wanted, await index.statistics(wanted, true));
  const corpus = await statistics(terms);
  const search = async (wanted: string[], given: ChunkFilter): Promise<Chunk[]> => {
    const filter = { ...given, unreviewedTeamText: false };
    const indexed = await index.search(cheapTerms(wanted, corpus), filter, maxCandidates);
    return [
      ...indexed.map(({ chunk }) => chunk).filter((chunk) => !isGone(tail, chunk)),
      ...unindexedChunks(tail, filter).slice(-maxCandidates),
    ];
  };
  const prompts = await search(terms, { kinds: ['prompt'], minTrust: 2 });
  // Who asks the same again does not make its words common.
  const same = prompts.filter((chunk) => questionOf(chunk.text) === prompt).length;
  const frequency = new Map([...corpus.frequency].map(([term, count]) => [term, count - same]));
  const others = { ...corpus, frequency };
  const rarest = rarity(others, '');
  const rare = new Map(
    terms
      .map((term) => [term, rarity(others, term) / rarest] as const)
      .filter(([, share]) => share >= minRarity),
  );
  const scoresOf = async (texts: { words: string; terms: Set<string> }[]): Promise<number[]> => {
    // Loading the model takes most of the time, so it is loaded only if there is something to compare.
    const { meaning } = await meaningOf(embedder, [asked]);
    const vectors = withKeptSimilarities(meaning?.embedder.words);
    const near = await meaning?.embedder.embed(texts.map(({ words }) => words));
    const own = await statistics([...new Set(texts.flatMap((text) => [...text.terms]))]);
    const forward = vectors === undefined ? undefined : compareWords(vectors, [asked], corpus);
    return texts.map(({ words, terms: theirs }, at) => {
      const shared = terms.filter((term) => theirs.has(term)).length;
      const backward =
        vectors === undefined ? undefined : compareWords(vectors, [words], own)?.wholeText(asked)[0];
      const mutual =
        (forward?.wholeText(words)[0] ?? shared / Math.max(1, terms.length)) +
        (backward ?? shared / Math.max(1, theirs.size));
      const [one, other] = [meaning?.vectors[0], near?.[at]];
      return mutual + (one === undefined || other === undefined ? mutual / 2 : cosine(one, other));
    });
  };
  const scored: Comparison['scored'] = async (items, minShared) => {
    const candidates = items
      .map((item) => {
        const words = asWords(item.text);
        const theirs = new Set(queryTerms(words).terms);
        const shared = [...rare].reduce((sum, [term, share]) => sum + (theirs.has(term) ? share : 0), 0);
        return { item, text: { words, terms: theirs }, rarity: shared };
      })
      .filter((candidate) => candidate.rarity >= minShared)
      .sort((a, b) => b.rarity - a.rarity)
      .slice(0, maxCompared);
    if (candidates.length === 0) return [];
    const scores = await scoresOf(candidates.map(({ text }) => text));
    return candidates
      .map(({ item, rarity: shared }, at) => ({ item, score: scores[at] as number, rarity: shared }))
      .sort((a, b) => b.score - a.score);
  };
  return {
    prompts,
    find: (filter) => search([...rare.keys()], filter),
    scored,
    close: async (items, least) =>
      (await scored(items, least.rarity)).filter(({ score }) => score >= least.score).map(({ item }) => item),
  };
}

/** Keeps the similarity of two words, because texts are compared in both directions. */
function withKeptSimilarities(vectors: WordVectors | undefined): WordVectors | undefined {
  if (vectors === undefined) return undefined;
  const kept = new Map<number, number>();
  return {
    entriesOf: vectors.entriesOf,
    similarity(entry, other) {
      const pair = Math.min(entry, other) * 0x10000 + Math.max(entry, other);
      const known = kept.get(pair);
      if (known !== undefined) return known;
      const fresh = vectors.similarity(entry, other);
      kept.set(pair, fresh);
      return fresh;
    },
  };
}

/** The settled topics that concern the prompt, best first, whether the session knows them or not. */
async function closeTopics(
  found: Chunk[],
  { topics, close }: { topics: Map<string, TopicLine>; close: Comparison['close'] },
): Promise<{ note: string; line: ContextLine }[]> {
  const candidates = found.flatMap((chunk) => {
    const line = topics.get(chunk.sourceId);
    return line === undefined || isSetAside(chunk)
      ? []
      : [{ note: chunk.sourceId, line, text: searchedText(chunk) }];
  });
  return (await close(candidates, closeTopic)).map(({ note, line }) => ({
    note,
    line: { ...line, section: line.section === 'Failed before' ? 'Failed before' : 'Settled' },
  }));
}

/** What is known here about issues that the prompt names: commits, and earlier prompts of the user. */
async function issueLines(
  issues: string[],
  {
    memory,
    evidence,
    isNews,
    isFile,
  }: {
    memory: PromptMemory;
    evidence: Evidence;
    isNews(chunk: Chunk): boolean;
    isFile(path: string): boolean;
  },
): Promise<ContextLine[]> {
  const { prompts, commits } = await chunksNaming(issues, memory);
  const quoted = prompts
    .filter((chunk) => isNews(chunk) && mayQuote(chunk))
    .map((chunk) => ({ asked: chunk, text: questionOf(chunk.text) }))
    .filter(({ text }) => text.length <= maxQuote)
    .slice(0, maxTurns);
  const asked = await Promise.all(quoted.map((one) => turnLine(one, evidence, isFile)));
  const lines = [
    ...commits.filter(isNews).map((chunk) => ({ text: commitLine(chunk), reason: 'a commit that names it' })),
    ...asked.map(({ text }) => ({ text, reason: 'a prompt of yours that names it' })),
  ];
  return lines.map((line) => ({ section: 'Named in the prompt', ...line }));
}

interface TurnLine extends ContextLine {
  files: string[];
}

const chunksPerTurn = 80;

/** The earlier prompts that are closest: what the user said, the files that were changed, and the id of the answer. */
async function turnLines(
  found: Chunk[],
  {
    evidence,
    close,
    isFile,
  }: { evidence: Evidence; close: Comparison['close']; isFile(path: string): boolean },
): Promise<TurnLine[]> {
  const prompts = found
    .map((chunk) => ({ asked: chunk, text: questionOf(chunk.text) }))
    // A prompt that cannot be told whole may lose its condition.
    .filter(({ asked, text }) => asked.turn !== '' && text.length <= maxQuote);
  const distinct = new Map((await close(prompts, closeStatement)).reverse().map((one) => [one.text, one]));
  return Promise.all(
    [...distinct.values()]
      .reverse()
      // A request says nothing that the agent could use, however close it is: in four projects that nobody had looked
      // at, 27 of 34 lines with requests were of no use.
      .filter(({ asked, text }) => hasStatement(text) && mayQuote(asked))
      .slice(0, maxTurns)
      .map((one) => turnLine(one, evidence, isFile)),
  );
}

const mayQuote = ({ origin, text }: Chunk): boolean =>
  origin === 'user' &&
  !isDialog({ text }) &&
  isRequest(text) &&
  surelyTyped({ text }).length > 0 &&
  !hasUnexplainedWord(text);

async function turnLine(
  { asked, text }: { asked: Chunk; text: string },
  evidence: Evidence,
  isFile: (path: string) => boolean,
): Promise<TurnLine> {
  const chunks = await evidence.chunks({ turn: asked.turn }, chunksPerTurn, 'oldest');
  const { edits } = await evidence.ofTurns([asked.turn]);
  const files = [...new Set(edits.map(({ path }) => path))].filter(isFile).slice(0, maxFiles);
  const answered = chunks.findLast(({ kind }) => kind === 'answer');
  const about = [
    ...(files.length === 0 ? [] : [`changed ${files.map((file) => editedName(file)).join(', ')}`]),
    ...(answered === undefined ? [] : [`the answer, not reviewed: ${answered.id.slice(0, 8)}`]),
  ];
  const more = about.length === 0 ? '' : ` (${about.join('; ')})`;
  return {
    section: 'Asked before',
    text: `${localDay(asked.at)} you: "${harmlessLine(text, maxQuote)}"${more} [${asked.id.slice(0, 8)}]`,
    reason: 'a prompt of yours',
    files,
  };
}
