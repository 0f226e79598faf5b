import type { EventContent, EventEnvelope } from '../../src/domain/event.ts';

let count = 0;

/** An event as stored in the log, with defaults for fields that the test does not set. */
export function sampleEvent(content: Partial<EventEnvelope> & EventContent): EventEnvelope {
  count++;
  return {
    v: 1,
    id: count.toString(16).padStart(32, '0'),
    at: new Date(1_790_000_000_000 + count * 60_000).toISOString(),
    seq: count,
    device: 'd'.repeat(16),
    actor: 'tester',
    agent: 'claude-code',
    agentVersion: '2.1.325',
    agentSession: 'session-1',
    clientPid: 1,
    project: 'a'.repeat(32),
    checkout: 'c'.repeat(16),
    branch: 'main',
    head: '',
    origin: 'user',
    trust: 2,
    ...content,
  };
}

export const promptEvent = (text: string, more: Partial<EventEnvelope> = {}): EventEnvelope =>
  sampleEvent({ ...more, kind: 'prompt', body: { text, turn: `turn-${count}` } } as EventEnvelope);
