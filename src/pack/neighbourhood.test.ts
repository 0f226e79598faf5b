import { describe, expect, it } from 'vitest';
import { createProse } from '../../test/harness/prose.ts';
import { createRandom } from '../../test/harness/random.ts';
import { sampleNote } from '../../test/harness/sample-note.ts';
import type { AgentSession } from '../domain/agent-session.ts';
import type { Note } from '../domain/note.ts';
import { findNodes, type GraphParts, neighbourhoodOf } from './neighbourhood.ts';

const random = createRandom(1);
const note = (number: number, more: Partial<Note>): Note => ({
  ...sampleNote(number, createProse(random), random),
  pinned: false,
  ...more,
});
const session = (id: string, files: string[]): AgentSession => ({
  id,
  agent: 'claude-code',
  branch: 'main',
  firstAt: 0,
  lastAt: 1,
  prompts: 1,
  answers: 1,
  edits: 1,
  commands: 0,
  failedCommands: 0,
  title: '',
  files,
});

const queue = 'src/queue.ts';
const first = note(1, {
  kind: 'decision',
  title: 'Use Postgres',
  text: 'takeJob locks a row.',
  files: [queue],
});
const second = note(2, {
  kind: 'gotcha',
  title: 'Careful',
  text: 'Retries.',
  files: [queue, 'src/retry.ts'],
});
const drawn = note(3, { kind: 'knowledge', title: 'Queue', files: [], derivedFrom: [first.id] });
const summary = note(4, { kind: 'summary', title: 'Session of today', files: [queue] });
const parts: GraphParts = {
  notes: [first, second, drawn, summary],
  sessions: [
    session('a', [queue, 'src/retry.ts', 'src/once.ts']),
    session('b', [queue, 'src/retry.ts']),
    session('c', ['src/other.ts']),
  ],
  code: {
    outline: async ({ path }) => ({
      ...({} as Awaited<ReturnType<NonNullable<GraphParts['code']>['outline']>>),
      path,
      symbols: ['takeJob', 'unnamed'].map((name, at) => ({
        name,
        kind: 'function',
        container: '',
        startLine: at + 1,
        endLine: at + 1,
        signature: '',
      })) as never,
    }),
  },
};
const idsOf = (nodes: { id: string }[]): string[] => nodes.map(({ id }) => id);

describe('the neighbourhood', () => {
  it('of a file has its notes, the symbols they mention, and files changed with it twice', async () => {
    const { centre, nodes, edges, totals } = await neighbourhoodOf(parts, `file:${queue}`, 10);
    expect(centre).toMatchObject({ kind: 'file', path: queue });
    expect(idsOf(nodes).sort()).toEqual(
      [`note:${first.id}`, `note:${second.id}`, 'file:src/retry.ts', `symbol:${queue}#takeJob`].sort(),
    );
    expect(edges).toContainEqual({
      from: `file:${queue}`,
      to: 'file:src/retry.ts',
      kind: 'changed-together',
      weight: 2,
    });
    expect(edges).toContainEqual({
      from: `note:${first.id}`,
      to: `symbol:${queue}#takeJob`,
      kind: 'mentions',
    });
    expect(totals).toEqual({ decision: 1, note: 1, file: 1, symbol: 1 });
  });

  it('of a note has its files, its symbols, and the notes made from it', async () => {
    const { nodes } = await neighbourhoodOf(parts, `note:${first.id}`, 10);
    expect(idsOf(nodes).sort()).toEqual(
      [`note:${drawn.id}`, `file:${queue}`, `symbol:${queue}#takeJob`].sort(),
    );
  });

  it('of a symbol has its file and the notes that mention it', async () => {
    const { centre, nodes } = await neighbourhoodOf(parts, `symbol:${queue}#takeJob`, 10);
    expect(centre).toMatchObject({ kind: 'symbol', line: 1 });
    expect(idsOf(nodes)).toEqual([`file:${queue}`, `note:${first.id}`]);
  });

  it('says how many neighbours a limit left out, and is empty for an unknown node', async () => {
    const crowd = Array.from({ length: 9 }, (_, at) => note(10 + at, { kind: 'fix', files: [queue] }));
    const cut = await neighbourhoodOf({ ...parts, notes: crowd }, `file:${queue}`, 4);
    expect(cut.nodes.filter(({ kind }) => kind === 'note')).toHaveLength(4);
    expect(cut.totals.note).toBe(9);
    expect(cut.truncated).toBe(true);
    expect(await neighbourhoodOf(parts, 'file:nowhere.ts', 4)).toMatchObject({ nodes: [], edges: [] });
  });

  it('can be found by words of a path or a title', () => {
    expect(idsOf(findNodes(parts, 'SRC retry', 5).nodes)).toEqual(['file:src/retry.ts']);
    expect(idsOf(findNodes(parts, 'postgres', 5).nodes)).toEqual([`note:${first.id}`]);
    expect(idsOf(findNodes(parts, '', 1).nodes)[0]).toBe(`file:${queue}`);
  });
});
