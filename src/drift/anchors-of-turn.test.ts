import { describe, expect, it } from 'vitest';
import { lineHash } from '../base/hash.ts';
import type { Edit } from '../domain/edit.ts';
import type { ReadStep } from '../store/store.ts';
import { anchorsOfEdits, anchorsOfReads } from './anchors-of-turn.ts';

type Hunk = Edit['hunks'][number];
const hunk = (newStart: number, added: string[], removed: string[] = [], oldStart = newStart): Hunk => ({
  oldStart,
  newStart,
  added: added.map(lineHash),
  removed: removed.map(lineHash),
});
let at = 0;
const edit = (path: string, ...hunks: Hunk[]): Edit => ({
  id: `edit ${++at}`,
  at,
  agent: 'claude-code',
  agentSession: 'one',
  turn: 't',
  branch: 'main',
  head: 'abc',
  path,
  isCreation: false,
  hunks,
});
/** Path, first line and lines of each anchor. */
const placesOf = (...edits: Edit[]) =>
  anchorsOfEdits(edits).map(({ path, start, lines }) => [
    path,
    start,
    lines.kind === 'hashes' && lines.hashes,
  ]);
const hashed = (...lines: string[]): string[] => lines.map(lineHash);

describe('the code that a turn left', () => {
  it('is each hunk, with the commit and branch of its edit and the lines it replaced', () => {
    const [first] = [edit('a.js', hunk(3, ['one();', '', 'two();'], ['zero();', ''], 4))];
    expect(anchorsOfEdits([first])).toEqual([
      {
        path: 'a.js',
        start: 3,
        lines: {
          kind: 'hashes',
          hashes: hashed('one();', 'two();'),
          replaced: { start: 4, hashes: hashed('zero();') },
        },
        commit: 'abc',
        branch: 'main',
        at: first.at,
      },
    ]);
  });

  it('moves with the lines that a later edit adds or removes above it, and not with those below', () => {
    const written = edit('a.js', hunk(10, ['ten();']));
    expect(placesOf(written, edit('a.js', hunk(2, ['x();', 'y();', 'z();'], ['w();'])))[0]).toEqual([
      'a.js',
      12,
      hashed('ten();'),
    ]);
    expect(placesOf(written, edit('a.js', hunk(2, ['x();'], ['u();', 'v();', 'w();'])))[0]?.[1]).toBe(8);
    expect(placesOf(written, edit('a.js', hunk(11, ['x();', 'y();'])))[0]?.[1]).toBe(10);
    expect(placesOf(written, edit('a.js', hunk(10, ['x();', 'y();'])))[0]?.[1]).toBe(10);
    expect(placesOf(written, edit('b.js', hunk(2, ['x();', 'y();'])))[0]?.[1]).toBe(10);
  });

  it('does not move with a hunk at an unknown line, and stays unknown without a line', () => {
    const written = edit('a.js', hunk(10, ['ten();']));
    expect(placesOf(written, edit('a.js', hunk(0, ['x();', 'y();'])))).toEqual([
      ['a.js', 10, hashed('ten();')],
      ['a.js', 0, hashed('x();', 'y();')],
    ]);
    expect(
      placesOf(edit('a.js', hunk(2, ['two();'])), edit('a.js', hunk(1, [], ['u();', 'v();', 'w();']))),
    ).toEqual([['a.js', 0, hashed('two();')]]);
  });

  it('counts the hunks of an edit from the end of the file', () => {
    const written = edit('a.js', hunk(10, ['ten();']));
    const two = edit('a.js', hunk(2, ['x();', 'y();']), hunk(11, ['z();']));
    // The second hunk is at line 11 after the first, which is line 9 before it.
    expect(placesOf(written, two)[0]?.[1]).toBe(12);
  });

  it('loses the lines that a later edit removes, of equal ones the last, and is nothing if it is reverted', () => {
    const twice = edit('a.js', hunk(3, ['same();', 'one();', 'same();', 'two();']));
    expect(placesOf(twice, edit('a.js', hunk(5, [], ['same();'])))).toEqual([
      ['a.js', 3, hashed('same();', 'one();', 'two();')],
    ]);
    const again = edit('a.js', hunk(20, ['same();', 'last();']));
    expect(placesOf(twice, again, edit('a.js', hunk(20, [], ['same();'])))[1]?.[2]).toEqual(
      hashed('last();'),
    );
    expect(placesOf(twice, again, edit('a.js', hunk(20, [], ['same();'])))[0]?.[2]).toHaveLength(4);
    const attempt = edit('a.js', hunk(3, ['one();']));
    expect(
      placesOf(
        attempt,
        edit('a.js', hunk(3, ['zero();'], ['one();'])),
        edit('a.js', hunk(3, [], ['zero();'])),
      ),
    ).toEqual([]);
  });

  it('is never blank lines alone, and of a long block the first lines', () => {
    expect(placesOf(edit('a.js', hunk(3, ['', '  '])))).toEqual([]);
    const long = Array.from({ length: 450 }, (_, line) => `call${line}();`);
    const [anchor] = placesOf(edit('a.js', hunk(1, long)));
    expect(anchor?.[2]).toEqual(hashed(...long.slice(0, 400)));
    const unknown: Edit = edit('a.js', { ...hunk(1, ['one();']), added: ['cut off', lineHash('one();')] });
    expect(placesOf(unknown)[0]?.[2]).toEqual(hashed('one();'));
  });
});

describe('the code that an agent read', () => {
  it('is the lines shown of files that are named, if they were hashed', () => {
    const read = (path: string, more: Partial<ReadStep> = {}): ReadStep =>
      ({ kind: 'read', path, startLine: 4, lines: 1, hash: 'h', head: 'abc', at: 7, ...more }) as ReadStep;
    const reads = [read('a.js'), read('b.js'), read('a.js', { hash: '' }), read('a.js', { lines: 0 })];
    expect(anchorsOfReads(reads, (path) => path === 'a.js')).toEqual([
      {
        path: 'a.js',
        start: 4,
        lines: { kind: 'span', count: 1, hash: 'h' },
        commit: 'abc',
        branch: '',
        at: 7,
      },
    ]);
  });
});
