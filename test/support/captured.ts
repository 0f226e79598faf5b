import { expect } from 'vitest';
import type { EventEnvelope } from '../../src/domain/event.ts';
import type { Sandbox } from './sandbox.ts';

/** What is live after folding, by kind, as recall tells it. */
export const recalled = (sandbox: Sandbox, kind: string, question: string): string[] =>
  sandbox
    .json<{ hits: { text: string }[] }>('recall', question, '--kind', kind, '--limit', '100')
    .hits.map((hit) => hit.text)
    .sort();

/** Every event of a log, of which none may be there twice or hold what we told the agent. */
export function soundEvents(sandbox: Sandbox): EventEnvelope[] {
  const events = sandbox.events();
  const ids = events.map(({ id }) => id);
  expect(new Set(ids).size, 'no event is written twice').toBe(ids.length);
  expect(events.filter(({ body }) => JSON.stringify(body).includes('backstory-memory'))).toEqual([]);
  return events;
}
