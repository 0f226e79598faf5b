import { describe, expect, it } from 'vitest';
import { answer, turn } from '../../test/support/turns.ts';
import { distilSession } from './distil-session.ts';
import type { Turn } from './distiller.ts';

const proposalsOf = (...turns: Turn[]) =>
  distilSession.distil({ agentSession: 'one', agent: 'claude-code', branch: 'main', turns });

describe('a session', () => {
  it('yields nothing if nothing was done or said for good', async () => {
    expect(
      await proposalsOf(
        turn(0, 'hi, are you up?', answer('Yes!')),
        turn(1, 'just checking the setup', answer('Fine. I would always use tabs.')),
      ),
    ).toEqual([]);
  });
});
