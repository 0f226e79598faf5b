import { contentId } from '../base/ids.ts';
import type { ServedSearch } from '../domain/event.ts';
import { possibleCallers } from '../memo/caller.ts';
import { contentsAfter } from '../memo/context-contents.ts';
import type { MemoFollower } from '../memo/follow-client.ts';

/** What was answered before, so that a repeated search costs the agent a line instead of the same answer again. */
export interface SearchMemory {
  record(search: AnsweredSearch): Promise<RememberedSearch>;
}

export interface AnsweredSearch {
  query: string;
  mode?: 'literal' | 'regex';
  path?: string | undefined;
  /** Everything that was asked. */
  question: string;
  answer: unknown;
  files: number;
  lines: number;
  isForced: boolean;
  /** The session that the call names, if it does. */
  named: string;
}

export interface RememberedSearch {
  searchId: string;
  epoch: number;
  /** The agent still has this very answer before its eyes. */
  isRepeat: boolean;
  /** For the record; absent when it is not known who was answered. */
  served?: ServedSearch;
}

/**
 * The search is run either way and answers are compared: whatever changed, an agent is never pointed at something
 * that is no longer so. A compaction takes earlier answers out of the agent's sight, and so does a new session. Where
 * it is not known who asks, nobody is pointed anywhere.
 */
export function createSearchMemory(follower: MemoFollower, clock: { now(): number }): SearchMemory {
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
    const silentUntil = follower.silentUntil();
    const isAlone = possibleCallers(steps, now).length === 1;
    const isSure = isComplete && isAlone && silentUntil.every((end) => end < now);
    return { searches, isSure, held: contentsAfter(steps, '', silentUntil) };
  };

  return {
    async record({ query, mode, path, answer, files, lines, isForced, named, ...asked }) {
      const now = clock.now();
      const asker = await follower.asker({ named }, now);
      if (asker.kind === 'unknown') return { searchId: nextId(), epoch: 0, isRepeat: false };
      const { searches, isSure, held } = await searchesOf(asker.agentSession);
      const question = contentId(asked.question);
      const said = contentId(JSON.stringify(answer));
      const before = searches.get(question);
      const isInSight = before !== undefined && before.at > held.emptiedAt && isSure;
      const isRepeat = !isForced && isInSight && before.answer === said;
      const searchId = isRepeat ? before.id : nextId();
      const narrowed = { ...(mode === 'regex' ? { mode } : {}), ...(path === undefined ? {} : { path }) };
      const served = { id: searchId, query, ...narrowed, question, answer: said, files, lines };
      if (!isSure) return { searchId, epoch: held.epoch, isRepeat };
      searches.set(question, { ...served, at: now });
      const forced = isForced ? { isForced: true as const } : {};
      return { searchId, epoch: held.epoch, isRepeat, served: { ...served, ...forced } };
    },
  };
}

const idPrefix = 'search-';
