import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note } from '../../domain/note.ts';
import type { Evidence } from '../../recall/evidence.ts';
import { linesHash } from '../../text/file-lines.ts';
import type { Drift } from '../../wire/answers/memory.ts';
import { codeMarks, markOf } from './prelude-code.ts';

const mark = (state: Drift['state'], more: Partial<Drift> = {}): string =>
  markOf({ state, keptLines: 0, of: 1, ...more });

it('a note is marked if its code is gone, changed or on another branch, with the commit that did it', () => {
  const by = '0123456789abcdef';
  expect([mark('gone', { by }), mark('changed', { by })]).toEqual([
    '(no longer so: its code is gone since 0123456789ab) ',
    '(its code has changed since 0123456789ab; look first) ',
  ]);
  for (const more of [{}, { by: 'uncommitted' }])
    expect([mark('gone', more), mark('changed', more)]).toEqual([
      '(no longer so: its code is gone) ',
      '(its code has changed; look first) ',
    ]);
  expect(mark('elsewhere', { branch: 'feature/x' })).toBe('(written on feature/x, not here) ');
  for (const state of ['current', 'moved', 'unchecked', 'unanchored'] as const)
    expect(mark(state, { by, branch: 'x' }), state).toBe('');
});

describe('the code of notes', () => {
  let root: string;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'backstory-marks-'));
    write('a.js', 'one();\n');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** The marks of notes, each anchored to the first line of these files. */
  async function marksOf(files: Record<string, string | undefined>) {
    const notes = Object.keys(files).map((text) => aNote({ text, title: text }));
    const tieOf = ({ id, text }: Note) => {
      const hash = linesHash('key', ['one();']);
      const anchors = files[text] === undefined ? [] : [`${files[text]}:1-1 #${hash}`];
      return [id, { note: id, derivedFrom: [], files: [], anchors }] as const;
    };
    const evidence = {
      tiesOf: async () => new Map(notes.map(tieOf)),
      events: async () => new Map(),
      ofTurns: async () => ({ edits: [], reads: [] }),
    } as unknown as Evidence;
    const found = await codeMarks(notes, evidence, { root, key: 'key' });
    const [none, ...marks] = ['other', ...notes.map(({ id }) => id)].map((id) => found.before(id));
    return { marks, none };
  }

  it('is compared, and marked if it is gone', async () => {
    const found = await marksOf({ kept: 'a.js', lost: 'b.js', 'without code': undefined });
    expect(found.marks).toEqual(['', '(no longer so: its code is gone) ', '']);
    expect(found.none).toBe('');
  });
});
