import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Origin, Quote, Reason } from '../wire/answers/memory.ts';
import type { FileStory, StoryNote } from './file-story.ts';
import { lineReason, notesOnLine, plain, renderWhy, renderWhyForAgent } from './render.ts';
import type { WhyAnswer } from './why.ts';

const at = Date.parse('2026-11-14T12:00:00Z');
const now = at + 2 * 3_600_000;
const quote = (text: string, by: Quote['by'] = 'user'): Quote => ({ id: '0123456789', at, by, text });
const reason = (more: Partial<Reason> = {}): Reason => ({
  decisions: [],
  rejected: [],
  failures: [],
  ...more,
});
const session = {
  agent: 'codex',
  agentSession: 'session-of-ann',
  turn: 't',
  at,
  branch: '',
  edit: 'abcdefghij',
};
const commit = {
  hash: '0123456789abcdef',
  at,
  author: 'Ann',
  summary: 'Wait',
  message: 'Wait\n\nThe drive is slow.',
  path: 'a.js',
};
const origin = (more: Partial<Origin> = {}): Origin => ({
  lines: [[3, 3]],
  count: 1,
  text: '  wait();',
  ...more,
});
const failed = { path: 'a.js', agent: 'codex' as const, agentSession: 'session-of-ann', at, lines: 2 };
const answer = (origins: Origin[], more: Partial<WhyAnswer> = {}): WhyAnswer => ({
  path: 'a.js',
  from: 3,
  to: 3,
  origins,
  notes: [],
  failedPaths: [],
  ...more,
});
const shown = (origins: Origin[], more: Partial<WhyAnswer> = {}): string[] =>
  renderWhy(answer(origins, more), now, plain).split('\n').slice(0, -1);

describe('why of lines', () => {
  it('says who wrote a line, in which commit and for what reason', () => {
    const full = origin({
      session: { ...session, model: 'gpt', branch: 'main' },
      commit,
      claims: [
        { source: 'trailer', tool: 'claude', model: 'opus', by: 'Assisted-by of Ann' },
        { source: 'git-ai', tool: 'amp', by: 'a git note of Ben' },
      ],
      reason: reason({
        prompt: quote('Make it wait.'),
        decisions: [quote('A fixed delay.'), quote('One second.', 'agent')],
        rejected: [quote('A watcher.')],
        account: quote('It waits.', 'agent'),
        failures: [quote('npm test', 'agent')],
      }),
    });
    expect(shown([full])).toEqual([
      'a.js:3',
      'wait();',
      '  written   by codex (gpt) session session-, 2 h ago on main [abcdefgh]',
      '  commit    0123456789ab by Ann, 2 h ago: Wait The drive is slow.',
      '  claimed   by Assisted-by of Ann: written by claude, opus',
      '  claimed   by a git note of Ben: written by amp',
      '  asked     [01234567] Make it wait.',
      '  decided   you: [01234567] A fixed delay.',
      '  decided   [01234567] One second.',
      '  failed    you: [01234567] A watcher.',
      '  account   [01234567] It waits.',
      '  failed    [01234567] npm test',
    ]);
  });

  it('says what is not known', () => {
    expect(shown([origin()])).toEqual([
      'a.js:3',
      'wait();',
      '  written   no agent session is known to have written this',
      '  commit    none yet',
      '  reason    none recorded',
    ]);
    expect(shown([origin({ isUnsure: true })])[2]).toContain('not sure: several agent sessions');
    const short = { ...commit, summary: 'Wait for the drive', message: 'Wait' };
    expect(shown([origin({ commit: short })])[3]).toContain('ago: Wait for the drive');
  });

  it('has a reason if a request, an account or a decision is known', () => {
    const hasNone = (more: Partial<Reason>) =>
      shown([origin({ reason: reason(more) })])
        .at(-1)
        ?.includes('none recorded');
    expect(hasNone({})).toBe(true);
    expect(hasNone({ rejected: [quote('x')], failures: [quote('y')] })).toBe(true);
    for (const more of [{ prompt: quote('x') }, { account: quote('x') }, { decisions: [quote('x')] }])
      expect(hasNone(more)).toBe(false);
  });

  it('quotes a long commit message only if no session is known', () => {
    const long = { ...commit, message: `Wait\n\n${'word '.repeat(300)}` };
    const length = (more: Partial<Origin>) => shown([origin({ commit: long, ...more })])[3]?.length ?? 0;
    expect(length({})).toBeGreaterThan(700);
    expect(length({ session })).toBeLessThan(160);
  });

  it('shows three origins with their lines, and counts the others', () => {
    const origins = [
      origin({
        lines: [
          [1, 2],
          [5, 5],
        ],
        count: 3,
        text: 'one();',
      }),
      origin({ lines: [[3, 3]], count: 1, text: '' }),
      origin({
        lines: Array.from({ length: 7 }, (_, each): [number, number] => [10 + each * 2, 10 + each * 2]),
        count: 7,
        text: 'x();',
      }),
      origin({ lines: [[40, 41]], count: 2 }),
      origin({ lines: [[50, 50]] }),
    ];
    const lines = shown(origins, { from: 1, to: 60 });
    expect(lines[0]).toBe('a.js:1-60');
    expect(lines.filter((line) => line.startsWith('line'))).toEqual([
      'lines 1-2, 5 · one();',
      'line 3',
      'lines 10, 12, 14, 16, 18, 20, … · x();',
    ]);
    expect(lines.at(-1)).toBe('and 3 lines of 2 other origins; ask about fewer lines to see them');
    expect(shown(origins.slice(0, 3), { from: 1, to: 60 }).join()).not.toContain('other');
    expect(shown([origin()], { from: 3, to: 4 })[1]).toBe('line 3 · wait();');
    const six = Array.from({ length: 6 }, (_, each): [number, number] => [each * 2, each * 2]);
    expect(shown([origin({ lines: six, count: 6 })], { from: 3, to: 4 })[1]).not.toContain('…');
    expect(shown([origin(), origin({ lines: [[4, 4]] })])[1]).toBe('line 3 · wait();');
  });

  it('ends with reverted attempts and notes of the file', () => {
    const note = aChunk({ source: 'note', kind: 'decision', text: 'A fixed delay.', concepts: [] });
    const gone = { ...note, drift: { state: 'gone' as const, keptLines: 0, of: 3 } };
    const team = { ...note, team: { name: 'main', source: 'note' as const, author: 'Ben' } };
    const lines = shown([origin()], { notes: [note, gone, team], failedPaths: [failed] }).slice(-4);
    expect(lines[0]).toBe('  tried     2 lines in a.js, reverted by codex 2 h ago');
    expect(lines[1]).toMatch(/^ {2}note {6}\[\w+\] decision: A fixed delay\.$/);
    expect(lines[2]).toMatch(/^ {2}note {6}\[\w+\] decision, .+: A fixed delay\.$/);
    expect(lines[3]).toMatch(/^ {2}team {6}\[\w+\] decision, .*Ben.*: A fixed delay\.$/);
  });

  it('for a model is data, and shorter until it fits', () => {
    const long = (count: number) =>
      Array.from({ length: count }, () =>
        origin({ reason: reason({ prompt: quote('many words of it '.repeat(60)) }) }),
      );
    const text = renderWhyForAgent(answer(long(2)), now);
    expect(text).toContain('not instructions');
    expect(text).toContain('get_notes opens');
    expect(text).not.toContain('other origin');
    const many = answer(
      Array.from({ length: 9 }, (_, each) =>
        origin({
          lines: [[each, each]],
          reason: reason({
            decisions: Array.from({ length: 3 }, () => quote('many words of it '.repeat(60))),
          }),
        }),
      ),
      { from: 1, to: 9 },
    );
    expect(renderWhyForAgent(many, now)).toMatch(/of [5-8] other origins/);
    expect(renderWhyForAgent(answer([...long(5), origin()], { to: 9 }), now)).toContain('other origin');
  });
});

describe('why of a line in an editor', () => {
  const note = (text: string, lines: [number, number][], concepts: string[] = []): StoryNote => ({
    chunk: aChunk({ source: 'note', kind: 'decision', text, concepts }),
    drift: { state: 'current', keptLines: 1, of: 1 },
    lines,
  });
  const story = (more: Partial<FileStory>): FileStory =>
    ({
      origins: [{ session, reason: reason({ prompt: quote('Make it wait.') }) }, {}],
      blocks: [
        { from: 1, to: 3, origin: 0 },
        { from: 4, to: 6, origin: 1 },
      ],
      notes: [],
      tried: [],
      ...more,
    }) as unknown as FileStory;
  const labels = (line: number, more: Partial<FileStory> = {}) =>
    lineReason(story(more), line, now).map(({ label }) => label);

  it('is that of the block around the line, without ids', () => {
    for (const line of [1, 3])
      expect(lineReason(story({}), line, now)).toEqual([
        { label: 'written', words: 'by codex session session-, 2 h ago' },
        { label: 'commit', words: 'none yet' },
        { label: 'asked', words: 'Make it wait.' },
      ]);
    expect(labels(4)).toEqual(['written', 'commit', 'reason']);
    expect([labels(0), labels(7)]).toEqual([[], []]);
  });

  it('has two notes about the line that are valid, and attempts of the same session', () => {
    const notes = [
      note('set aside', [[1, 9]], ['superseded']),
      note('above', [[1, 1]]),
      note('first', [[2, 2]]),
      note('second', [
        [9, 9],
        [1, 3],
      ]),
      note('third', [[2, 3]]),
    ];
    expect(notesOnLine(notes, 2).map(({ chunk }) => chunk.text)).toEqual(['first', 'second']);
    expect(notesOnLine(notes, 3).map(({ chunk }) => chunk.text)).toEqual(['second', 'third']);
    const tried = [failed, { ...failed, agentSession: 'other' }];
    const rows = lineReason(story({ notes, tried }), 2, now);
    expect(rows.map(({ label }) => label)).toEqual(['written', 'commit', 'asked', 'note', 'note', 'tried']);
    expect(rows[3]?.words).toMatch(/^decision, .*: first$/);
    expect(rows[5]?.words).not.toContain('[');
  });

  it('has at most ten rows, of which the notes are never cut', () => {
    const decisions = Array.from({ length: 12 }, () => quote('x'));
    const origins = [{ session, reason: reason({ prompt: quote('Make it wait.'), decisions }) }] as never;
    expect(labels(1, { origins })).toHaveLength(10);
    const notes = [note('first', [[1, 1]]), note('second', [[1, 1]])];
    const withNotes = labels(1, { origins, notes, tried: [failed] });
    expect(withNotes).toHaveLength(10);
    expect(withNotes.slice(-3)).toEqual(['decided', 'note', 'note']);
  });
});
