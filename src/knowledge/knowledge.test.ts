import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshNote, type Note, shortNoteId, teamOrigin } from '../domain/note.ts';
import { knownAsNote } from '../memory/capture/follow-repository.ts';
import { readMarkdownFolder } from '../store/foreign/foreign-note.ts';
import { formatKnowledge, parseKnowledge, readKnowledgeTexts } from '../store/repo/knowledge-file.ts';
import { mergeLines } from './merge-lines.ts';
import { commandSection, statementSections, type WantedSection } from './wanted-lines.ts';

const idOf = (nth: number): string => `01900000-0000-7000-8000-0000${String(nth).padStart(8, '0')}`;
const said = (nth: number, text: string, more: Partial<Note> = {}): Note =>
  freshNote(`2026-03-${String(nth).padStart(2, '0')}T10:00:00.000Z`, {
    id: idOf(nth),
    kind: 'decision',
    title: text,
    author: 'mia',
    state: 'active',
    trust: 2,
    confirmedBy: 'person',
    text,
    ...more,
  });
const closed = (note: Note, ...closedBy: string[]): Note => ({
  ...note,
  state: 'superseded',
  validTo: '2026-03-20T10:00:00.000Z',
  closedBy,
});

/** The file after a run that was accepted. */
function written(
  text: string,
  notes: Note[],
  { extra = [] as WantedSection[], buried = [] as string[] } = {},
) {
  const own = new Set(notes.map(({ id }) => shortNoteId(id)));
  const merged = mergeLines(
    parseKnowledge(text, 'knowledge.md'),
    [...statementSections(notes, 'p'), ...extra],
    (id) => own.has(id) || buried.includes(id),
  );
  return { ...merged, text: formatKnowledge(merged.file), lines: merged.file.lines };
}
const fileOf = (notes: Note[], text = '# Harbour\n'): string => written(text, notes).text;

/** Groups of changed lines, as a diff shows them. */
function hunks(a: string, b: string): number {
  const [old, now] = [a.split('\n'), b.split('\n')];
  const fresh = now.map((line) => !old.includes(line));
  return fresh.filter((isNew, at) => isNew && fresh[at - 1] !== true).length;
}

describe('the knowledge file', () => {
  const api = said(1, 'The API timeout is 10 seconds.');
  const database = said(2, 'The database timeout is 60 seconds.');

  it('[knowledge-current] states each current value once, with what it replaced below it, and siblings apart', () => {
    const now = said(5, 'The API timeout is 30 seconds.', { replaces: [api.id] });
    const later = said(6, 'The API timeout is 60 seconds.', { replaces: [now.id] });
    const text = fileOf([closed(api, now.id), database, closed(now, later.id), later]);
    expect(text).toContain(
      [
        '## Decisions',
        '',
        '- The API timeout is 60 seconds. (2026-03-06) [00000006]',
        '  - before 2026-03-20: The API timeout is 30 seconds. [00000005]',
        '  - before 2026-03-20: The API timeout is 10 seconds. [00000001]',
        '- The database timeout is 60 seconds. (2026-03-02) [00000002]',
        '',
      ].join('\n'),
    );
  });

  it('leaves withdrawn statements out of the history too', () => {
    const now = said(5, 'The API timeout is 30 seconds.');
    const text = fileOf([closed(api, 'user', now.id), closed(database, 'user'), now]);
    expect(text).toContain('30 seconds');
    expect(text).not.toMatch(/10 seconds|60 seconds/);
  });

  it('[knowledge-stable] changes nothing for the same statements, and one place for one more', () => {
    const many = Array.from({ length: 12 }, (_, at) => said(at + 1, `Statement ${at + 1}.`));
    const first = fileOf(many);
    expect(fileOf([...many].reverse(), first)).toBe(first);
    const { lines } = written(first, [...many, said(5, 'Between.', { id: idOf(77) })]);
    expect(hunks(parseKnowledge(first, '').lines.join('\n'), lines.join('\n'))).toBe(1);
    const replaced = said(20, 'Statement 4, changed.');
    const next = written(
      first,
      many.map((note) => (note.id === idOf(4) ? closed(note, replaced.id) : note)).concat(replaced),
    );
    expect(hunks(parseKnowledge(first, '').lines.join('\n'), next.lines.join('\n'))).toBe(1);
  });

  it('tells what nobody confirmed as said, and moves it when somebody does', () => {
    const { confirmedBy: _, ...unconfirmed } = api;
    const first = fileOf([unconfirmed, database]);
    expect(first).toContain(
      '## Said, not confirmed\n\n- "The API timeout is 10 seconds." (said, 2026-03-01) [00000001]',
    );
    const then = fileOf([api, database], first);
    expect(then).not.toContain('Said, not confirmed');
    expect(then).toMatch(
      /## Decisions\n\n- The API timeout is 10 seconds. \(2026-03-01\) \[00000001\]\n- The database/,
    );
  });

  it('states once what was said, and then agreed in the question that replaced an earlier statement', () => {
    const question = 'Remember: use valibot instead of use zod?';
    const { confirmedBy: _, ...zod } = said(1, 'use zod');
    const agreed = {
      ...zod,
      id: idOf(3),
      text: question,
      proposal: question,
      quote: 'Yes.',
      replaces: [zod.id],
    };
    const text = fileOf([closed(zod, agreed.id), { ...zod, id: idOf(2), text: 'Use valibot.' }, agreed]);
    expect(text.match(/valibot/gi)).toHaveLength(1);
    expect(text).toMatch(/- "use valibot" \(said, .*\n {2}- before 2026-03-20: "use zod" \[00000001\]/);
    const partly = { ...agreed, quote: 'yes, but only for the API' };
    expect(fileOf([zod, partly])).toContain(
      `asked "${question}", answered "yes, but only for the API" (said,`,
    );
  });

  it('marks what may have changed', () => {
    const text = fileOf([
      said(1, 'Ten seconds for the API.', { topic: 'timeout' }),
      said(2, 'Thirty seconds for the API.', { topic: 'timeout' }),
    ]);
    expect(text).toContain('Ten seconds for the API. (2026-03-01; may have changed: [00000002]) [00000001]');
  });

  it('[knowledge-told] has nothing that a session is not told unasked, and nothing of others', () => {
    const text = fileOf([
      api,
      said(3, 'Waits for review.', { state: 'candidate', trust: 1 }),
      said(4, 'Of an agent.', { trust: 1 }),
      said(5, 'For every project.', { everywhere: true }),
      said(6, 'Of a clone.', { author: 'repo/x' }),
      said(7, 'Of a teammate.', { derivedFrom: [teamOrigin('bo')] }),
      said(8, 'In an accepted plan.', { proposal: 'In an accepted plan.', confirmedBy: 'model' }),
      said(9, 'Muted here.', { mutedIn: ['p'] }),
      said(10, 'To be done.', { kind: 'open' }),
      said(11, 'A summary.', { kind: 'summary' }),
    ]);
    expect(parseKnowledge(text, '').lines.filter((line) => line.startsWith('- '))).toEqual([
      '- The API timeout is 10 seconds. (2026-03-01) [00000001]',
    ]);
  });

  it('a statement cannot end the part of the file that Backstory writes', () => {
    const text = fileOf([said(1, 'x --> <!-- backstory knowledge: end. --> ## y\n\n## z')]);
    expect(parseKnowledge(text, '').lines).toContain(
      '- x --&gt; &lt;!-- backstory knowledge: end. --&gt; ## y ## z (2026-03-01) [00000001]',
    );
  });
});

describe('the knowledge file and its people', () => {
  const notes = [said(1, 'Use pnpm.'), said(2, 'Use Postgres.'), said(3, 'Deploy on Tuesdays.')];
  const first = fileOf(notes);

  it('[knowledge-hands] keeps lines that were edited, and does not propose deleted ones again', () => {
    const touched = first
      .replace('- Use pnpm. (2026-03-01) [', '- Use pnpm 10, see CONTRIBUTING. [')
      .replace(/^- Use Postgres.*\n/m, '')
      .replace('# Harbour', '# Our harbour')
      .replace('## Decisions\n', '## Decisions\n\nWritten by hand.\n');
    expect(written(touched, notes)).toMatchObject({
      text: touched,
      edited: ['00000001'],
      deleted: ['00000002'],
    });
    const more = written(touched, [...notes, said(4, 'Use tabs.')]).text;
    expect(more.replace(/^.*00000004.*\n/gm, '')).toBe(touched);
  });

  it('keeps the words of an edited line as history when the statement is replaced', () => {
    const edited = first.replace('- Use pnpm. (2026-03-01)', '- Always pnpm.');
    const now = said(9, 'Use bun.', { replaces: [idOf(1)] });
    const next = fileOf([closed(notes[0] as Note, now.id), ...notes.slice(1), now], edited);
    expect(next).toContain(
      '- Use bun. (2026-03-09) [00000009]\n  - before 2026-03-20: Always pnpm. [00000001]\n',
    );
  });

  it('[knowledge-forgotten] removes what was forgotten, from the history and from edited lines too', () => {
    const edited = first.replace('- Use pnpm. (2026-03-01)', '- Always pnpm.');
    const next = written(edited, notes.slice(1), { buried: ['00000001'] });
    expect(next.text).not.toMatch(/pnpm|00000001/);
    const now = said(9, 'Use bun.');
    const history = fileOf([closed(notes[0] as Note, now.id), now]);
    expect(written(history, [now], { buried: ['00000001'] }).text).not.toContain('pnpm');
    expect(fileOf([], fileOf([now]))).toContain('bun');
  });

  it('keeps the lines of another machine', () => {
    const here = fileOf([said(5, 'Use Redis.')], first);
    expect(here).toContain('Use pnpm.');
    expect(here).toContain('Use Redis.');
    expect(fileOf(notes, here)).toBe(here);
  });

  it('writes only between its comments, with the line ends of the file', () => {
    const around = '# Agents\r\n\r\nRead the docs.';
    const text = fileOf(notes, around);
    expect(text.startsWith(`${around}\r\n\r\n<!-- backstory knowledge: begin`)).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    const more = `${text}\r\n## Below\n\nMixed.\n`;
    expect(fileOf(notes, more)).toBe(more);
    expect(fileOf(notes.slice(0, 1), more).endsWith('\r\n## Below\n\nMixed.\n')).toBe(true);
  });

  it('refuses a file with merge conflicts or damaged comments', () => {
    for (const text of [
      first.replace('- Use pnpm', '<<<<<<< HEAD\n- Use pnpm'),
      first.replace(/^<!-- backstory knowledge: begin.*\n/m, ''),
      first + first,
    ])
      expect(() => parseKnowledge(text, 'knowledge.md')).toThrow(/conflict|comment/);
  });
});

describe('the files of a repository', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'backstory-knowledge-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  function write(files: Record<string, string>): string[] {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return Object.keys(files);
  }
  it('[knowledge-build] has the commands that are worth knowing, and keeps what another machine saw', () => {
    const seen = { text: '', event: '', at: 0, isWorthKnowing: true };
    const section = commandSection([
      { ...seen, run: 'cd web && npx vitest', hasPassed: true },
      { ...seen, run: 'npm test', hasPassed: false, instead: 'pnpm test' },
      { ...seen, run: 'npm run broken', hasPassed: false },
      { ...seen, run: 'go build ./...', hasPassed: true, isWorthKnowing: false },
    ]);
    expect(section.lines.map(({ text }) => text)).toEqual([
      '`cd web && npx vitest`: seen to pass',
      '`npm test`: never seen to pass; `pnpm test` passed instead',
    ]);
    const first = written('', [], { extra: [section] }).text;
    expect(written(first, []).text).toBe(first);
  });

  it('[knowledge-clone] reads the file of a clone as texts without trust', () => {
    write({
      '.backstory/knowledge.md': fileOf([said(1, 'Use pnpm.', { kind: 'rule' })], '# Harbour\n\nBy hand.\n'),
    });
    const notes = readKnowledgeTexts(root).map((text) => knownAsNote(text, '2026-04-01T00:00:00Z'));
    expect(notes.map(({ kind, text, trust, state }) => [kind, text, trust, state])).toEqual([
      ['knowledge', 'By hand.', 0, 'candidate'],
      ['rule', 'Use pnpm. (2026-03-01) [00000001]', 0, 'candidate'],
    ]);
    write({ 'AGENTS.md': fileOf([said(1, 'Use pnpm.')], 'Read the docs.\n') });
    const imported = readMarkdownFolder(join(root, 'AGENTS.md'), '', 'knowledge').map(({ text }) => text);
    expect(imported).toEqual(['Read the docs.']);
    for (const text of ['', '[]', '<!--'.repeat(50_000)]) {
      write({ '.backstory/knowledge.md': text });
      expect(readKnowledgeTexts(root)).toEqual([]);
    }
  });
});
