import type { Exchange } from '../../distil/evidence.ts';
import type { ChunkFilter } from '../../domain/chunk.ts';
import type { EventEnvelope } from '../../domain/event.ts';
import { readUnindexed } from '../../recall/unindexed-events.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import type { LogIndex } from '../../store/store.ts';
import { queryTerms } from '../../text/words.ts';
import { readRows } from './session-turns.ts';

export interface SessionExchange extends Exchange {
  /** Id of the event of the prompt. */
  event: string;
  /** Id of the event of the answer before it; empty if there is none. */
  answer: string;
}

/** What the user typed and was answered in a session, and what they typed about the same matter in earlier ones. */
export interface SessionExchanges {
  exchanges: SessionExchange[];
  earlier: string[];
}

/** Maximum number of chunks read; a longer session is cut at its beginning. */
const maxChunks = 2_000;

/**
 * Returns the exchanges of an agent session, oldest first, including the newest prompt, which may not be indexed yet.
 * Prompts that an agent wrote for its subagents are left out. `about` is what the earlier prompts must be about.
 */
export function readSessionExchanges(
  parts: RecallParts,
  agentSession: string,
  about: string,
): Promise<SessionExchanges> {
  const plain = withoutMeaning(parts);
  if (agentSession === '') return Promise.resolve({ exchanges: [], earlier: [] });
  return withIndex(plain, quickLimits, async (index) => {
    const { replay } = await readUnindexed(plain, index, quickLimits.tailBytes);
    const chunks =
      (await index?.list({ agentSession, source: 'event', kinds: ['prompt', 'answer'] }, maxChunks)) ?? [];
    const known = await index?.events([...new Set(chunks.map(({ sourceId }) => sourceId))]);
    const rows = [...(known?.values() ?? [])].filter(
      ({ id, state }) => state === 'live' && !replay.drop.has(id),
    );
    const recent = [...replay.events.values()].filter(({ id }) => replay.rows.get(id)?.state === 'live');
    const events = new Map([
      ...readRows(plain.log, rows),
      ...recent.map((event) => [event.id, event] as const),
    ]);
    const own = [...events.values()]
      .filter((event) => event.agentSession === agentSession)
      .sort((a, b) => (a.at === b.at ? a.seq - b.seq : a.at < b.at ? -1 : 1));
    const earlier =
      index === undefined ? [] : await earlierPrompts(plain.log, index, { about, agentSession });
    return { exchanges: exchangesOf(own), earlier };
  });
}

function exchangesOf(events: EventEnvelope[]): SessionExchange[] {
  const exchanges: SessionExchange[] = [];
  let [before, answer] = ['', ''];
  for (const event of events) {
    if (isTyped(event)) {
      exchanges.push({ event: event.id, prompt: event.body.text, before, answer });
      [before, answer] = ['', ''];
    } else if (event.kind === 'answer' && event.body.subagent === undefined) {
      [before, answer] = [event.body.text, event.id];
    }
  }
  return exchanges;
}

const isTyped = (event: EventEnvelope): event is Extract<EventEnvelope, { kind: 'prompt' }> =>
  event.kind === 'prompt' && event.origin === 'user' && event.trust >= 2 && event.body.subagent === undefined;

const maxEarlierPrompts = 40;
const maxTerms = 60;

/** The prompts of other sessions that are closest to a text, in which the user may have typed its names. */
export async function earlierPrompts(
  log: EventLog,
  index: LogIndex,
  { about, agentSession }: { about: string; agentSession: string },
): Promise<string[]> {
  const terms = [...new Set(queryTerms(about).terms)].slice(0, maxTerms);
  if (terms.length === 0) return [];
  const filter: ChunkFilter = { source: 'event', kinds: ['prompt'], minTrust: 2 };
  const found = await index.search(terms, filter, maxEarlierPrompts);
  const rows = await index.events([...new Set(found.map(({ chunk }) => chunk.sourceId))]);
  const live = [...rows.values()].filter(({ state }) => state === 'live');
  return [...readRows(log, live).values()].flatMap((event) =>
    isTyped(event) && event.agentSession !== agentSession ? [event.body.text] : [],
  );
}
