import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { AgentSession } from '../wire/answers/memory.ts';
import type { Hit, RecallAnswer } from './hit.ts';
import { renderList, renderListForAgent } from './render-list.ts';

const now = Date.UTC(2026, 5, 30);
const aHit = (chunk: Partial<Chunk>, more: Partial<Hit> = {}): Hit => {
  const own = aChunk({ id: 'a'.repeat(32), agentSession: '', at: now, ...chunk });
  return { id: own.id, chunk: own, preview: own.text, ranks: {}, score: 0, why: {}, ...more };
};
const aSession = (fields: Partial<AgentSession>): AgentSession => ({
  id: '0123456789',
  agent: 'codex',
  branch: 'main',
  firstAt: now,
  lastAt: now,
  prompts: 1,
  answers: 1,
  edits: 0,
  commands: 0,
  failedCommands: 0,
  files: [],
  title: 'yen totals',
  titleBy: 'user',
  ...fields,
});
const answerOf = (more: Partial<RecallAnswer>): RecallAnswer => ({
  hits: [],
  match: 'good',
  arms: { lexical: 'unused', tail: 'unused', dense: 'unused' },
  incomplete: false,
  truncated: false,
  ...more,
});
const style = { bold: (text: string) => text, dim: (text: string) => text };
const shown = (answer: Partial<RecallAnswer>, offset = 0): string[] =>
  renderList(answerOf(answer), { now, style, offset, next: '--offset 9' }).split('\n');

describe('a list for a person', () => {
  it('says what is left out only if something is', () => {
    const hits = [aHit({}), aHit({})];
    expect(shown({ hits, total: 5, closed: 1 }, 2).slice(-2)).toEqual([
      '1 more of 5: --offset 9',
      'Not listed: 1 note that no longer hold (concept superseded).',
    ]);
    for (const answer of [{ hits, total: 2 }, { hits }]) expect(shown(answer)).toHaveLength(3);
    expect(shown({})).toEqual(['']);
  });

  it('has the kind and source of a text, except of a note that holds, and its source if it is of a teammate', () => {
    const note = { source: 'note', kind: 'rule', trust: 3, topic: 'yen', pinned: true } as const;
    const lineOf = (chunk: Partial<Chunk>) =>
      shown({ hits: [aHit({ ...chunk, text: 'Round.', sourceId: 'x' })] })[1];
    expect(lineOf({})).toBe('aaaaaaaa  Round. · prompt · just now · you');
    expect(lineOf(note)).toMatch(/ {2}Round\. · yen · pinned · just now$/);
    expect(lineOf({ ...note, origin: 'teammate' })).toMatch(/ · just now · a teammate's note, approved$/);
    expect(lineOf({ ...note, trust: 1 })).toMatch(
      / · rule · yen · pinned · just now · note by an agent, unreviewed$/,
    );
  });

  it('has the state of the code of a text, unless it refers to none', () => {
    const lines = { keptLines: 1, of: 2, path: 'a.ts' };
    const lineOf = (state: 'changed' | 'unanchored') =>
      shown({ hits: [aHit({}, { drift: { state, ...lines } })] })[1];
    expect(lineOf('changed')).toContain('CHANGED since');
    expect(lineOf('unanchored')).toMatch(/ · you$/);
  });

  it('has the title, agent, models, age and size of a session', () => {
    const usage = { input: 1_000, output: 20, cacheRead: 0, cacheWrite: 0 };
    expect(
      shown({
        sessions: [
          aSession({ usage: { ...usage, models: ['a', 'b', 'c'] }, prompts: 2, end: 'failing' }),
          aSession({ usage: { ...usage, models: ['a'] } }),
          aSession({ title: '' }),
        ],
      }),
    ).toEqual([
      '01234567  yen totals · codex a +2 · just now · 2 prompts · 1K tokens in, 20 out · failing',
      '01234567  yen totals · codex a · just now · 1 prompt · 1K tokens in, 20 out',
      '01234567  no prompt · codex · just now · 1 prompt',
    ]);
    const [line = ''] = shown({ sessions: [aSession({ title: 'x'.repeat(200) })] });
    expect(line.split(' ')[2]).toHaveLength(65);
  });
});

describe('a list for an agent', () => {
  const linesOf = (answer: Partial<RecallAnswer>, offset = 0): string[] =>
    renderListForAgent(answerOf(answer), now, offset).split('\n').slice(1, -1);
  const more = (answer: Partial<RecallAnswer>, offset = 0): string[] =>
    linesOf(answer, offset).filter((line) => /more/.test(line));
  const long = Array.from({ length: 80 }, (_, at) => aHit({ text: `${at} ${'word '.repeat(58)}` }));

  it('says where to go on if not everything is shown, and how much is left if that is known', () => {
    const hits = [aHit({}), aHit({})];
    expect(more({ hits })).toEqual([]);
    expect(more({ hits, total: 2 })).toEqual([]);
    expect(more({ hits, truncated: true }, 4)).toEqual(['There is more: pass offset 6']);
    expect(more({ hits, truncated: true, total: 9 }, 4)).toEqual(['3 more of 9: pass offset 6']);
    const count = linesOf({ hits: long }).filter((line) => line.startsWith('[')).length;
    expect(count).toBeLessThan(80);
    expect(more({ hits: long })).toEqual([`There is more: pass offset ${count}`]);
  });
});
