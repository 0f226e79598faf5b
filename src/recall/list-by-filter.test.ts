import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aChunk, aNote } from '../../test/contract/samples.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { Note } from '../domain/note.ts';
import type { LogIndex } from '../store/store.ts';
import type { RecallQuery } from './hit.ts';
import { listByFilter, oneOfEach, standingOf } from './list-by-filter.ts';
import { recall } from './recall.ts';
import { renderList, renderListForAgent } from './render-list.ts';
import { nothingUnindexed } from './unindexed-events.ts';
import { quickLimits } from './with-index.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const list = (filter: Partial<RecallQuery>) => recall(memory.open(), { text: '', ...filter }, quickLimits);
const keep = (text: string, more: Partial<Note> = {}) =>
  memory.open().notes.put(aNote({ kind: 'rule', title: '', text, ...more }));
const textsOf = async (filter: Partial<RecallQuery>) =>
  (await list(filter)).hits.map(({ chunk }) => chunk.text);
/** Asks before and after everything is indexed. */
async function twice(check: () => Promise<void>): Promise<void> {
  await check();
  await memory.drain();
  await check();
}
const plain = { bold: (text: string) => text, dim: (text: string) => text };
const shown = (answer: Awaited<ReturnType<typeof list>>, offset = 0) =>
  renderList(answer, { now: memory.clock.now(), style: plain, offset, next: '--offset 2' });

describe('a list', () => {
  it('[recall-list] of rules has all that hold, then those that nobody reviewed, and counts the others', async () => {
    for (let rule = 0; rule < 30; rule++) await keep(`Rule number ${rule} holds.`);
    await keep('A proposal.', { state: 'candidate', trust: 1, updated: '2026-11-30T00:00:00.000Z' });
    await keep('By a teammate.', { derivedFrom: ['team:eve'], trust: 1 });
    await keep('A rule of the past.', { state: 'superseded' });
    await keep('Tidied away.', { state: 'archived' });
    await keep('A decision.', { kind: 'decision' });
    memory.prompt('please write a rule');
    await twice(async () => {
      const answer = await list({ kinds: ['rule'] });
      const texts = answer.hits.map(({ chunk }) => chunk.text);
      expect(answer).toMatchObject({ total: 32, closed: 2, truncated: false, match: 'good' });
      expect(texts.slice(0, 30).every((text) => text.startsWith('Rule number'))).toBe(true);
      expect(texts.slice(30)).toEqual(['A proposal.', 'By a teammate.']);
      for (const text of [shown(answer), renderListForAgent(answer, memory.clock.now(), 0)]) {
        expect(text.match(/rule:\n/g)).toHaveLength(1);
        expect(text.indexOf('not reviewed')).toBeLessThan(text.indexOf('A proposal.'));
        expect(text.indexOf('not reviewed')).toBeGreaterThan(text.indexOf('Rule number 0 '));
        expect(text).toContain('Not listed: 2 notes that no longer hold');
      }
    });
    expect(await textsOf({ kinds: ['rule'], concept: 'superseded' })).toEqual(['A rule of the past.']);
  });

  it('[recall-list] says how many more there are, and pages have no gaps', async () => {
    for (let rule = 0; rule < 5; rule++) await keep(`Rule number ${rule} holds.`);
    const pages = await Promise.all([0, 2, 4].map((offset) => list({ kinds: ['rule'], limit: 2, offset })));
    expect(new Set(pages.flatMap(({ hits }) => hits.map(({ chunk }) => chunk.sourceId))).size).toBe(5);
    expect(pages.map((page, at) => /\d+ more of \d+/.exec(shown(page, 2 * at))?.[0])).toEqual([
      '3 more of 5',
      '1 more of 5',
      undefined,
    ]);
    expect(renderListForAgent(pages[0] as never, 0, 0)).toContain('3 more of 5: pass offset 2');
  });

  it('[recall-list] for an agent ends where it no longer fits, and says where to go on', async () => {
    for (let rule = 0; rule < 80; rule++) await keep(`Rule ${rule}: ${'what must be done '.repeat(16)}`);
    const text = renderListForAgent(await list({ kinds: ['rule'] }), memory.clock.now(), 0);
    const count = text.match(/^\[/gm)?.length ?? 0;
    expect(count).toBeLessThan(80);
    expect(text).toContain(`${80 - count} more of 80: pass offset ${count}`);
  });

  it('[recall-list] of a topic has its current statement first, then its history', async () => {
    const topic = 'Mail gateway';
    await keep('Mail goes through Sendmail.', {
      topic,
      state: 'superseded',
      updated: '2026-11-29T00:00:00Z',
    });
    await keep('Mail goes through Exim.', { topic, state: 'superseded', updated: '2026-11-01T00:00:00Z' });
    await keep('Mail goes through Postfix.', { topic });
    await keep('Uploads have at most 25 MB.', { topic: 'uploads' });
    memory.prompt('the mail gateway is slow');
    await twice(async () =>
      expect(await textsOf({ topic: 'mail' })).toEqual([
        'Mail goes through Postfix.',
        'Mail goes through Sendmail.',
        'Mail goes through Exim.',
      ]),
    );
  });

  it('[recall-list] of a file or a session has notes first and then what happened, newest first', async () => {
    await keep('The queue retries twice.', { files: ['src/queue.ts'] });
    memory.prompt('look at src/queue.ts');
    memory.prompt('and at src/queue.ts again', { prompt_id: 'turn-2', session_id: 'session-2' });
    await twice(async () => {
      expect(await textsOf({ file: 'queue.ts' })).toEqual([
        'The queue retries twice.',
        'and at src/queue.ts again',
        'look at src/queue.ts',
      ]);
      expect(await textsOf({ agentSession: 'session-1' })).toEqual(['look at src/queue.ts']);
    });
  });

  it('[recall-list] of sessions has their titles, agents, dates and numbers of prompts', async () => {
    memory.prompt('why does the release fail?\nIt worked yesterday.');
    memory.prompt('try again', { prompt_id: 'turn-2' });
    memory.prompt('clean up the docs', { prompt_id: 'turn-3', session_id: 'session-2' });
    const answer = await list({ source: 'event' });
    expect(answer).toMatchObject({ hits: [], total: 2, truncated: false });
    expect(shown(answer).split('\n')).toEqual([
      'session-  clean up the docs · claude-code · just now · 1 prompt',
      'session-  why does the release fail? It worked yesterday. · claude-code · just now · 2 prompts',
    ]);
    const [first] = (await list({ source: 'event', limit: 1, offset: 1 })).sessions ?? [];
    expect(first?.id).toBe('session-1');
    expect(renderListForAgent(answer, memory.clock.now(), 0)).toContain('Pass an id as session');
    expect((await list({ source: 'event', kinds: ['prompt'] })).hits).toHaveLength(3);
  });

  it('[recall-list] says whether there is more than a page of it, also of long texts, and if there is nothing', async () => {
    for (const turn of ['one', 'two'])
      memory.prompt(`${turn} ${'and more of it '.repeat(700)}`, { prompt_id: turn });
    const page = async (query: Partial<RecallQuery>) => {
      const { hits, match, truncated, closed } = await list({ kinds: ['prompt'], ...query });
      return [hits.length, match, truncated, closed];
    };
    await twice(async () => {
      expect(await page({ limit: 1 })).toEqual([1, 'good', true, undefined]);
      expect(await page({ limit: 1, offset: 1 })).toEqual([1, 'good', false, undefined]);
      expect(await page({ limit: 2 })).toEqual([2, 'good', false, undefined]);
      expect(await page({ offset: 2 })).toEqual([0, 'none', false, undefined]);
    });
  });

  it('[recall-list] of notes counts all of them, and those that no longer hold if there are any', async () => {
    await keep('Deploy on Mondays.', { topic: 'deploys' });
    expect(await list({ topic: 'deploys' })).toMatchObject({ total: 1, match: 'good' });
    expect(await list({ kinds: ['rule'] })).not.toHaveProperty('closed');
    await keep('Deploy on Fridays.', { state: 'superseded' });
    expect(await list({ kinds: ['rule'] })).toMatchObject({ total: 1, closed: 1 });
    expect(await list({ source: 'note' })).toMatchObject({ total: 1, closed: 1 });
  });

  it('shows the beginning of a long text', async () => {
    memory.prompt(`first words ${'and more of them '.repeat(400)}`);
    await twice(async () => expect((await textsOf({ kinds: ['prompt'] }))[0]).toMatch(/^first words/));
  });

  it('[recall-current-turn] leaves out the turn in which it is asked for', async () => {
    memory.prompt('an old prompt', { session_id: 'one', prompt_id: 'old' });
    memory.prompt('list my prompts', { session_id: 'two', prompt_id: 'new' });
    const now = memory.clock.now();
    expect(await textsOf({ kinds: ['prompt'], askingSessions: ['two'], now })).toEqual(['an old prompt']);
  });
});

describe('a list without an index', () => {
  const listed = async (chunks: Chunk[][], query: Partial<RecallQuery>) => {
    const tail = nothingUnindexed();
    for (const own of chunks) tail.replay.put.set(own[0]?.sourceId ?? '', own);
    const { hits } = await listByFilter({ index: undefined, tail }, { text: '', ...query }, () => false);
    return hits.map(({ chunk }) => chunk.text);
  };

  it('has notes by kind, and each text from its beginning', async () => {
    const note = (kind: Chunk['kind']) => [
      aChunk({ source: 'note', kind, text: kind, sourceId: kind, trust: 2 }),
    ];
    const notes = ['fix', 'fact', 'rule', 'preference', 'decision'].map((kind) =>
      note(kind as Chunk['kind']),
    );
    expect(await listed(notes, { source: 'note' })).toEqual([
      'rule',
      'decision',
      'preference',
      'fact',
      'fix',
    ]);
    for (const ids of ['ab', 'ba']) {
      const slices = ['beginning', 'end'].map((text, at) =>
        aChunk({ id: ids[at] ?? '', sourceId: 'x', text }),
      );
      expect(await listed([slices], { kinds: ['prompt'] })).toEqual(['beginning']);
    }
  });
});

describe('a list of sessions', () => {
  const asked: number[] = [];
  const sessions = ['one', 'two', 'three'].map((id) => ({
    ...{
      id,
      agent: 'codex',
      files: [],
      beginning: [],
      lastCommands: [],
      publishing: [],
      names: [],
      prompts: 1,
    },
    ...{ lastPromptAt: 0, lastAnswerAt: 0, lastToolAt: 0 },
  }));
  const ofSessions = {
    list: (_: object, limit: number) => {
      asked.push(limit);
      return sessions.slice(0, limit);
    },
    count: () => 3,
  };
  const page = async (index: object | undefined, query: Partial<RecallQuery>) => {
    const search = { index: index as LogIndex | undefined, tail: nothingUnindexed() };
    const answer = await listByFilter(search, { text: '', source: 'event', ...query }, () => false);
    return [answer.sessions?.map(({ id }) => id).join(' '), answer.match, answer.truncated, answer.total];
  };

  it('reads one session more than it shows, and says whether there are more', async () => {
    const index = { sessions: ofSessions, get: async () => [] };
    expect(await page(index, { limit: 2 })).toEqual(['one two', 'good', true, 3]);
    expect(await page(index, { limit: 2, offset: 1 })).toEqual(['two three', 'good', false, 3]);
    expect(await page(index, { limit: 2, offset: 3 })).toEqual(['', 'none', false, 3]);
    expect(asked).toEqual([3, 4, 6]);
    expect(await page(undefined, {})).toEqual(['', 'none', false, 0]);
  });
});

it.each([
  ['holds', { trust: 2 }],
  ['unreviewed', { trust: 1 }],
  ['unreviewed', { trust: 2, concepts: ['candidate'] }],
  ['holds', { trust: 1, kind: 'fix' }],
  ['closed', { trust: 2, concepts: ['superseded'] }],
] as [string, Partial<Chunk>][])('a list says that a note %s: %j', (expected, more) => {
  expect(standingOf(aChunk({ source: 'note', kind: 'rule', ...more }))).toBe(expected);
});

it('takes one chunk of each event, oldest first, and those of the same time by id', () => {
  const chunks = [
    ['b', 2],
    ['d', 1],
    ['c', 2],
    ['a', 2],
    ['b', 2],
  ] as const;
  const all = chunks.map(([sourceId, at]) => aChunk({ sourceId, at }));
  expect(oneOfEach(all).map(({ sourceId }) => sourceId)).toEqual(['d', 'a', 'b', 'c']);
  expect(oneOfEach(all)[2]).toBe(all[0]);
});
