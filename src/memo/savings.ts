import type { ServedMemo } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import { clearsContext } from './context-contents.ts';

/** What Backstory spared an agent session and what it cost it, in estimated tokens. */
export interface Savings {
  /** Files that were not read again after Memo had said there was no need. */
  rereadsAvoided: number;
  rereadTokens: number;
  /** Searches answered by pointing at an earlier answer. */
  searchesAvoided: number;
  searchTokens: number;
  /** What the session was told at its starts. */
  preludeTokens: number;
  /** All answers of our tools. */
  answerTokens: number;
  answers: number;
  /** What the tools' definitions cost a session, used or not. */
  definitionTokens: number;
  /** Spared less spent. */
  netTokens: number;
}

/** The most that the tools may cost (test/e2e/cli.test.ts); agents that show tools only on demand pay less. */
const maxDefinitionTokens = 1_000;

/**
 * Counts only what was really skipped. Advice not to read a file counts once its chance to be followed is over and it
 * was followed: not if the file was read after it, in the same context, and not twice for one file. A search counts
 * unless it was then forced.
 */
export function savingsOf(steps: MemoStep[]): Savings {
  const rereads: number[] = [];
  const searches: number[] = [];
  let advised = new Map<string, ServedMemo>();
  let pointed = new Map<string, number>();
  const settle = () => {
    rereads.push(...[...advised.values()].map(({ sparedTokens }) => sparedTokens));
    searches.push(...pointed.values());
    advised = new Map();
    pointed = new Map();
  };
  const total = { preludeTokens: 0, answerTokens: 0, answers: 0 };
  for (const step of steps) {
    if (clearsContext(step)) settle();
    if (step.kind === 'session') total.preludeTokens += step.preludeTokens;
    if (step.kind === 'read') advised.delete(step.path);
    if (step.kind !== 'served') continue;
    const { tokens, memo = [], search } = step.body;
    total.answerTokens += tokens;
    total.answers += 1;
    for (const said of memo) {
      if (said.sparedTokens > 0) advised.set(said.path, said);
    }
    if (search?.isForced === true) pointed.delete(search.question);
    else if (search?.omittedTokens !== undefined)
      pointed.set(search.question, (pointed.get(search.question) ?? 0) + search.omittedTokens);
  }
  settle();
  const sum = (all: number[]) => all.reduce((before, each) => before + each, 0);
  const [rereadTokens, searchTokens] = [sum(rereads), sum(searches)];
  const { preludeTokens, answerTokens, answers } = total;
  return {
    rereadsAvoided: rereads.length,
    rereadTokens,
    searchesAvoided: searches.length,
    searchTokens,
    preludeTokens,
    answerTokens,
    answers,
    definitionTokens: maxDefinitionTokens,
    netTokens: rereadTokens + searchTokens - preludeTokens - answerTokens - maxDefinitionTokens,
  };
}
