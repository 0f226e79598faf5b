import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { closedByUser, type Note } from '../../domain/note.ts';
import { possibleChanges } from '../../recall/possible-changes.ts';
import { deviceOf } from '../projects/device.ts';
import { closeStatement, earlierStatements, reopenStatement, saveStatement } from './closing.ts';
import { correctNote } from './correct-note.ts';
import { forget } from './forget.ts';
import { notePartsOf } from './note-parts.ts';
import { rememberNote } from './remember.ts';
import { rejectNote } from './review.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const parts = () => notePartsOf(memory.open());
const get = async (id: string): Promise<Note> => (await memory.open().notes.get(id)) as Note;
const remember = (text: string, more: Partial<Parameters<typeof rememberNote>[1]> = {}): Promise<Note> =>
  rememberNote(parts(), {
    text,
    kind: 'rule',
    concepts: [],
    files: [],
    trust: 2,
    author: 'claude-code',
    ...more,
  });
const reject = (note: Note) =>
  rejectNote(parts(), note, {
    device: memory.open().device ?? deviceOf(''),
    context: parts().context,
  });

describe('a closed statement', () => {
  it('[note-closed] names what closed it, also if several did', async () => {
    const old = await remember('Deploys go out on Tuesdays.');
    const first = await remember('Deploys go out on Mondays.');
    await closeStatement(parts(), old, { by: first.id, at: first.validFrom });
    await closeStatement(parts(), await get(old.id), { at: first.validFrom });
    expect(await get(old.id)).toMatchObject({ state: 'superseded', closedBy: [first.id, closedByUser] });
    expect(earlierStatements(first, await parts().notes.list()).map(({ id }) => id)).toEqual([old.id]);
  });

  it('[note-closed] is valid again, enforced as before, when what closed it is rejected, unless something else closed it too', async () => {
    const old = await remember('Never push to main directly.');
    const rule = { ...old, enforced: true as const, pinned: true, rev: 2 };
    await parts().notes.put(rule);
    const [one, two] = [await remember('Push through pull requests.'), await remember('Push on Fridays.')];
    await closeStatement(parts(), rule, { by: one.id, at: one.validFrom });
    await closeStatement(parts(), await get(old.id), { by: two.id, at: two.validFrom });
    await reject(one);
    expect(await get(old.id)).toMatchObject({ state: 'superseded', closedBy: [two.id] });
    await reject(two);
    expect(await get(old.id)).toMatchObject({ state: 'active', validTo: '', enforced: true, pinned: true });
    expect((await get(old.id)).closedBy).toBeUndefined();
    expect((await get(old.id)).doubtedSince).toBeUndefined();
  });

  it('[note-closed] is marked when what closed it is forgotten, and stays closed when that is withdrawn', async () => {
    const old = await remember('The upload limit is 10 MB.');
    const later = await remember('The upload limit is 25 MB.');
    const closed = await closeStatement(parts(), old, { by: later.id, at: later.validFrom });
    await correctNote(parts(), later);
    expect((await get(old.id)).state).toBe('superseded');
    await forget(memory.open(), { ids: [later.id] }, parts().context);
    expect(await get(old.id)).toMatchObject({ state: 'active', doubtedSince: closed.validTo });
  });

  it('[note-closed] stays closed when what closed it is forgotten or rejected and had been replaced itself', async () => {
    const [old, between, other, now] = await Promise.all(
      ['10 MB', '25 MB', '40 MB', '50 MB'].map((text) => remember(text)),
    );
    if (!old || !between || !other || !now) throw new Error('not saved');
    await closeStatement(parts(), old, { by: between.id, at: between.validFrom });
    await closeStatement(parts(), between, { by: other.id, at: other.validFrom });
    await closeStatement(parts(), other, { by: now.id, at: now.validFrom });
    await forget(memory.open(), { ids: [between.id] }, parts().context);
    expect(await get(old.id)).toMatchObject({ state: 'superseded', closedBy: [other.id] });
    await reject(await get(other.id));
    expect(await get(old.id)).toMatchObject({ state: 'superseded', closedBy: [now.id] });
  });

  it('[note-closed] can be reopened', async () => {
    const old = await remember('Retries stay in Postgres.');
    await closeStatement(parts(), old, { at: old.validFrom });
    expect(await reopenStatement(parts(), await get(old.id))).toMatchObject({ state: 'active', validTo: '' });
  });
});

describe('a replacement by the user', () => {
  it('is pinned and enforced as what it replaces, and closes nothing for every project', async () => {
    const old = { ...(await remember('Use npm.')), pinned: true, enforced: true as const };
    await parts().notes.put(old);
    const everywhere = aNote({ text: 'Use npm.', everywhere: true });
    const fresh = aNote({ text: 'Use pnpm.', validFrom: old.validFrom });
    const saved = await saveStatement(parts(), fresh, [old, everywhere]);
    expect(saved).toMatchObject({ pinned: true, enforced: true, replaces: [old.id] });
    expect((await get(old.id)).closedBy).toEqual([fresh.id]);
  });
});

describe('the mark "may have changed"', () => {
  const said = (text: string, day: string, more: Partial<Note> = {}): Note =>
    aNote({ id: `${text}-${day}`, text, trust: 2, validFrom: `2026-11-${day}T10:00:00.000Z`, ...more });
  const marked = (...notes: Note[]): [string, string][] =>
    [...possibleChanges(notes)].map(([id, later]) => [id, later.id]);

  it('[note-changed] stands at a statement if a later one has the same words with another value, or the same topic', () => {
    const [ten, more] = [
      said('Uploads are limited to 10 MB.', '01'),
      said('Uploads are limited to 2 GB.', '02'),
    ];
    expect(marked(ten, more)).toEqual([[ten.id, more.id]]);
    const [npm, pnpm] = [
      said('We use npm here.', '01', { topic: 'package manager' }),
      said('switch to pnpm pls', '02', { topic: 'Package manager' }),
    ];
    expect(marked(npm, pnpm)).toEqual([[npm.id, pnpm.id]]);
  });

  it('[note-changed] does not stand there for statements on another matter, or for what is not told itself', () => {
    const api = said('The API timeout is 30 seconds.', '01', { topic: 'API timeout' });
    expect(
      marked(api, said('The database timeout is 5 seconds.', '02', { topic: 'database timeout' })),
    ).toEqual([]);
    expect(marked(said('Never edit `src/gen`.', '01'), said('Never edit `docs/ref`.', '02'))).toEqual([]);
    const theme = ['Run Vitest.', 'Mock nothing.', 'Name tests by behaviour.', 'Cover faults.'];
    expect(marked(...theme.map((text, day) => said(text, `0${day + 1}`, { topic: 'testing' })))).toEqual([]);
    const later = { topic: 'API timeout' };
    expect(marked(api, said('Otters.', '02', { ...later, state: 'candidate', trust: 1 }))).toEqual([]);
    expect(marked(api, said('Otters.', '02', { replaces: [api.id] }))).toEqual([]);
  });

  it('[note-changed] stands at a sentence that settled two matters, of which one has changed', () => {
    const both = 'The access token lives 15 minutes, the refresh token 30 days.';
    const five = said('5 minutes for the access one', '02', { topic: 'access token' });
    const closed = { topic: 'access token', state: 'superseded' as const, closedBy: [five.id] };
    const [access, refresh] = [
      said(both, '01', closed),
      { ...said(both, '01'), id: 'refresh', topic: 'refresh token' },
    ];
    expect(marked(access, refresh, five)).toEqual([['refresh', five.id]]);
    expect(marked({ ...access, closedBy: [closedByUser] }, refresh, five)).toEqual([]);
  });

  it('is gone once the user says that it still holds', () => {
    const old = said('Uploads are limited to 10 MB.', '01', {
      confirmedBy: 'person',
      confirmedAt: '2026-11-03T10:00:00.000Z',
    });
    expect(marked(old, said('Uploads are limited to 25 MB.', '02'))).toEqual([]);
    expect(marked(old, said('Uploads are limited to 25 MB.', '04'))).toHaveLength(1);
  });
});
