import { hashId } from '../../src/base/hash.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import type { Prose } from './prose.ts';
import type { Random } from './random.ts';

/** A prompt or an answer of an agent session, made unique by `number`. */
export function sampleEvent(number: number, project: string, prose: Prose, random: Random): EventEnvelope {
  const isPrompt = number % 2 === 0;
  return {
    v: 1,
    id: hashId('claude-code', `sample-${number}`),
    at: new Date(Date.UTC(2026, 9, 1) + number * 60_000).toISOString(),
    seq: number,
    device: '0123456789abcdef',
    actor: 'tester',
    agent: 'claude-code',
    agentVersion: '2.1.325',
    agentSession: `session-${Math.floor(number / 20)}`,
    clientPid: 1,
    project,
    checkout: 'checkout',
    branch: 'main',
    head: '',
    origin: isPrompt ? 'user' : 'assistant',
    trust: isPrompt ? 2 : 1,
    kind: isPrompt ? 'prompt' : 'answer',
    body: {
      turn: `turn-${Math.floor(number / 2)}`,
      text: prose.take(random.size(200, 8_000), random).trim(),
    },
  };
}
