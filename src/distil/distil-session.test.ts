import { describe, expect, it } from 'vitest';
import { answer, edit, ran, turn } from '../../test/support/turns.ts';
import { distilSession } from './distil-session.ts';
import type { Turn } from './distiller.ts';

const proposalsOf = (...turns: Turn[]) =>
  distilSession.distil({ agentSession: 'one', agent: 'claude-code', branch: 'main', turns });

describe('a session', () => {
  it('[distil-fix] yields a fix if a command failed and passed after edits', async () => {
    const [fix] = await proposalsOf(
      turn(0, 'the totals are off for yen', ran('npm test', false, 'FAIL amount.test.ts\nExpected: "¥1"')),
      turn(
        1,
        'go on',
        edit('src/amount.ts'),
        ran('npm test', true, 'passed'),
        answer('It was divided by 100.'),
      ),
    );
    expect(fix).toMatchObject({ kind: 'fix', files: ['src/amount.ts'], trust: 0, turn: 'turn-1' });
    expect(fix?.text).toBe(
      '`npm test` failed: FAIL amount.test.ts\nIt passed after changes in src/amount.ts.\nAsked: the totals are off for yen',
    );
  });

  it.each(['grep -rn legacy src', 'git push', 'diff a b', 'ls src/legacy'])(
    'yields no fix if the command only answered no: %s',
    async (command) => {
      const found = await proposalsOf(
        turn(0, 'clean up', ran(command, false), edit('src/amount.ts'), ran(command)),
      );
      expect(found.filter(({ kind }) => kind === 'fix')).toEqual([]);
    },
  );

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
