import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note } from '../../domain/note.ts';
import { auditNotes, type NoteUse } from './audit-notes.ts';

const now = Date.parse('2026-11-17T10:00:00Z');
const note = (id: string, text: string, more: Partial<Note> = {}): Note =>
  aNote({
    id,
    kind: 'rule',
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
    expect(ids((await auditNotes(notes, use())).duplicates)).toEqual([['new', 'old', 'agent']]);
    const pinned = notes.map((one) => (one.id === 'agent' ? { ...one, pinned: true } : one));
    expect(ids((await auditNotes(pinned, use())).duplicates)).toEqual([['agent', 'new', 'old']]);
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
  });
});
