import { expect } from 'vitest';
import type { EventEnvelope } from '../../src/domain/event.ts';
import type { Sandbox } from './sandbox.ts';

/** What is live after folding, by kind, as recall tells it. */
export const recalled = (sandbox: Sandbox, kind: string, question: string): string[] =>
  sandbox
    .json<{ hits: { text: string }[] }>('recall', question, '--kind', kind, '--limit', '100')
    .hits.map((hit) => hit.text)
    .sort();

/** Every event of a log once, as readers fold it; none may hold what we told the agent. */
export function soundEvents(sandbox: Sandbox): EventEnvelope[] {
  const events = [...new Map(sandbox.events().map((event) => [event.id, event])).values()];
  expect(events.filter(({ body }) => JSON.stringify(body).includes('backstory-memory'))).toEqual([]);
  return events;
}
