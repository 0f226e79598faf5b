import { describe, expect, it } from 'vitest';
import { answer, edit, ran, turn } from '../../test/support/turns.ts';
import type { Turn } from './distiller.ts';
import { summaryOf } from './summary.ts';

const summary = (...turns: Turn[]) =>
  summaryOf({ agentSession: 'one', agent: 'claude-code', branch: 'main', turns }, false)[0];
const linesOf = (...turns: Turn[]) => summary(...turns)?.text.split('\n');

describe('summaryOf', () => {
  it('[distil-summary] says what was asked first, what was done and how it ended', () => {
    const turns = [
      turn(0, 'hi'),
      turn(1, 'split model.py into modules', edit('src/model/a.py'), ran('pytest', false)),
      turn(
        2,
        'no, keep it in one file',
        ran('git commit -qam wip', true, '[main 1a2b3c4] model: keep one file\n 1 file changed'),
        ran('pytest -q'),
        answer('Done. The model is one file again. Shall I push?'),
      ),
    ];
    expect(linesOf(...turns)).toEqual([
      'split model.py into modules',
      'Session of 2026-11-14 with claude-code on main.',
      'Edited: src/model/a.py',
      'Committed: 1a2b3c4 model: keep one file',
      'Last results: `pytest -q` passed',
      'The agent said last: Done. The model is one file again. Shall I push?',
    ]);
  });

  it('has the trust of an agent and names the events that it quotes', () => {
    const one = summary(
      turn(0, 'split model.py into modules', ran('pytest'), answer('It is split now, in two.')),
    );
    expect(one).toMatchObject({ trust: 1, evidence: ['prompt-0', 'pytest true', 'answer It is '] });
  });

  it('repeats no request but the first, which a later one may have overturned', () => {
    const turns = [
      turn(0, 'set the upload limit to 10 MB', edit('a.ts')),
      turn(1, 'make it 25 MB instead', edit('a.ts')),
    ];
    expect(summary(...turns)?.text).not.toContain('25');
  });

  it('says if the last request has no answer', () => {
    const turns = [turn(0, 'make the build faster', edit('build.ts')), turn(1, 'and the tests?')];
    expect(linesOf(...turns)?.at(-1)).toBe('The last request has no answer.');
  });

  it('is made of a session that only looked something up', () => {
    const looked = turn(
      0,
      'why does the cron job fire twice?',
      { kind: 'tool', event: 'read' },
      answer('Two schedulers share one queue, so each job runs twice.'),
    );
    expect(linesOf(looked)?.at(-1)).toBe(
      'The agent said last: Two schedulers share one queue, so each job runs twice.',
    );
  });

  it('is not made of a session in which nothing was done or kept', () => {
    const turns = [
      turn(0, 'hi, are you up?', answer('Yes!')),
      turn(1, 'just checking the setup', answer('Fine.')),
    ];
    expect(summary(...turns)).toBeUndefined();
  });
});
