import type { Exchange } from '../../distil/prove-statement.ts';
import { askedText, type EventEnvelope, isAcceptedPlan } from '../../domain/event.ts';
import { readUnindexed } from '../../recall/unindexed-events.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';
import { readRows } from './session-turns.ts';

export interface SessionExchange extends Exchange {
  event: string;
  at: string;
  /** Id of the event of the answer before it; empty if there is none. */
  answer: string;
}

/** Maximum number of chunks read; a longer session is cut at its beginning. */
const maxChunks = 2_000;

/**
 * Returns the exchanges of an agent session, oldest first, including the newest prompt, which may not be indexed yet.
 * Prompts that an agent wrote for its subagents are left out.
 */
export function readSessionExchanges(parts: RecallParts, agentSession: string): Promise<SessionExchange[]> {
  const plain = withoutMeaning(parts);
  if (agentSession === '') return Promise.resolve([]);
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
    return exchangesOf(own);
  });
}

function exchangesOf(events: EventEnvelope[]): SessionExchange[] {
  const exchanges: SessionExchange[] = [];
  let [before, answer] = ['', ''];
  for (const event of events) {
    if (isTyped(event) && event.body.asked !== undefined) {
      const { text: prompt, blocks, asked } = event.body;
      const own = { event: event.id, at: event.at, prompt, ...(blocks && { blocks }), asked };
      exchanges.push({ ...own, before: askedText(asked), answer: '' });
    } else if (isTyped(event)) {
      const { text, blocks, isPlan } = event.body;
      const said = isPlan === true ? { prompt: '', plan: text } : { prompt: text, ...(blocks && { blocks }) };
      exchanges.push({ event: event.id, at: event.at, ...said, before, answer });
      [before, answer] = ['', ''];
    } else if (event.kind === 'answer' && event.body.subagent === undefined) {
      [before, answer] = [event.body.text, event.id];
    }
  }
  return exchanges;
}

const isTyped = (event: EventEnvelope): event is Extract<EventEnvelope, { kind: 'prompt' }> =>
  event.kind === 'prompt' &&
  ((event.origin === 'user' && event.trust >= 2) || isAcceptedPlan(event)) &&
  event.body.subagent === undefined;
