import { hashId } from '../base/hash.ts';
import type { ServedSearch } from '../domain/event.ts';
import { possibleCallers } from '../memo/caller.ts';
import { contentsAfter } from '../memo/context-contents.ts';
import type { MemoFollower } from '../memo/follow-client.ts';

export type SearchMemory = ReturnType<typeof createSearchMemory>;

interface AnsweredSearch {
  query: string;
  mode?: 'literal' | 'regex';
  path?: string | undefined;
  /** All parameters of the search as one string, to recognise a repeated search. */
  question: string;
  answer: unknown;
  files: number;
  lines: number;
  isForced: boolean;
  /** Id of the agent session in the MCP call itself; empty if the call has none. */
  callSession: string;
}

/**
 * Remembers answers, so that a repeated search costs the agent one line instead of the same answer again. Every search
 * still runs, and its answer is compared with the earlier one, so an agent is never referred to an outdated answer.
 * After a compaction, in a new session, or if the calling session is uncertain, every search gets its full answer.
 */
export function createSearchMemory(follower: MemoFollower, clock: { now(): number }) {
  const known = new Map<string, Map<string, ServedSearch & { at: number }>>();
  let count = 0;
  const nextId = (): string => `${idPrefix}${String(++count).padStart(4, '0')}`;

  const searchesOf = async (agentSession: string) => {
    const { steps, isComplete } = await follower.session(agentSession);
    let searches = known.get(agentSession);
    if (searches === undefined) {
      searches = new Map();
      if (isComplete) known.set(agentSession, searches);
      for (const step of steps) {
        const search = step.kind === 'served' ? step.body.search : undefined;
        if (search === undefined) continue;
        searches.set(search.question, { ...search, at: step.at });
        count = Math.max(count, Number(search.id.slice(idPrefix.length)) || 0);
      }
    }
    const now = clock.now();
    const captureGapEnds = follower.captureGapEnds();
    const isAlone = possibleCallers(steps, now).length === 1;
    const isSure = isComplete && isAlone && captureGapEnds.every((end) => end < now);
    return { searches, isSure, contents: contentsAfter(steps, '', captureGapEnds) };
  };

  return {
    /** `isRepeat`: the agent still has this answer in its context. Without `served`, the caller is not known. */
    async record({
      query,
      mode,
      path,
      answer,
      files,
      lines,
      isForced,
      callSession,
      ...search
    }: AnsweredSearch) {
      const now = clock.now();
      const client = await follower.caller({ named: callSession }, now);
      if (client.agentSession === '')
        return { searchId: nextId(), epoch: 0, isRepeat: false, served: undefined };
      const { searches, isSure, contents } = await searchesOf(client.agentSession);
      const question = hashId(search.question);
      const answerId = hashId(JSON.stringify(answer));
      const before = searches.get(question);
      const isInContext = before !== undefined && before.at > contents.emptiedAt && isSure;
      const isRepeat = !isForced && isInContext && before.answer === answerId;
      const searchId = isRepeat ? before.id : nextId();
      const options = { ...(mode === 'regex' ? { mode } : {}), ...(path === undefined ? {} : { path }) };
      const served: ServedSearch = {
        id: searchId,
        query,
        ...options,
        question,
        answer: answerId,
        files,
        lines,
      };
      const remembered = { searchId, epoch: contents.epoch, isRepeat };
      if (!isSure) return { ...remembered, served: undefined };
      searches.set(question, { ...served, at: now });
      return { ...remembered, served: isForced ? { ...served, isForced: true as const } : served };
    },
  };
}

const idPrefix = 'search-';
