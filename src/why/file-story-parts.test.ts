import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { Evidence } from '../recall/evidence.ts';
import { linesHash } from '../text/file-lines.ts';
import type { FailedPath } from '../wire/answers/memory.ts';
import { blocksOf, notesOn, storyEdit, withEdit } from './file-story.ts';

it('the blocks of a file are its adjacent lines of one origin', () => {
  const lines = ['a', 'b', 'c', 'd', 'e'];
  const origins: { lines: [number, number][] }[] = [
    { lines: [[2, 3]] },
    {
      lines: [
        [1, 1],
        [4, 5],
      ],
    },
  ];
  expect(blocksOf(lines, origins)).toEqual([
    { from: 1, to: 1, origin: 1 },
    { from: 2, to: 3, origin: 0 },
    { from: 4, to: 5, origin: 1 },
  ]);
  expect(blocksOf([], [])).toEqual([]);
});

const edit = (id: string, agentSession: string, at: number): Edit => ({
  ...{ id, at, agent: 'claude-code', agentSession, turn: '', branch: '', head: '', path: 'a.js' },
  isCreation: false,
  hunks: [
    { oldStart: 1, newStart: 1, added: ['x', 'y'], removed: ['z'] },
    { oldStart: 5, newStart: 5, added: ['x'], removed: [] },
  ],
});

it('an edit is told with the lines that it added and removed', () => {
  expect(storyEdit(edit('e', 's1', 5))).toEqual({
    ...{ id: 'e', at: 5, agent: 'claude-code', agentSession: 's1', added: 3, removed: 1 },
  });
});

it('a reverted attempt names the edit of its session and time', () => {
  const tried = { agentSession: 's1', at: 5 } as FailedPath;
  const edits = [edit('other session', 's2', 5), edit('other time', 's1', 6), edit('own', 's1', 5)];
  expect(withEdit(tried, edits)).toMatchObject({ edit: 'own' });
  expect(withEdit(tried, edits.slice(0, 2))).toEqual(tried);
});

describe('the notes on a file', () => {
  const note = (text: string, more: Partial<Chunk> = {}): Chunk =>
    aChunk({ source: 'note', kind: 'decision', paths: ['src/a.js'], text, ...more });

  /** The notes that are found under two names of a file with three lines; each has these anchors. */
  async function found(notes: Chunk[], anchorsOf: Record<string, string[]> = {}) {
    const root = mkdtempSync(join(tmpdir(), 'backstory-story-'));
    writeFileSync(join(root, 'a.js'), 'one();\ntwo();\nthree();\n');
    writeFileSync(join(root, 'b.js'), 'one();\n');
    const evidence = {
      chunks: async ({ file }: { file: string }) =>
        notes.filter(({ paths }) => paths.some((path) => path.endsWith(file))),
      tiesOf: async () =>
        new Map(
          notes.map(({ sourceId, text }) => [
            sourceId,
            { note: sourceId, derivedFrom: [], files: [], anchors: anchorsOf[text] ?? [] },
          ]),
        ),
      events: async () => new Map(),
      ofTurns: async () => ({ edits: [], reads: [] }),
    } as unknown as Evidence;
    try {
      const story = await notesOn(['a.js', 'src/a.js'], 'a.js', evidence, { root, key: 'key' });
      return story.map(({ chunk, drift, lines }) => [chunk.text, drift.state, lines]);
    } finally {
      rmSync(root, { recursive: true });
    }
  }

  it('are those that name it, once each, the valid and the newest first', async () => {
    const twice = note('twice', { at: 4, paths: ['a.js', 'src/a.js'] });
    const notes = [
      note('old', { at: 1 }),
      note('outdated', { at: 9, concepts: ['superseded'] }),
      twice,
      { ...twice },
      note('new', { at: 5, paths: ['a.js'] }),
      note('outdated before', { at: 8, concepts: ['archived'] }),
      note('of another file', { paths: ['lib/src/a.js'] }),
      note('a session', { kind: 'summary' }),
    ];
    expect((await found(notes)).map(([text]) => text)).toEqual([
      'new',
      'twice',
      'old',
      'outdated',
      'outdated before',
    ]);
  });

  it('are at their lines in this file, unless those are gone or not known', async () => {
    const [one, three] = ['one();', 'three();'].map((line) => linesHash('key', [line]));
    const notes = ['here', 'elsewhere', 'gone', 'nowhere'].map((text, at) => note(text, { at: 9 - at }));
    const story = await found(notes, {
      here: [`a.js:1-1 #${one}`, `a.js:3-3 #${three}`],
      elsewhere: [`b.js:1-1 #${one}`],
      gone: [`lost.js:1-1 #${one}`],
    });
    expect(story).toEqual([
      [
        'here',
        'current',
        [
          [1, 1],
          [3, 3],
        ],
      ],
      ['elsewhere', 'current', []],
      ['gone', 'gone', []],
      ['nowhere', 'unanchored', []],
    ]);
  });
});
