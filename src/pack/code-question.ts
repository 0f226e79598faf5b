import type { Waiter } from '../code/checkout.ts';
import type { ComparedChunk } from '../code/chunks/compare-chunks.ts';
import { namedSymbols } from '../code/chunks/named-symbols.ts';
import type { CodeSearch } from '../code/code-search.ts';
import { createPathFilter } from '../code/path-filter.ts';
import { goalWords } from '../code/words/goal-words.ts';
import { WordCounter } from '../code/words/word-keys.ts';
import { givenWordings } from '../recall/hit.ts';
import type { CheckoutState, CodeResult } from '../wire/answers/code.ts';
import { matchPastChanges, type PastWork } from './past-changes.ts';
import { type Evidence, type RankedPath, rankFiles } from './rank-files.ts';
import { questionWeights } from './weights.ts';

export interface CodeQuestion {
  /** A glob, or a part of the path. */
  path?: string | undefined;
  text: string;
  wordings?: string[] | undefined;
  limit: number;
  /** Number of results to skip: the `nextOffset` of an earlier answer. */
  offset: number;
}

export interface QuestionAnswer {
  /** `weak` if no result shares enough with the question to be called an answer. */
  match: 'good' | 'weak' | 'none';
  results: CodeResult[];
  nextOffset: number | undefined;
  state: CheckoutState;
}

/** Number of files, best by words and history, whose chunks are compared with the question; more find nothing new. */
const comparedFiles = 20;
const minScoreShare = 0.3;

export const maxResults = 10;
/** The first results show more lines, because a reader looks at them first. */
const fullResults = 3;
const maxFullLines = 20;
const maxShortLines = 5;
const maxLineLength = 160;

/** Finds the code that a question in plain words, or a name, is about, in the files as they are now. */
export async function answerCodeQuestion(
  parts: { code: CodeSearch; pastWork: PastWork; waiter?: Waiter },
  question: CodeQuestion,
): Promise<QuestionAnswer> {
  const { code, pastWork, waiter } = parts;
  const wordings = [question.text, ...givenWordings(question.wordings)];
  const goal = goalWords(wordings.join('\n'));
  const [{ found, state }, changes] = await Promise.all([code.words(goal, waiter), pastWork()]);
  const accepts = createPathFilter(question.path);
  const evidence: Evidence = {
    goal,
    matches: accepts === undefined ? found.matches : found.matches.filter(({ path }) => accepts(path)),
    statistics: found.statistics,
    past: matchPastChanges(
      goal,
      changes ?? [],
      (path) => found.paths.has(path) && accepts?.(path) !== false,
      questionWeights,
    ),
    changed: new Set(),
    intent: 'bugfix',
  };
  const byWords = rankFiles(evidence, questionWeights).files.slice(0, comparedFiles);
  const chunks = await code.compare(
    wordings,
    byWords.map(({ path }) => path),
  );
  const symbols = [...new Set(wordings.flatMap(namedSymbols))];
  const { files, wordWeights } = rankFiles(
    { ...evidence, meaning: bestSimilarities(chunks), symbol: symbolScores(symbols, chunks) },
    questionWeights,
  );
  const best = files[0]?.score ?? 0;
  const good = files.filter(({ path, score }) => chunks.has(path) && score >= best * minScoreShare);
  const end = question.offset + Math.min(question.limit, maxResults);
  const shown = good.slice(question.offset, end);
  const weightOf = new Map(goal.keys.map((key, at) => [key, wordWeights[at] as number]));
  const chooseChunk = createChunkChoice(
    wordings.map((wording) => ({
      weights: new Map(goalWords(wording).keys.map((key) => [key, weightOf.get(key) ?? 0])),
      symbols: namedSymbols(wording),
    })),
  );
  const chosen = shown.map((file) => ({ file, ...chooseChunk(chunks.get(file.path) as ComparedChunk[]) }));
  return {
    match: matchOf(chosen),
    results: chosen.map(({ file, chunk }, at) => toResult(file, chunk, question.offset + at)),
    nextOffset: good.length > end ? end : undefined,
    state,
  };
}

/** Says how an answer was found and how good it is; used for people and models. */
export const questionHeads: Record<QuestionAnswer['match'], string> = {
  good: 'Code for this question, best first:',
  weak: 'No code matches this question well. The closest:',
  none: 'No code matches this question. Use words from the code.',
};

const bestSimilarities = (chunks: ReadonlyMap<string, ComparedChunk[]>): Map<string, number> =>
  new Map(
    [...chunks].map(([path, own]) => [path, Math.max(0, ...own.flatMap(({ similarities }) => similarities))]),
  );

/** Scores files that define the names in a question. A name that many files define says less. */
function symbolScores(
  symbols: readonly string[],
  chunks: ReadonlyMap<string, ComparedChunk[]>,
): Map<string, number> {
  const scores = new Map<string, number>();
  for (const symbol of symbols) {
    const defining = [...chunks].flatMap(([path, own]) => {
      const names = own.flatMap((chunk) => chunk.names.filter(({ name }) => name === symbol));
      return names.length === 0 ? [] : [{ path, strength: names.some(({ isType }) => isType) ? 2 : 1 }];
    });
    for (const { path, strength } of defining)
      scores.set(path, (scores.get(path) ?? 0) + strength / Math.sqrt(defining.length));
  }
  return scores;
}

interface ChosenChunk {
  chunk: ComparedChunk;
  /**
   * Similarity of meaning, plus the share of the question's words, plus 1 if it defines a name in the question. With
   * several wordings it is their mean, so that one wording that fits by chance does not make an answer good.
   */
  likeness: number;
}

/**
 * Set on the development half of the archived evaluation code-questions: 97 % of its questions are above, and 74 % of
 * questions about another repository are below.
 */
const minGoodLikeness = 0.7;
const judgedResults = 3;

function matchOf(chosen: readonly ChosenChunk[]): QuestionAnswer['match'] {
  if (chosen.length === 0) return 'none';
  return chosen.slice(0, judgedResults).some(({ likeness }) => likeness >= minGoodLikeness) ? 'good' : 'weak';
}

/** Chooses the chunk of a file to show: by the names it defines, its meaning, and the words of the question in it. */
function createChunkChoice(
  wordings: readonly { weights: ReadonlyMap<number, number>; symbols: readonly string[] }[],
): (chunks: readonly ComparedChunk[]) => ChosenChunk {
  const counter = new WordCounter();
  const totals = wordings.map(({ weights }) => sumOf([...weights.values()]));
  const likenessOf = ({ text, names, similarities }: ComparedChunk): number => {
    const counts = new Map<number, number>();
    counter.count(text, counts);
    const likenesses = wordings.map(({ weights, symbols }, at) => {
      const found = sumOf([...weights].map(([key, weight]) => (counts.has(key) ? weight : 0)));
      const isDefined = names.some(({ name }) => symbols.includes(name));
      const share = found / Math.max(totals[at] as number, 1e-9);
      return (similarities[at] as number) + share + (isDefined ? 1 : 0);
    });
    return sumOf(likenesses) / likenesses.length;
  };
  return (chunks) =>
    chunks
      .map((chunk) => ({ chunk, likeness: likenessOf(chunk) }))
      .reduce((best, one) => (one.likeness > best.likeness ? one : best));
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

function toResult({ path, score, reasons }: RankedPath, chunk: ComparedChunk, rank: number): CodeResult {
  const { from, to, text, names } = chunk;
  const symbol = names[0]?.name;
  return {
    path,
    from,
    to,
    ...(symbol === undefined ? {} : { symbol }),
    reasons,
    score: Math.round(score * 100) / 100,
    lines: text
      .trimEnd()
      .split('\n')
      .slice(0, rank < fullResults ? maxFullLines : maxShortLines)
      .map((line) => line.trimEnd().slice(0, maxLineLength).toWellFormed()),
  };
}
