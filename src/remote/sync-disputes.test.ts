import { expect, it } from 'vitest';
import { isWithheld, type Note, teamOrigin } from '../domain/note.ts';
import { rulesOnly } from '../memory/redact/redact.ts';
import { rulesOf } from '../memory/rules/project-rules.ts';
import { formatNote, parseNote } from '../store/notes/note-file.ts';
import { disputesToSend, withDisputes } from './sync-disputes.ts';
import type { PulledChange } from './sync-request.ts';
import type { SharedNote, SyncState } from './sync-state.ts';

const at = '2026-11-17T10:00:00.000Z';
const theirs: Note = {
  id: 'n1',
  kind: 'rule',
  title: 'Never use npm here.',
  state: 'active',
  trust: 2,
  pinned: false,
  concepts: [],
  files: [],
  created: at,
  updated: at,
  rev: 1,
  parents: [],
  author: 'bob',
  visibility: 'private',
  validFrom: at,
  validTo: '',
  derivedFrom: [teamOrigin('ann')],
  text: 'Never use npm here.',
};
const wrong: Note = { ...theirs, state: 'superseded', disputes: [{ by: 'bob', at, isYours: true }] };
const shared: SharedNote = { id: 'n1', revision: 3, hash: 'h', isYours: false };
const toSend = (note: Note | undefined, state: SharedNote) =>
  disputesToSend(
    { v: 1, after: 0, notes: { ref: state } } satisfies SyncState,
    new Map(note === undefined ? [] : [[note.id, note]]),
  );
const nothing = { disputes: [], settled: [] };
const change = (disputes: unknown): PulledChange =>
  ({
    id: 'ref',
    revision: 3,
    isYours: false,
    isRemovedByYou: false,
    disputes,
  }) as PulledChange;

it('states a dispute once, and again if the correction changes', () => {
  expect(toSend(theirs, shared)).toEqual(nothing);
  expect(toSend(wrong, shared)).toEqual({ disputes: [{ id: 'ref', revision: 3 }], settled: [] });
  expect(toSend(wrong, { ...shared, disputed: '' })).toEqual(nothing);
  const corrected = { ...wrong, disputes: [{ by: 'bob', at, isYours: true as const, correction: 'n2' }] };
  expect(toSend(corrected, { ...shared, disputed: '' }).disputes).toMatchObject([{ correction: 'n2' }]);
  expect(toSend(corrected, { ...shared, disputed: 'n2' })).toEqual(nothing);
});

it("states nothing about the user's own notes, removed notes, or notes that another note of the user superseded", () => {
  expect(toSend(wrong, { ...shared, isYours: true })).toEqual(nothing);
  expect(toSend(wrong, { ...shared, isGone: true })).toEqual(nothing);
  expect(toSend({ ...theirs, state: 'superseded' }, shared)).toEqual(nothing);
});

it('takes a dispute back if the note is accepted or no longer here', () => {
  const known = { ...shared, disputed: '' };
  expect(toSend(theirs, known)).toEqual({ disputes: [], settled: ['ref'] });
  expect(toSend(undefined, known)).toEqual({ disputes: [], settled: ['ref'] });
});

it("answers disputes about the user's note once, when all of them are answered here", () => {
  const own = { ...shared, isYours: true };
  const note: Note = { ...theirs, derivedFrom: [], disputes: [{ by: 'eve', at }] };
  expect(toSend(note, own)).toEqual(nothing);
  const kept = { ...note, disputes: [{ by: 'eve', at, keptAt: at }] };
  expect(toSend(kept, own)).toEqual({ disputes: [], settled: ['ref'] });
  expect(toSend(kept, { ...own, answered: at })).toEqual(nothing);
});

it('reads disputes of any server with limits, and keeps the answer of the user', () => {
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  const many = Array.from({ length: 50 }, () => ({ by: `eve ${secret}${'x'.repeat(500)}`, at }));
  const received = withDisputes(theirs, change(many), rulesOnly)?.disputes ?? [];
  expect(received).toHaveLength(20);
  expect(JSON.stringify(received)).not.toContain(secret);
  expect(withDisputes(theirs, change('x'), rulesOnly)).toBeUndefined();
  expect(withDisputes(theirs, change([7, null]), rulesOnly)?.disputes).toHaveLength(2);
  const kept = { ...theirs, disputes: [{ by: 'eve', at, keptAt: at }] };
  expect(withDisputes(kept, change([{ by: 'eve', at }]), rulesOnly)).toBeUndefined();
  expect(withDisputes(kept, change(undefined), rulesOnly)).not.toHaveProperty('disputes');
});

it('keeps the verdict of the user until the server has it', () => {
  expect(withDisputes(wrong, change(undefined), rulesOnly)).toBeUndefined();
  const stored = withDisputes(wrong, change([{ by: 'Bob B.', at, isYours: true }]), rulesOnly);
  expect(stored?.disputes).toEqual([{ by: 'Bob B.', at, isYours: true }]);
});

it("withholds a disputed note of a teammate, but not the user's own and not an enforced rule", () => {
  const told: Note = { ...theirs, match: { command: ['npm'] } };
  const disputed: Note = { ...told, disputes: [{ by: 'eve', at }] };
  expect(rulesOf([told])).toHaveLength(1);
  expect(rulesOf([disputed])).toEqual([]);
  expect(rulesOf([{ ...disputed, enforced: true }])).toHaveLength(1);
  expect(isWithheld({ ...disputed, derivedFrom: [] })).toBe(false);
  expect(isWithheld({ ...disputed, disputes: [{ by: 'eve', at, keptAt: at }] })).toBe(false);
});

it('a note file keeps its disputes', () => {
  const note = {
    ...wrong,
    disputes: [{ by: 'bob', at, isYours: true as const, correction: 'n2', keptAt: at }],
  };
  expect(parseNote(formatNote(note), 'n.md')).toEqual(note);
});
