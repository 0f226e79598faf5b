import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import type { NoteKind } from '../domain/note.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';
import type { App } from './command.ts';
import { recallCommand } from './recall.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const plain = (text: string): string => text;
const app = (): App =>
  ({
    ...memory,
    columns: 80,
    style: { bold: plain, dim: plain, good: plain, bad: plain, mark: plain },
    agentAround: () => ({ pids: [], sessions: [] }),
    checkedCode: () => undefined,
    progress: () => ({ update: () => {}, end: () => {} }),
  }) as unknown as App;

/** The text that `backstory recall` prints. */
const recalled = async (question: string, values: Record<string, string | boolean | string[]> = {}) =>
  (await recallCommand.run(app(), { positionals: question === '' ? [] : [question], values })).text;

const write = (text: string, kind: NoteKind) =>
  rememberNote(notePartsOf(memory.open()), { text, kind, concepts: [], files: [], trust: 3, author: 'ana' });

describe('recall', () => {
  beforeEach(async () => {
    await write('We keep the queue in Postgres.', 'decision');
    await write('Never deploy the queue on a Friday.', 'rule');
  });

  it('prints what was found, and its kind below', async () => {
    const text = await recalled('where is the queue kept');
    expect(text).toMatch(/We keep the queue in Postgres\.\n.*decision/);
    expect(text).toContain('Whole texts: --full, or backstory show ID.');
  });

  it('finds only what the filter matches, and lists it without a question', async () => {
    for (const question of ['queue', '']) {
      const text = await recalled(question, { kind: 'rule' });
      expect(text).toContain('Never deploy the queue on a Friday.');
      expect(text).not.toContain('Postgres');
    }
  });

  it('prints as many results as asked for, and how to get the next ones', async () => {
    const text = await recalled('queue', { limit: '1' });
    expect(text).toContain('More with --offset 1');
    expect(await recalled('queue', { limit: '1', offset: '1' })).not.toBe(text);
  });

  it('finds by another wording too', async () => {
    expect(await recalled('kingfisher', { or: ['Postgres'] })).toContain('We keep the queue in Postgres.');
  });

  it('says what to do if nothing was found', async () => {
    expect(await recalled('kingfisher', { kind: 'fact' })).toContain('No results for kingfisher.');
  });
});
