import { expect } from 'vitest';
import type { EventEnvelope } from '../../src/domain/event.ts';
import type { Sandbox } from './sandbox.ts';

/** Texts of a kind that recall lists. */
export const recalled = (sandbox: Sandbox, kind: string): string[] =>
  sandbox
    .json<{ hits: { text: string }[] }>('recall', '--kind', kind, '--limit', '100')
    .hits.map((hit) => hit.text)
    .sort();

/**
 * Returns every event of a log, deduplicated as readers see it. Fails if one contains text that Backstory gave to the
 * agent.
 */
export function soundEvents(sandbox: Sandbox): EventEnvelope[] {
  const events = [...new Map(sandbox.events().map((event) => [event.id, event])).values()];
  expect(events.filter(({ body }) => JSON.stringify(body).includes('backstory-memory'))).toEqual([]);
  return events;
}
