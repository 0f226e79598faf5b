import { describe, expect, it } from 'vitest';
import { answer, turn } from '../../test/support/turns.ts';
import { distilSession } from './distil-session.ts';
import type { Turn } from './distiller.ts';

const proposalsOf = (...turns: Turn[]) =>
  distilSession.distil({ agentSession: 'one', agent: 'claude-code', branch: 'main', turns });

describe('a session', () => {
  it('yields its last statements if it has many', async () => {
    const word = (at: number) => String.fromCodePoint(97 + (at % 10), 107 + Math.floor(at / 10));
    const rules = Array.from({ length: 40 }, (_, at) => `always ask ${word(at)}gate before ${word(at)}bank`);
    const found = await proposalsOf(...rules.map((text, at) => turn(at, text, answer('Understood.'))));
    const statements = found.filter(({ kind }) => kind !== 'summary');
    expect(statements).toHaveLength(24);
    expect(statements.at(-1)?.text).toBe(rules.at(-1));
  });

  it('yields nothing if nothing was done or said for good', async () => {
    expect(
      await proposalsOf(
        turn(0, 'hi, are you up?', answer('Yes!')),
        turn(1, 'just checking the setup', answer('Fine. I would always use tabs.')),
      ),
    ).toEqual([]);
  });
});
