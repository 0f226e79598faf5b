import type { ServedMemo } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import type { Savings } from '../wire/answers/project.ts';
import { clearsContext } from './context-contents.ts';

/**
 * Tokens of the definitions of all MCP tools together; test/e2e/cli.test.ts checks that they do not exceed this.
 * Agents that load tools on demand use less.
 */
const maxDefinitionTokens = 1_000;

/**
 * Counts only reads and searches that were really skipped. Advice not to read a file counts once per file and context,
 * and not if the agent read the file anyway. An omitted search result counts unless the agent then forced the search.
 */
export function savingsOf(steps: MemoStep[]): Savings {
  const rereads: number[] = [];
  const searches: number[] = [];
  let advised = new Map<string, ServedMemo>();
  let omitted = new Map<string, number>();
  const settle = () => {
    rereads.push(...[...advised.values()].map(({ sparedTokens }) => sparedTokens));
    searches.push(...omitted.values());
    advised = new Map();
    omitted = new Map();
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
    for (const advice of memo) {
      if (advice.sparedTokens > 0) advised.set(advice.path, advice);
    }
    if (search?.isForced === true) omitted.delete(search.question);
    else if (search?.omittedTokens !== undefined)
      omitted.set(search.question, (omitted.get(search.question) ?? 0) + search.omittedTokens);
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
