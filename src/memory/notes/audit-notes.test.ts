import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note } from '../../domain/note.ts';
import { auditNotes, type NoteUse } from './audit-notes.ts';

const now = Date.parse('2026-11-17T10:00:00Z');
const note = (id: string, text: string, more: Partial<Note> = {}): Note =>
  aNote({
    id,
    kind: 'convention',
    state: 'active',
    trust: 2,
    pinned: false,
    updated: '2026-11-01T00:00:00.000Z',
    text,
    ...more,
  });
const use = (more: Partial<NoteUse> = {}): NoteUse => ({
  now,
  unusedDays: 180,
  lastUsed: async () => 0,
  isTold: () => false,
  ...more,
});
const on = (date: string): Partial<Note> => ({ validFrom: `2026-11-${date}T00:00:00.000Z` });
const ids = (groups: Note[][]) => groups.map((group) => group.map(({ id }) => id));

describe('An audit of notes', () => {
  it('groups notes with the same words, and keeps the pinned, most trusted, newest one', async () => {
    const notes = [
      note('old', 'Wrap errors of the storage package.'),
      note('new', 'wrap errors of the storage package!', { updated: '2026-11-02T00:00:00.000Z' }),
      note('agent', 'Wrap errors of the storage package.', { trust: 1, updated: '2026-11-03T00:00:00.000Z' }),
      note('longer', 'Always wrap errors of the storage package.'),
      note('other', 'Deploy on Friday with two reviewers.'),
      note('number', 'Deploy on Friday with 3 reviewers and 2 approvals.'),
      note('closed', 'Wrap errors of the storage package.', { state: 'superseded' }),
    ];
    expect(ids((await auditNotes(notes, undefined)).duplicates)).toEqual([['new', 'old', 'agent']]);
    const pinned = notes.map((one) => (one.id === 'agent' ? { ...one, pinned: true } : one));
    expect(ids((await auditNotes(pinned, undefined)).duplicates)).toEqual([['agent', 'new', 'old']]);
  });

  it('lists a statement with the later one that may have changed it: the same topic, or the same words with another value', async () => {
    const notes = [
      note('pnpm', 'Workspaces need pnpm since May.', { topic: 'package manager', ...on('04') }),
      note('npm', 'The build uses npm.', { topic: 'package manager', ...on('01') }),
      note('10', 'Uploads end at 10 MB.', on('01')),
      note('25', 'Uploads end at 25 MB.', on('02')),
    ];
    expect(ids((await auditNotes(notes, undefined)).changes)).toEqual([
      ['npm', 'pnpm'],
      ['10', '25'],
    ]);
  });

  it('does not judge the meaning of notes: words in common and a "never" are no change', async () => {
    const notes = [
      note('yes', 'Cache tokens of the queue in memory.', on('01')),
      note('no', 'Never cache tokens of the queue in memory.', on('02')),
      note('api', 'The timeout of the API is 30 seconds.', { topic: 'API timeout', ...on('01') }),
      note('database', 'The timeout of the database is 5 seconds.', {
        topic: 'database timeout',
        ...on('02'),
      }),
    ];
    expect(await auditNotes(notes, undefined)).toMatchObject({ duplicates: [], changes: [] });
  });

  it('lists no change by a note that sessions are not told', async () => {
    const notes = [
      note('10', 'Uploads end at 10 MB.', on('01')),
      note('25', 'Uploads end at 25 MB.', { state: 'candidate', trust: 1, ...on('02') }),
    ];
    expect((await auditNotes(notes, undefined)).changes).toEqual([]);
  });

  it('lists notes that were not opened for long, but none that sessions are told, that is pinned or enforced', async () => {
    const old = { updated: '2026-01-01T00:00:00.000Z' };
    const notes = [
      note('idle', 'Floats are rounded in the ledger.', { ...old }),
      note('opened', 'The queue drops messages after a day.', { ...old }),
      note('told', 'Deploys happen on Friday.', { ...old }),
      note('pinned', 'Storage errors are wrapped.', { ...old, pinned: true }),
      note('enforced', 'Tokens are never logged.', { ...old, enforced: true }),
      note('recent', 'Caches are warmed at start.'),
    ];
    const { unused } = await auditNotes(
      notes,
      use({
        lastUsed: async ({ id }) => (id === 'opened' ? now - 1_000 : 0),
        isTold: ({ id }) => id === 'told',
      }),
    );
    expect(unused.map(({ note: { id } }) => id)).toEqual(['idle']);
    expect((await auditNotes(notes, undefined)).unused).toEqual([]);
  });

  it('compares thousands of notes in seconds', async () => {
    const words = Array.from({ length: 400 }, (_, at) => `word${at}`);
    const pick = (seed: number) => words[(seed * 7_919) % words.length];
    const notes = Array.from({ length: 4_000 }, (_, at) =>
      note(
        `n${at}`,
        `Use ${pick(at)} with ${pick(at * 3 + 1)} and ${pick(at * 5 + 2)} for ${pick(at * 11 + 3)} only.`,
      ),
    );
    const started = performance.now();
    await auditNotes(notes, undefined);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
