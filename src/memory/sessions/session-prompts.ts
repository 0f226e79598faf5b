import type { EventEnvelope } from '../../domain/event.ts';
import { readUnindexed } from '../../recall/unindexed-events.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';
import { readRows } from './session-turns.ts';

export interface SessionPrompt {
  /** Id of its event. */
  event: string;
  text: string;
}

/** Maximum number of chunks read; a longer session is cut at its beginning. */
const maxChunks = 2_000;

/**
 * Returns what the user typed in an agent session, oldest first, including the newest prompt, which may not be indexed
 * yet. Prompts that an agent wrote for its subagents are left out.
 */
export function readSessionPrompts(parts: RecallParts, agentSession: string): Promise<SessionPrompt[]> {
  const plain = withoutMeaning(parts);
  if (agentSession === '') return Promise.resolve([]);
  return withIndex(plain, quickLimits, async (index) => {
    const { replay } = await readUnindexed(plain, index, quickLimits.tailBytes);
    const chunks =
      (await index?.list({ agentSession, source: 'event', kinds: ['prompt'], minTrust: 2 }, maxChunks)) ?? [];
    const known = await index?.events([...new Set(chunks.map(({ sourceId }) => sourceId))]);
    const rows = [...(known?.values() ?? [])].filter(
      ({ id, state }) => state === 'live' && !replay.drop.has(id),
    );
    const recent = [...replay.events.values()].filter(({ id }) => replay.rows.get(id)?.state === 'live');
    const events = new Map([
      ...readRows(plain.log, rows),
      ...recent.map((event) => [event.id, event] as const),
    ]);
    return [...events.values()]
      .sort((a, b) => (a.at === b.at ? a.seq - b.seq : a.at < b.at ? -1 : 1))
      .flatMap((event) =>
        isTypedIn(event, agentSession) ? [{ event: event.id, text: event.body.text }] : [],
      );
  });
}

const isTypedIn = (
  event: EventEnvelope,
  agentSession: string,
): event is Extract<EventEnvelope, { kind: 'prompt' }> =>
  event.kind === 'prompt' &&
  event.agentSession === agentSession &&
  event.origin === 'user' &&
  event.trust >= 2 &&
  event.body.subagent === undefined;
