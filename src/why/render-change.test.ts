import { describe, expect, it } from 'vitest';
import { localTime } from '../base/clock.ts';
import type { ChangeAnswer, ChangeTurn } from '../wire/answers/change.ts';
import type { Quote } from '../wire/answers/memory.ts';
import { changeAsMarkdown, publishable } from './change-markdown.ts';
import { plain } from './render.ts';
import { renderChange, renderChangeForAgent, writtenLines } from './render-change.ts';

const at = Date.parse('2026-11-14T12:00:00Z');
const now = at + 2 * 3_600_000;
const quote = (text: string, more: Partial<Quote> = {}): Quote => ({
  id: '0123456789',
  at,
  by: 'user',
  text,
  ...more,
});
const aTurn = (more: Partial<ChangeTurn> = {}): ChangeTurn => ({
  agent: 'claude-code',
  agentSession: 'session-of-ann',
  at,
  files: [],
  added: 0,
  removed: 0,
  asked: [],
  decided: [],
  rejected: [],
  account: [],
  ...more,
});
const aChange = (more: Partial<ChangeAnswer> = {}): ChangeAnswer => ({
  name: 'main..feature',
  base: 'b',
  head: 'h',
  commits: [],
  files: [],
  turns: [],
  tried: [],
  tests: [],
  open: [],
  ...more,
});
const commit = (subject: string) => ({
  hash: `${'0123456789ab'}cdef`,
  at,
  author: 'Ann',
  subject,
  message: `${subject}\n\nBody.`,
});
const rows = (more: Partial<ChangeAnswer>): string[] =>
  renderChange(aChange(more), { now, style: plain, columns: 100 }).split('\n').slice(0, -1);
const failed = (path: string) => ({ path, agent: 'codex' as const, agentSession: 's', at, lines: 2 });

describe('a change for a reader', () => {
  it('begins with its size, and has the message of a single commit', () => {
    const files = [
      { path: 'a.js', added: 3, removed: 1, writers: [] },
      { path: 'b.js', added: 1, removed: 4, writers: [] },
    ];
    expect(rows({ files, commits: [commit('Wait')] }).slice(0, 2)).toEqual([
      'main..feature  1 commit, 2 files, +4 −5 lines',
      `  commit    0123456789ab by Ann, ${localTime(at)}: Wait Body.`,
    ]);
    const two = rows({ files: files.slice(0, 1), commits: [commit('Wait'), commit('Stop')] });
    expect(two.slice(0, 1)).toEqual(['main..feature  2 commits, 1 file, +3 −1 lines']);
    expect(two.join()).not.toContain('Body');
    expect(rows({})).toEqual(['main..feature  0 files, +0 −0 lines']);
  });

  it('has for each turn who wrote how much where, and what was said', () => {
    const turn = aTurn({
      model: 'opus',
      files: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `${name}.js`, lines: [] })),
      added: 3,
      removed: 1,
      asked: [quote('Make it wait for the drive.')],
      decided: [quote('A fixed delay of one second.')],
      rejected: [quote('A watcher of the files.', { by: 'agent' })],
      account: ['First I looked.', 'Then I wrote.', 'It waits now.'].map((text) =>
        quote(text, { by: 'agent' }),
      ),
    });
    expect(rows({ turns: [turn] }).slice(1)).toEqual([
      `${localTime(at)} claude-code (opus) session session-: +3 −1 in a.js, b.js, c.js and 2 more`,
      '  asked     [01234567] Make it wait for the drive.',
      '  decided   [01234567] A fixed delay of one second.',
      '  rejected  [01234567] A watcher of the files.',
      '  account   [01234567] the agent: It waits now.',
    ]);
    const other = aTurn({
      removed: 1,
      files: ['a', 'b', 'c'].map((path) => ({ path, lines: [] })),
      asked: [quote('Go on with that.', { by: 'agent' })],
    });
    expect(rows({ turns: [other] }).slice(1)).toEqual([
      `${localTime(at)} claude-code session session-: +0 −1 in a, b, c`,
      '  asked     [01234567] (not typed by you) Go on with that.',
    ]);
    expect(rows({ turns: [aTurn({ added: 2, removed: 2 })] })[1]).toContain('+2 −2');
    expect(rows({ turns: [aTurn()] })[1]).toBe(
      `${localTime(at)} claude-code session session-: no line of the change`,
    );
  });

  it('quotes a request of 300 characters and a decision of 500 as a whole, and a command', () => {
    const sentence = (length: number) => `${'word '.repeat(length / 5)}end.`;
    const [asked, decided] = [sentence(300), sentence(500)];
    const turn = aTurn({ asked: [quote(asked), quote('/review')], decided: [quote(decided)] });
    const text = renderChange(aChange({ turns: [turn] }), { now, style: plain, columns: 2_000 });
    expect(text).toContain(`asked     [01234567] ${asked}`);
    expect(text).toContain('[01234567] /review');
    expect(text).toContain(`decided   [01234567] ${decided}`);
    const longer = aTurn({ asked: [quote(sentence(400))], decided: [quote(sentence(700))] });
    const cut = renderChange(aChange({ turns: [longer] }), { now, style: plain, columns: 2_000 });
    expect(cut).not.toContain('end.');
  });

  it('shows the ten turns with the most lines and decisions, in their order', () => {
    const turns = [
      aTurn({ added: 1, agentSession: 'smallest' }),
      aTurn({ removed: 4, agentSession: 'removing' }),
      aTurn({ removed: 30, agentSession: 'cutting' }),
      aTurn({ decided: [quote('This is settled now.')], agentSession: 'deciding' }),
      aTurn({ rejected: [quote('That is not good.')], agentSession: 'refusing' }),
      ...Array.from({ length: 7 }, (_, more) => aTurn({ added: 3 + more, agentSession: `s${more}` })),
    ];
    const text = rows({ turns }).join('\n');
    for (const name of ['cutting', 'deciding', 'refusing', 's0', 's6'])
      expect(text).toContain(`session ${name}`);
    for (const name of ['smallest', 'removing']) expect(text).not.toContain(`session ${name}`);
    expect(text).toContain('and 2 smaller turns');
    expect(text.indexOf('deciding')).toBeLessThan(text.indexOf('s6'));
    expect(rows({ turns: turns.slice(2) }).join()).not.toContain('smaller');
  });

  it('lists at most five attempts, tests and open points, the last tests first, and counts the others', () => {
    const tests = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({
      command: `test ${name}`,
      result: name === 'g' ? ('failed' as const) : ('passed' as const),
      isBeforeLastEdit: name === 'g',
    }));
    expect(rows({ tests }).slice(1)).toEqual([
      '  tests     `test g` failed, not run after later edits',
      ...['f', 'e', 'd', 'c'].map((name) => `            \`test ${name}\` passed`),
      '            and 2 more',
    ]);
    expect(rows({ open: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }).at(-1)).toBe('            and 2 more');
    const many = rows({ tried: Array.from({ length: 7 }, () => failed('a.js')) });
    expect([many.length, many.at(-1)]).toEqual([7, '            and 2 more']);
    expect(rows({ open: ['a', 'b', 'c', 'd', 'e'] }).slice(1)).toEqual([
      '  open      a',
      ...['b', 'c', 'd', 'e'].map((each) => `            ${each}`),
    ]);
    expect(rows({ tried: ['a.js', 'b.js'].map(failed) }).slice(1)).toEqual([
      '  tried     2 lines in a.js, reverted by codex 2 h ago',
      '            2 lines in b.js, reverted by codex 2 h ago',
    ]);
  });

  it('says who wrote which share of the lines, of all files and of each, the largest first', () => {
    const files = [
      {
        path: 'small.js',
        added: 1,
        removed: 0,
        writers: [{ agent: 'codex', claim: 'trailer' as const, lines: 1 }],
      },
      {
        path: 'large.js',
        added: 3,
        removed: 2,
        writers: [
          { agent: 'amp', claim: 'git-ai' as const, lines: 1 },
          { agent: 'codex', model: 'gpt', lines: 2 },
        ],
      },
      { path: 'gone.js', added: 0, removed: 4, writers: [] },
      { path: 'byhand.js', added: 6, removed: 0, writers: [] },
    ];
    expect(writtenLines({ files })).toEqual([
      'codex (gpt) 20 %, codex by the commit message 10 %, amp by a git note 10 %, people or not recorded 60 %',
      'byhand.js +6 −0: people or not recorded 100 %',
      'large.js +3 −2: codex (gpt) 67 %, amp by a git note 33 %',
      'gone.js +0 −4',
      'small.js +1 −0: codex by the commit message 100 %',
    ]);
    expect(writtenLines({ files: files.slice(2, 3) })).toEqual(['gone.js +0 −4']);
  });

  it('is shortened until it fits, and a model is told that it is data', () => {
    const turns = Array.from({ length: 10 }, (_, each) =>
      aTurn({ added: each, asked: [quote(`${'many words of it '.repeat(40)}.`)] }),
    );
    const open = Array.from({ length: 9 }, () => 'words of it '.repeat(60));
    const text = renderChange(aChange({ turns, open }), { now, style: plain, columns: 100 });
    expect(text).toMatch(/and \d smaller turns/);
    expect(text).toContain('--json has every turn');
    const forModel = renderChangeForAgent(aChange({ turns }), now);
    expect(forModel).toContain('not instructions');
    expect(forModel).toContain('get_notes opens');
    expect(renderChangeForAgent(aChange({ turns: [aTurn()] }), now)).toContain('no line of the change');
  });
});

describe('a change for publishing', () => {
  it('has the words of the user alone, each once', () => {
    const said = quote('Use a fixed delay of one second.');
    const answer = aChange({
      turns: [
        aTurn({
          asked: [
            quote('Make load wait for the slow drive.'),
            quote('Written by a program, not a person.', { by: 'agent' }),
            quote('ok'),
          ],
          decided: [said, said],
          rejected: [quote('No watcher of the files.')],
        }),
      ],
    });
    expect(publishable(answer)).toEqual([
      { kind: 'Asked', text: 'Make load wait for the slow drive.' },
      { kind: 'Decided', text: 'Use a fixed delay of one second.' },
      { kind: 'Rejected', text: 'No watcher of the files.' },
    ]);
  });

  it('has a section for each kind of fact, and nobody’s markup', () => {
    const answer = aChange({
      commits: [commit('Wait for @drives')],
      files: [{ path: 'a_b.js', added: 1, removed: 0, writers: [] }],
      tests: [
        { command: 'npm test', result: 'passed', isBeforeLastEdit: true },
        { command: 'npm run lint', result: 'failed', isBeforeLastEdit: false },
      ],
    });
    const words = [
      { kind: 'Asked' as const, text: '*Wait* for it' },
      { kind: 'Rejected' as const, text: 'A watcher' },
    ];
    expect(changeAsMarkdown(answer, { words, shared: ['A rule'] }).split('\n')).toEqual([
      '## Backstory of this change',
      ...['', '**Asked**', '', '- \\*Wait\\* for it'],
      ...['', '**Rejected**', '', '- A watcher'],
      ...['', '**Notes of this repository**', '', '- A rule'],
      ...['', '**Written by**', '', '- people or not recorded 100 %'],
      ...[
        '',
        '**Tests run by agents**',
        '',
        '- `npm test` passed, before the last edit',
        '- `npm run lint` failed',
      ],
      ...['', '**Commits**', '', '- `0123456789ab` Wait for \\@drives'],
      ...[
        '',
        '<details><summary>Files</summary>',
        '',
        '- a\\_b.js +1 −0: people or not recorded 100 %',
        '',
        '</details>',
      ],
    ]);
    expect(changeAsMarkdown(aChange(), { words: [], shared: [] })).toBe('## Backstory of this change');
  });
});
