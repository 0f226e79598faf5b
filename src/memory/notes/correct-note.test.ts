import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import type { Distiller, Proposal } from '../../distil/distiller.ts';
import type { Note } from '../../domain/note.ts';
import { catchUp } from '../../recall/catch-up.ts';
import { quickLimits } from '../../recall/with-index.ts';
import { readPrelude } from '../prelude/prelude-file.ts';
import { refreshPrelude } from '../refresh-prelude.ts';
import { openHit } from '../sessions/open-hit.ts';
import { renderOpened } from '../sessions/render-opened.ts';
import { reopenStatement } from './closing.ts';
import { correctNote } from './correct-note.ts';
import { distilSessions } from './distil-sessions.ts';
import { importNotes } from './import-notes.ts';
import { notePartsOf } from './note-parts.ts';
import { pinNote, rememberNote, saveNote } from './remember.ts';
import { inboxOf, rejectNote } from './review.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const day = 24 * 60 * 60 * 1000;
const parts = () => notePartsOf(memory.open());
const notes = () => memory.open().notes.list();
const rule = 'always send invoices through the ledger gateway';

const remember = (text: string): Promise<Note> =>
  rememberNote(parts(), {
    text,
    kind: 'rule',
    concepts: [],
    files: ['src/invoice.ts'],
    trust: 3,
    author: 'anna',
  });

const show = async (id: string): Promise<string> =>
  renderOpened(await openHit(memory.open(), id, quickLimits), 0);

/** Extracts a statement of the user, or of an agent, from a turn of a session. */
async function extract(text: string, agentSession: string, more: Partial<Proposal> = {}): Promise<void> {
  const own = memory.open();
  memory.prompt(text, { session_id: agentSession });
  const writing = own.access.forWriting();
  if (writing === undefined) throw new Error('the index is busy');
  const proposal: Proposal = {
    kind: 'rule',
    text,
    turn: 'turn-1',
    at: memory.clock.now(),
    evidence: [memory.events().at(-1)?.id ?? ''],
    files: [],
    trust: 2,
    ...more,
  };
  await catchUp(own, writing.index, { maxBytes: Number.MAX_SAFE_INTEGER });
  const distiller: Distiller = {
    id: `finds ${memory.clock.now()}`,
    distil: async (session) => (session.agentSession === agentSession ? [proposal] : []),
  };
  await distilSessions(own, writing.index, { isOver: () => false }, distiller);
  await writing.close();
}

const states = async (): Promise<string[]> => (await notes()).map(({ state }) => state).sort();

describe('a note that the user calls wrong', () => {
  it('[note-wrong] is withdrawn and stays as history', async () => {
    const note = await pinNote(parts(), await remember('Use npm here.'), true);
    const { withdrawn, now } = await correctNote(parts(), note);
    expect(now).toBeUndefined();
    expect(withdrawn).toMatchObject({ state: 'superseded', closedBy: ['user'], text: 'Use npm here.' });
    expect(Date.parse(withdrawn.validTo)).toBeGreaterThan(Date.parse(note.updated));
    expect(await notes()).toEqual([withdrawn]);
    expect(memory.events().at(-1)).toMatchObject({ kind: 'note', body: { action: 'withdraw' } });
    await expect(correctNote(parts(), withdrawn)).rejects.toThrow('no longer valid since 2026-11-14');
  });

  it('[note-wrong] is replaced by a note of the user about the same topic, as pinned and shared as it was', async () => {
    const first = { ...(await remember('Uploads end at 10 MB.')), topic: 'upload limit', trust: 2 as const };
    await saveNote(parts(), { ...first, pinned: true, visibility: 'team' }, 'edit');
    const { withdrawn, now } = await correctNote(
      parts(),
      { ...first, pinned: true, visibility: 'team' },
      'Uploads end at 25 MB.',
    );
    expect(now).toMatchObject({
      kind: 'rule',
      topic: 'upload limit',
      files: ['src/invoice.ts'],
      trust: 3,
      state: 'active',
      pinned: true,
      visibility: 'team',
      replaces: [first.id],
    });
    expect(withdrawn).toMatchObject({
      state: 'superseded',
      validTo: now?.validFrom,
      visibility: 'private',
      closedBy: [now?.id],
    });
  });

  it('[note-wrong] is valid again, as pinned as it was, if the user reopens it', async () => {
    const note = await pinNote(parts(), await remember('Use npm here.'), true);
    const { withdrawn } = await correctNote(parts(), note);
    const reopened = await reopenStatement(parts(), withdrawn);
    expect(reopened).toMatchObject({ state: 'active', pinned: true, validTo: '' });
    expect(reopened).not.toHaveProperty('closedBy');
    expect(memory.events().at(-1)).toMatchObject({ kind: 'note', body: { action: 'reopen' } });
  });

  it('[note-superseded] is valid again if its replacement is rejected, but not if that is called wrong too', async () => {
    const note = await remember('Uploads end at 10 MB.');
    const { now } = await correctNote(parts(), note, 'Uploads end at 25 MB.');
    const { withdrawn } = await correctNote(parts(), now as Note);
    expect(await states()).toEqual(['superseded', 'superseded']);
    const { device } = memory.open();
    await rejectNote(parts(), withdrawn, { device, context: parts().context });
    expect(await notes()).toMatchObject([{ id: note.id, state: 'active', validTo: '' }]);
  });

  it('[note-superseded] is the only note that its correction closes: one on the same topic may have changed', async () => {
    const topic = 'upload limit';
    const active = { ...(await remember('Uploads end at 10 MB.')), topic };
    const proposal: Note = {
      ...(await remember('Uploads end at 99 MB.')),
      topic,
      state: 'candidate',
      trust: 1,
      replaces: [active.id],
    };
    for (const note of [active, proposal]) await saveNote(parts(), note, 'edit');
    expect(await show(active.id)).not.toMatch(/closed by|may have changed/);
    const { now } = await correctNote(parts(), proposal, 'Uploads end at 25 MB.');
    expect(await states()).toEqual(['active', 'active', 'superseded']);
    expect(now).toMatchObject({ topic, replaces: [proposal.id] });
    expect(await show(active.id)).toContain('may have changed: Uploads end at 25 MB., 2026-11-14 [');
    expect(inboxOf(await notes()).changes).toEqual([[active, now]]);
  });

  it('says what it would replace while it is a proposal', async () => {
    const active = await remember('Uploads end at 10 MB.');
    const proposal: Note = {
      ...(await remember('Uploads end at 99 MB.')),
      state: 'candidate',
      trust: 1,
      replaces: [active.id],
    };
    await saveNote(parts(), proposal, 'edit');
    expect(await show(proposal.id)).toContain('would replace: Uploads end at 10 MB.');
  });

  it('changes nothing if the replacement is empty', async () => {
    const note = await remember('Use npm here.');
    await expect(correctNote(parts(), note, ' ')).rejects.toThrow('empty');
    expect(await notes()).toEqual([note]);
  });

  it('[note-wrong] is not extracted again from what was said before', async () => {
    const heard = memory.clock.now();
    await extract(rule, 'session-1');
    await correctNote(parts(), (await notes())[0] as Note);
    await extract(rule, 'session-1');
    await extract(rule, 'session-2', { at: heard });
    await extract(`${rule.replace('always', 'Always')}!`, 'session-3', { at: heard });
    await extract(rule, 'session-4', { trust: 1 });
    expect(await states()).toEqual(['superseded']);
    expect(
      await importNotes(
        memory.open(),
        'other-tool',
        [{ key: '1', kind: 'rule', title: rule, text: rule, concepts: [], files: [], created: '' }],
        1,
      ),
    ).toBe(0);
  });

  it('is extracted again if the user says it later', async () => {
    await extract(rule, 'session-1');
    await correctNote(parts(), (await notes())[0] as Note);
    memory.clock.set(memory.clock.now() + day);
    await extract(rule, 'session-2');
    expect(await states()).toEqual(['active', 'superseded']);
  });

  it('[note-wrong] leaves the prelude at once', async () => {
    memory.prompt('hello');
    const note = await pinNote(parts(), await remember('Use npm here.'), true);
    await memory.drain();
    const prelude = () => {
      const { paths, project } = memory.open();
      return JSON.stringify(readPrelude(paths, project)?.lines);
    };
    expect(prelude()).toContain('Use npm here.');
    await correctNote(parts(), note, 'Use pnpm here.');
    await refreshPrelude(memory.open());
    expect(prelude()).toContain('Use pnpm here.');
    expect(prelude()).not.toContain('Use npm here.');
  });
});

describe('the history of a note', () => {
  it('[note-wrong] is shown with the note, and the replacement with an old note', async () => {
    const first = await remember('Uploads end at 10 MB.');
    const { now: second } = await correctNote(parts(), first, 'Uploads end at 20 MB.');
    const { now: third } = await correctNote(parts(), second as Note, 'Uploads end at 25 MB.');
    const shown = await show(third?.id ?? '');
    expect(shown).toContain('was: Uploads end at 20 MB. (until 2026-11-14,');
    expect(shown).toContain('was: Uploads end at 10 MB. (until 2026-11-14,');
    expect(shown.indexOf('20 MB')).toBeLessThan(shown.indexOf('10 MB'));
    expect(await show(first.id)).toContain('closed by Uploads end at 20 MB., 2026-11-14 [');
  });
});
