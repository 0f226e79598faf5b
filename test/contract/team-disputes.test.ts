import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { isWithheld, openDisputes } from '../../src/domain/note.ts';
import { correctNote } from '../../src/memory/notes/correct-note.ts';
import { forget } from '../../src/memory/notes/forget.ts';
import { editNote } from '../../src/memory/notes/remember.ts';
import { acceptNote, inboxOf } from '../../src/memory/notes/review.ts';
import { recall } from '../../src/recall/recall.ts';
import { kindLabel } from '../../src/recall/render.ts';
import { quickLimits } from '../../src/recall/with-index.ts';
import type { SyncRequest } from '../../src/remote/sync-request.ts';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import { memberCommand } from '../../src/team/people/member-command.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import type { Synced } from '../../src/wire/answers/team.ts';
import { describePostgres } from './postgres-server.ts';
import { type aTeam, type TestPerson, useLaptops, useTeamServer } from './team-server.ts';

const claim = 'Uploads are limited to ten megabytes by the proxy.';

describePostgres('Disputes about notes of a team', (fresh) => {
  let server: RunningTeamServer;
  let org: Awaited<ReturnType<typeof aTeam>>;
  const openLaptop = useLaptops();

  useTeamServer(fresh, (served) => {
    ({ server, team: org } = served);
  });

  const laptop = async (project: string, person: TestPerson, actor: string) => {
    const opened = await openLaptop(server.url, org, project, person, actor);
    const { home, open, desk, token } = opened;
    /** The note with the claim of the author. */
    const claimed = async () => {
      const note = (await open().notes.list()).find(({ text }) => text === claim);
      if (note === undefined) throw new Error('there is no such note');
      return note;
    };
    return {
      ...opened,
      claimed,
      accept: async () => acceptNote(desk(), await claimed()),
      edit: async (text: string) => editNote(desk(), await claimed(), text),
      wrong: async (now?: string) => correctNote(desk(), await claimed(), now),
      forget: async (id: string) => forget(open(), { ids: [id] }, desk().context),
      review: async () => inboxOf(await open().notes.list()).candidates.map(({ text }) => text),
      async recalled() {
        await home.drain();
        const query = { text: 'upload limit of the proxy', now: home.clock.now(), limit: 5, offset: 0 };
        const { hits } = await recall(open(), query, quickLimits);
        return hits.filter(({ chunk }) => chunk.text === claim).map(({ chunk }) => kindLabel(chunk));
      },
      exchange: async (request: Partial<SyncRequest>) => {
        const response = await fetch(`${server.url}/api/v1/projects/${project}/sync`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ after: 0, notes: [], removed: [], ...request }),
        });
        expect(response.status).toBe(200);
        return (await response.json()) as Synced;
      },
    };
  };

  /** Ann shares the claim. Bob and Cid get it, and Cid accepts it. */
  const team = async () => {
    const project = await org.project(`queue ${Math.random()}`);
    const names = { ann: `ann-${Math.random()}`, bob: `bob-${Math.random()}`, cid: `cid-${Math.random()}` };
    const [ann, bob, cid] = [
      await org.person(names.ann, { [project]: 'member' }),
      await org.person(names.bob, { [project]: 'member' }),
      await org.person(names.cid, { [project]: 'member' }),
    ];
    const laptops = {
      a: await laptop(project, ann, 'ann'),
      b: await laptop(project, bob, 'bob'),
      c: await laptop(project, cid, 'cid'),
    };
    const { id } = await laptops.a.share(claim);
    for (const each of [laptops.a, laptops.b, laptops.c]) await each.sync();
    await laptops.c.accept();
    return { project, names, ann, bob, cid, id, ...laptops };
  };
  const rowsOf = (project: string) =>
    fresh.database.query('select * from backstory.note_dispute where project = $1', [project]);

  it('[team-dispute] mark a note that a teammate calls wrong, and do not tell it until that is settled', async () => {
    const { a, b, c, id, names, project } = await team();
    expect(await c.prelude()).toContain('Uploads are limited');
    await b.wrong('Uploads are limited to 50 megabytes by the application.');
    expect(await b.sync()).toMatchObject({ disputed: 1, pushed: 1, refused: 0 });
    expect(await b.sync()).toMatchObject({ disputed: 0, disputes: 0, pushed: 0 });
    expect(await c.sync()).toMatchObject({ disputes: 1, pulled: 1 });
    expect(await a.sync()).toMatchObject({ disputes: 1, pulled: 1 });
    // Nobody's note is deleted or changed.
    for (const each of [a, c]) expect(await each.claimed()).toMatchObject({ id, state: 'active' });
    const correction = (await c.notes()).find(({ text }) => text.includes('50 megabytes'));
    expect(correction).toMatchObject({ state: 'candidate', trust: 0, author: names.bob });
    const day = new Date().toISOString().slice(0, 10);
    expect((await c.claimed()).disputes).toMatchObject([{ by: names.bob, correction: correction?.id }]);
    expect(await c.recalled()).toEqual([`decision, disputed by ${names.bob} on ${day}`]);
    expect(await c.prelude()).not.toContain('Uploads are limited');
    expect(await c.review()).toContain(claim);
    // The author's own sessions are told it with a mark that has no word of the other person.
    expect(await a.prelude()).toContain(`${claim} (disputed by a teammate since ${day})`);
    expect(await a.review()).toContain(claim);
    // The author keeps the note.
    await a.accept();
    expect(await a.review()).not.toContain(claim);
    await a.sync();
    expect(await c.sync()).toMatchObject({ disputes: 1 });
    expect(await c.prelude()).toContain('Uploads are limited');
    expect(await c.review()).not.toContain(claim);
    await b.sync();
    expect(await b.claimed()).toMatchObject({ state: 'superseded', disputes: [{ isYours: true }] });
    for (const each of [a, b, c]) expect(await each.sync()).toMatchObject({ disputes: 0, disputed: 0 });
    expect(await rowsOf(project)).toMatchObject([{ kept: expect.any(String) }]);
  });

  it('[team-dispute] take a dispute back when the verdict is taken back, or the note is forgotten', async () => {
    const { b, c, id, project } = await team();
    await b.wrong();
    await b.sync();
    await c.sync();
    expect(openDisputes(await c.claimed())).toHaveLength(1);
    await b.accept();
    await b.sync();
    expect(await rowsOf(project)).toEqual([]);
    expect(await c.sync()).toMatchObject({ disputes: 1 });
    expect(await c.claimed()).not.toHaveProperty('disputes');
    expect(await c.prelude()).toContain('Uploads are limited');
    await b.wrong();
    await b.sync();
    expect(await rowsOf(project)).toHaveLength(1);
    await b.forget(id);
    await b.sync();
    expect(await rowsOf(project)).toEqual([]);
  });

  it('[team-dispute] end a dispute when the author changes or withdraws the note', async () => {
    const { a, b, c, project } = await team();
    await b.wrong();
    await b.sync();
    await c.sync();
    await a.sync();
    await a.edit('Uploads are limited to 50 megabytes.');
    await a.sync();
    expect(await rowsOf(project)).toEqual([]);
    await b.sync();
    await c.sync();
    for (const each of [b, c]) {
      const [note] = await each.notes();
      expect(note).toMatchObject({ state: 'candidate', text: 'Uploads are limited to 50 megabytes.' });
      expect(note).not.toHaveProperty('disputes');
    }
    const second = await team();
    await second.b.wrong();
    await second.b.sync();
    await second.a.sync();
    await second.a.wrong();
    await second.a.sync();
    expect(await rowsOf(second.project)).toEqual([]);
    await second.c.sync();
    expect(await second.c.notes()).toEqual([]);
  });

  it('[team-dispute] accept a disputed note nevertheless, for oneself only', async () => {
    const { a, b, c } = await team();
    await b.wrong();
    await b.sync();
    await c.sync();
    await c.accept();
    await c.sync();
    expect(await c.prelude()).toContain('Uploads are limited');
    expect(await c.review()).not.toContain(claim);
    await a.sync();
    expect(openDisputes(await a.claimed())).toHaveLength(1);
  });

  it('[team-dispute] store a dispute once, in the name of the token, about a note of others as it is now', async () => {
    const { a, b, c, id, bob, project } = await team();
    const dispute = { id, revision: 1 };
    for (let time = 0; time < 2; time++)
      expect((await b.exchange({ disputes: [dispute] })).disputes).toEqual([{ id, outcome: 'kept' }]);
    expect(await rowsOf(project)).toMatchObject([{ person: bob.id, correction: null, kept: null }]);
    const { version } = await b.exchange({ disputes: [dispute] });
    expect((await b.exchange({ after: version, disputes: [dispute] })).changes).toEqual([]);
    // A name in the request is ignored.
    const forged = { ...dispute, by: 'cid', person: a.token };
    expect((await b.exchange({ disputes: [forged] })).disputes).toEqual([{ id, outcome: 'kept' }]);
    expect(await rowsOf(project)).toMatchObject([{ person: bob.id }]);
    // Nobody disputes their own note, an outdated text, or a note that does not exist.
    const refused = async (who: typeof a, given: { id: string; revision: number }) =>
      (await who.exchange({ disputes: [given] })).disputes?.[0]?.outcome;
    expect(await refused(a, dispute)).toBe('refused');
    expect(await refused(c, { id, revision: 2 })).toBe('refused');
    expect(await refused(c, { id: 'unknown', revision: 1 })).toBe('refused');
    // Only the author answers, and only bob takes his dispute back.
    await c.exchange({ settled: [id] });
    expect(await rowsOf(project)).toMatchObject([{ kept: null }]);
    await a.exchange({ settled: [id] });
    expect(await rowsOf(project)).toMatchObject([{ kept: expect.any(String) }]);
  });

  it('[team-dispute] a reader still syncs, but disputes nothing in the team', async () => {
    const { id, project, c } = await team();
    const reader = await org.person(`rita-${Math.random()}`, { [project]: 'reader' });
    const r = await laptop(project, reader, 'rita');
    await r.sync();
    await r.wrong('Uploads are not limited.');
    expect(await r.sync()).toMatchObject({ disputed: 0, refused: 1, pushed: 0 });
    expect(await r.sync()).toMatchObject({ refused: 0 });
    expect(await r.claimed()).toMatchObject({ id, state: 'superseded' });
    expect((await r.notes()).map(({ visibility }) => visibility)).toEqual(['private', 'private']);
    await c.sync();
    expect(await c.claimed()).not.toHaveProperty('disputes');
    expect(await rowsOf(project)).toEqual([]);
  });

  it('[team-dispute] a note of another project cannot be disputed', async () => {
    const { id } = await team();
    const other = await team();
    const answer = await other.b.exchange({ disputes: [{ id, revision: 1 }] });
    expect(answer.disputes).toEqual([{ id, outcome: 'refused' }]);
    expect(await rowsOf(other.project)).toEqual([]);
  });

  it('[team-dispute-limit] one person silences five notes, a second person more, and nobody who has left any', async () => {
    const { a, b, c, names, project } = await team();
    for (let number = 0; number < 6; number++) await a.share(`Rule ${number} of the proxy.`);
    await a.sync();
    await b.sync();
    const { changes } = await b.exchange({});
    const stated = changes.map(({ id, revision }) => ({ id, revision }));
    const outcomes = async (from: typeof b, which = stated) =>
      (await from.exchange({ disputes: which })).disputes?.map(({ outcome }) => outcome);
    expect(await outcomes(b)).toEqual([...Array<string>(5).fill('kept'), 'recorded', 'recorded']);
    // Repeating a request changes nothing.
    expect(await outcomes(b)).toEqual([...Array<string>(5).fill('kept'), 'recorded', 'recorded']);
    const silencedFor = async (each: typeof c) => {
      await each.sync();
      return (await each.notes()).filter(isWithheld).length;
    };
    expect(await silencedFor(c)).toBe(5);
    expect(await outcomes(c, stated.slice(-1))).toEqual(['kept']);
    const eve = await org.person(`eve-${Math.random()}`, { [project]: 'member' });
    const e = await laptop(project, eve, 'eve');
    expect(await silencedFor(e)).toBe(6);
    const operator = {
      operation: createTeamOperation(fresh.database, systemClock),
      now: systemClock.now(),
    };
    await memberCommand(operator, ['remove', names.bob], { org: 'ours' });
    expect(await silencedFor(e)).toBe(1);
    expect(await rowsOf(project)).toHaveLength(1);
  });

  it('[team-erase] erasing a person removes their disputes from the team and from laptops', async () => {
    const { a, b, c, names, project } = await team();
    await b.wrong();
    await b.sync();
    for (const each of [a, c]) await each.sync();
    expect(openDisputes(await c.claimed())).toHaveLength(1);
    const operator = {
      operation: createTeamOperation(fresh.database, systemClock),
      now: systemClock.now(),
    };
    await memberCommand(operator, ['remove', names.bob], { org: 'ours', erase: true, yes: true });
    expect(await rowsOf(project)).toEqual([]);
    await c.sync();
    expect(await c.claimed()).not.toHaveProperty('disputes');
  });
});
