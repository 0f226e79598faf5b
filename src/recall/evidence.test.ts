import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { sampleEvent } from '../../test/support/sample-event.ts';
import { withEvidence } from './evidence.ts';
import { quickLimits } from './with-index.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const used = (model: string, turn: string, output: number) =>
  sampleEvent({
    kind: 'usage',
    agentSession: 'session-1',
    body: { model, turn, used: { input: 1, output, cacheRead: 0, cacheWrite: 0 } },
  });

describe('the model of an edit', () => {
  it('is the one that wrote most in its turn, or else in its session', async () => {
    const { log } = memory.open();
    log.append([used('opus', 'turn-1', 10), used('sonnet', 'turn-1', 20), used('opus', 'turn-2', 30)]);
    const modelIn = (turn: string) =>
      withEvidence(memory.open(), quickLimits, ({ modelOf }) => modelOf({ agentSession: 'session-1', turn }));
    expect(await modelIn('turn-1')).toBe('sonnet');
    expect(await modelIn('turn-2')).toBe('opus');
    expect(await modelIn('turn-9')).toBe('opus');
  });
});
