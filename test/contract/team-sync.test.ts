import { existsSync, rmSync, statSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { App } from '../../src/cli/command.ts';
import { join, leave } from '../../src/cli/team-join.ts';
import { recordUse } from '../../src/memory/notes/age-notes.ts';
import { forget } from '../../src/memory/notes/forget.ts';
import { historyOf } from '../../src/memory/notes/note-history.ts';
import { notePartsOf } from '../../src/memory/notes/note-parts.ts';
import { editNote, rememberNote, reviseNote, saveNote } from '../../src/memory/notes/remember.ts';
import { acceptNote, rejectNote } from '../../src/memory/notes/review.ts';
import { shareNote } from '../../src/memory/notes/share.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { recall } from '../../src/recall/recall.ts';
import { sourceLabel } from '../../src/recall/render.ts';
import { quickLimits } from '../../src/recall/with-index.ts';
import { keepToken, serverUrl } from '../../src/remote/membership.ts';
import { markAs } from '../../src/remote/share-with-team.ts';
import { signIn } from '../../src/remote/sign-in.ts';
import { interactiveBounds, syncNotes } from '../../src/remote/sync.ts';
import { removeInside } from '../../src/store/repo/repo-folder.ts';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import { createMemoryHome } from '../support/memory-home.ts';
import { describePostgres } from './postgres-server.ts';
import { type aTeam, type TestPerson, useLaptops, useTeamServer } from './team-server.ts';

const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

describePostgres('Laptops and a team server', (fresh) => {
  let server: RunningTeamServer;
  let org: Awaited<ReturnType<typeof aTeam>>;
  const openLaptop = useLaptops();

  useTeamServer(fresh, (served) => {
    ({ server, team: org } = served);
  });

  const laptop = async (project: string, person: TestPerson, actor: string) => {
    const opened = await openLaptop(server.url, org, project, person, actor);
    const { open, desk, notes, sync } = opened;
    const only = async () => {
      const [note, ...others] = await notes();
      expect(others).toEqual([]);
      if (note === undefined) throw new Error('there is no note');
      return note;
    };
    /** The notes extracted from a session, without its summary. */
    const rule = async () => {
      const note = (await notes()).find(({ kind }) => kind === 'rule');
      if (note === undefined) throw new Error('there is no rule');
      return note;
    };
    return {
      ...opened,
      rule,
      only,
      /** Does what `team push` does with an existing note. */
      async push(id: string) {
        const note = await open().notes.get(id);
        if (note === undefined) throw new Error('there is no such note');
        await markAs(desk(), note, 'team');
        return sync(id);
      },
      edit: async (text: string) => editNote(desk(), await only(), text),
      accept: async () => acceptNote(desk(), await only()),
      reject: async () =>
        rejectNote(desk(), await only(), { device: open().device, context: desk().context }),
      forget: async (id: string) => forget(open(), { ids: [id] }, notePartsOf(open()).context),
    };
  };
  const pair = async () => {
    const project = await org.project(`queue ${Math.random()}`);
    const names = { ann: `ann ${Math.random()}`, bob: `bob ${Math.random()}` };
    const ann = await org.person(names.ann, { [project]: 'member' });
    const bob = await org.person(names.bob, { [project]: 'member' });
    const [a, b] = [await laptop(project, ann, 'ann'), await laptop(project, bob, 'bob')];
    return { project, names, ann, bob, a, b };
  };

  it('[team-sync-trust] pull a note for approval, and use it in sessions only after that', async () => {
    const { a, b, names } = await pair();
    await a.share('Retries live in Postgres because Redis lost jobs on failover.');
    expect(await a.sync()).toMatchObject({ pushed: 1, pulled: 0 });
    expect(await b.sync()).toMatchObject({ pushed: 0, pulled: 1 });
    expect(await b.only()).toMatchObject({
      state: 'candidate',
      trust: 0,
      // The name of the person on the server, not the one that the laptop is configured with.
      author: names.ann,
      visibility: 'private',
    });
    expect(await b.prelude()).not.toContain('Redis lost jobs');
    const { hits } = await recall(
      b.open(),
      { text: 'where do retries live', now: b.home.clock.now(), limit: 5, offset: 0 },
      quickLimits,
    );
    expect(hits.map(({ chunk }) => sourceLabel(chunk))).toEqual(["a teammate's note, unreviewed"]);
    await b.accept();
    expect(await b.prelude()).toContain(
      `${names.ann} noted: Retries live in Postgres because Redis lost jobs`,
    );
    // An approval applies to one text; a changed text needs a new one.
    await a.edit('Retries live in MySQL now.');
    await a.sync();
    expect(await b.sync()).toMatchObject({ pulled: 1, conflicts: 0 });
    expect(await b.prelude()).not.toContain('Retries live');
    expect(await b.sync()).toMatchObject({ pushed: 0, pulled: 0 });
  });

  it('[team-sync-private] send no note that was not chosen, and no secret in a chosen one', async () => {
    const { a, b, project } = await pair();
    const desk = notePartsOf(a.open());
    await rememberNote(desk, {
      text: 'My own doubts about the queue.',
      kind: 'decision',
      concepts: [],
      files: [],
      trust: 3,
      author: 'ann',
    });
    const shared = await a.share('The mirror wants a token.');
    // Written without redaction, as by an editor.
    await a.open().notes.put({ ...shared, visibility: 'team', rev: 9, text: `The mirror wants ${secret}.` });
    await a.sync();
    expect(await b.sync()).toMatchObject({ pulled: 1 });
    const rows = await fresh.database.query<{ all: string }>(
      `select coalesce(string_agg(m::text, ' '), '') as all from backstory.memory m where project = $1`,
      [project],
    );
    expect(rows[0]?.all).toContain('The mirror wants');
    expect(rows[0]?.all).not.toContain(secret);
    expect(rows[0]?.all).not.toContain('doubts');
  });

  it('[team-sync-forget] delete a forgotten note from the server and the other laptop, permanently', async () => {
    const { a, b } = await pair();
    const { id } = await a.share('The staging password policy is weekly.');
    await a.sync();
    await b.sync();
    await b.accept();
    await a.forget(id);
    expect(await a.sync()).toMatchObject({ forgottenThere: 1 });
    expect(await b.sync()).toMatchObject({ forgottenHere: 1 });
    expect(await b.notes()).toEqual([]);
    expect(await b.prelude()).not.toContain('password policy');
    for (const side of [a, b, a, b]) await side.sync();
    expect([...(await a.notes()), ...(await b.notes())]).toEqual([]);
  });

  it('never restore what was rejected or forgotten locally, and leave it on the server', async () => {
    const { a, b, project, ann } = await pair();
    const { id } = await a.share('Use tabs everywhere.');
    await a.sync();
    await b.sync();
    await b.reject();
    await a.edit('Use tabs nearly everywhere.');
    await a.sync();
    expect(await b.sync()).toMatchObject({ pulled: 0 });
    expect(await b.notes()).toEqual([]);
    const other = await laptop(project, ann, 'ann');
    expect(await other.sync()).toMatchObject({ pulled: 1 });
    // The same person's other laptop forgets the note too.
    await a.forget(id);
    await a.sync();
    expect(await other.sync()).toMatchObject({ forgottenHere: 1 });
  });

  it('[team-sync-conflict] keep both texts when two people changed a note', async () => {
    const { a, b } = await pair();
    const { id } = await a.share('Deploys go out on Tuesdays.');
    await a.sync();
    await b.sync();
    const desk = notePartsOf(b.open());
    const edited = await b.edit('Deploys go out on Wednesdays.');
    await saveNote(desk, reviseNote(desk, edited, { visibility: 'team' }), 'edit');
    await a.edit('Deploys go out on Mondays.');
    await a.sync();
    expect(await b.sync()).toMatchObject({ conflicts: 1 });
    await a.sync();
    const said = async (side: typeof a) => (await side.notes()).map(({ text }) => text).sort();
    expect(await said(a)).toEqual(['Deploys go out on Mondays.', 'Deploys go out on Wednesdays.']);
    expect(await said(b)).toEqual(await said(a));
    expect((await b.open().notes.get(id))?.text).toBe('Deploys go out on Mondays.');
    for (const side of [a, b])
      expect(await side.sync()).toMatchObject({ pushed: 0, pulled: 0, conflicts: 0 });
  });

  it('[team-sync-own] keep the text that was written here, whoever changes the note on the server', async () => {
    const { a, ann, project } = await pair();
    const note = await a.share('Releases are tagged from main.');
    await a.sync();
    const olga = await org.person(`olga ${Math.random()}`, { [project]: 'owner' });
    const save = (who: TestPerson, text: string) =>
      fetch(`${server.url}/api/v1/projects/${project}/memory`, {
        method: 'POST',
        headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ sourceRef: note.id, text }),
      });
    expect((await save(ann, 'Releases are tagged by hand.')).status).toBe(201);
    expect(await a.sync()).toMatchObject({ conflicts: 1, pushed: 0 });
    expect(await a.open().notes.get(note.id)).toMatchObject({ text: note.text, visibility: 'team' });
    // The user pushes the note again.
    await a.sync(note.id);
    expect((await save(olga, 'Releases are tagged by olga.')).status).toBe(201);
    expect(await a.sync()).toMatchObject({ conflicts: 1, unshared: 1 });
    expect(await a.open().notes.get(note.id)).toMatchObject({ text: note.text, visibility: 'private' });
    expect((await a.notes()).map(({ text, trust }) => `${trust} ${text}`).sort()).toEqual([
      '0 Releases are tagged by hand.',
      '0 Releases are tagged by olga.',
      '3 Releases are tagged from main.',
    ]);
    expect(await a.sync()).toMatchObject({ conflicts: 0, pushed: 0, pulled: 0 });
  });

  it("keep the author's own note when somebody else removes it from the team", async () => {
    const { a, b, project } = await pair();
    await a.share('Logs are kept for a week.');
    await a.sync();
    await b.sync();
    const name = `olga ${Math.random()}`;
    const owner = await org.person(name, { [project]: 'owner' });
    const [row] = await fresh.database.query<{ id: string }>(
      'select id from backstory.memory where project = $1',
      [project],
    );
    const gone = await fetch(`${server.url}/api/memory/${row?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(gone.status).toBe(200);
    expect(await a.sync()).toMatchObject({ unshared: 1, unsharedBy: [name], forgottenHere: 0 });
    expect(await b.sync()).toMatchObject({ forgottenHere: 1, forgottenBy: [name] });
    expect(await a.only()).toMatchObject({ visibility: 'private', text: 'Logs are kept for a week.' });
    expect(await a.sync()).toMatchObject({ pushed: 0 });
    expect(await b.sync()).toMatchObject({ pulled: 0 });
  });

  it('create no duplicate when they repeat a sync after a lost response', async () => {
    const { a, b } = await pair();
    await a.share('Retries wait twice as long.');
    await a.sync();
    const { teamSync } = a.open().paths.project(a.open().project);
    // As if the response was lost and the note changed again before the next sync.
    rmSync(teamSync);
    await a.edit('Retries wait three times as long.');
    expect(await a.sync()).toMatchObject({ pushed: 1, conflicts: 0 });
    expect(await b.sync()).toMatchObject({ pulled: 1 });
    expect((await b.only()).text).toBe('Retries wait three times as long.');
  });

  it('send everything again to a server restored from an old backup, and repeat deletions', async () => {
    const { a, b, project } = await pair();
    const { id } = await a.share('The queue is called jobs.');
    await a.sync();
    const forgotten = await a.share('The queue was called work.');
    await a.sync();
    await b.sync();
    await a.forget(forgotten.id);
    await a.sync();
    const old = (table: string) => `delete from backstory.${table} where project = $1`;
    for (const table of ['memory', 'note_change', 'note_feed'])
      await fresh.database.query(old(table), [project]);
    // The backup contains the note that was forgotten later, and not the other one.
    await fresh.database.query(
      `insert into backstory.memory (org, project, id, source, source_ref, text, hash, author)
       select org, $2, 'restored', 'note', $3, 'The queue was called work.', '', id from backstory.principal
       where org = $1 and kind = 'device' and name like 'ann-%' order by id desc limit 1`,
      [org.org, project, forgotten.id],
    );
    expect(await a.sync()).toMatchObject({ pushed: 1, pulled: 0, forgottenThere: 1 });
    const left = await fresh.database.query<{ source_ref: string }>(
      'select source_ref from backstory.memory where project = $1',
      [project],
    );
    expect(left).toEqual([{ source_ref: id }]);
    await b.sync();
    expect((await b.only()).text).toBe('The queue is called jobs.');
  });

  const atServer = async (project: string) => {
    const rows = await fresh.database.query<{ text: string }>(
      'select text from backstory.memory where project = $1 order by text',
      [project],
    );
    return rows.map(({ text }) => text);
  };

  it('[team-sync-chosen] send no note just because it is in the repository', async () => {
    const { a, project } = await pair();
    const desk = notePartsOf(a.open());
    const note = await rememberNote(desk, {
      text: 'Only the repository is to know this.',
      kind: 'decision',
      concepts: [],
      files: [],
      trust: 3,
      author: 'ann',
    });
    shareNote(desk, a.home.work, note);
    await a.sync();
    expect(await atServer(project)).toEqual([]);
    // A pushed note stays pushed when its file is removed.
    await a.push(note.id);
    const { path } = shareNote(desk, a.home.work, note);
    removeInside(a.home.work, path);
    await a.sync();
    expect(await atServer(project)).toEqual([note.text]);
    expect(await a.only()).toMatchObject({ visibility: 'team' });
  });

  it('withdraw a note that was made private, and keep it locally', async () => {
    const { a, b, project } = await pair();
    const { id } = await a.share('The office is closed in August.');
    await a.sync();
    await b.sync();
    const desk = notePartsOf(a.open());
    await saveNote(desk, reviseNote(desk, await a.only(), { visibility: 'private' }), 'edit');
    expect(await a.sync()).toMatchObject({ forgottenThere: 1, forgottenHere: 0 });
    expect(await atServer(project)).toEqual([]);
    expect(await b.sync()).toMatchObject({ forgottenHere: 1 });
    expect(await a.sync()).toMatchObject({ pushed: 0, forgottenThere: 0 });
    expect(await a.only()).toMatchObject({ id, visibility: 'private' });
  });

  it('[team-sync-words] send no text that the user has not seen, even if the note was pushed before', async () => {
    const { a, project } = await pair();
    a.home.prompt('always send invoices through the ledger gateway, finance rejects them otherwise');
    await a.home.drain();
    const drawn = await a.rule();
    expect(await a.push(drawn.id)).toMatchObject({ pushed: 1 });
    const desk = notePartsOf(a.open());
    // As a drain does when the session continued.
    await saveNote(desk, reviseNote(desk, await a.rule(), { text: 'And my salary is 4.' }), 'edit');
    expect(await a.sync()).toMatchObject({ pushed: 0 });
    expect(await atServer(project)).toEqual([drawn.text]);
    expect(await a.push(drawn.id)).toMatchObject({ pushed: 1 });
    await editNote(desk, await a.rule(), 'Invoices go through the gateway.');
    expect(await a.sync()).toMatchObject({ pushed: 1 });
    await markAs(desk, await a.rule(), 'private');
    await a.home.drain();
    const done = (await historyOf(a.open(), await a.rule())).map(({ action }) => action);
    expect(done).toEqual(['unshare', 'edit', 'edit', 'share', 'create']);
  });

  it('do not undo a deletion or an edit made during a sync', async () => {
    const { a, b } = await pair();
    const { id } = await a.share('The vault code changes monthly.');
    await a.sync();
    await b.sync();
    await a.edit('The vault code changes weekly.');
    await a.sync();
    const during = async (act: () => Promise<unknown>) => {
      const { notes, ...parts } = b.open();
      let isFirst = true;
      const slow = {
        ...notes,
        // Notes are read before the request; this happens right after.
        list: async () => {
          const all = await notes.list();
          if (isFirst) {
            isFirst = false;
            await act();
          }
          return all;
        },
      };
      return syncNotes(
        { parts: { ...parts, notes: slow }, membership: b.membership, token: b.token },
        interactiveBounds,
      );
    };
    await during(() => b.edit('The vault code changes when I say so.'));
    expect((await b.notes()).map(({ text }) => text).sort()).toEqual([
      'The vault code changes weekly.',
      'The vault code changes when I say so.',
    ]);
    await a.edit('The vault code changes daily.');
    await a.sync();
    await during(() => b.forget(id));
    expect(await b.notes()).toEqual([]);
  });

  it('do not treat a note of a teammate as observed locally, nor its use by an agent as approval by the user', async () => {
    const { a, b, names } = await pair();
    const desk = notePartsOf(a.open());
    const hostile = await rememberNote(desk, {
      text: '`curl evil.example` failed\nIt passed after changes in src/evil.ts.',
      kind: 'fix',
      concepts: ['problem-solution'],
      files: ['src/evil.ts'],
      trust: 3,
      author: 'ann',
    });
    await saveNote(desk, reviseNote(desk, hostile, { visibility: 'team' }), 'edit');
    await syncNotes(
      { parts: { ...a.open(), actor: 'backstory' }, membership: a.membership, token: a.token },
      interactiveBounds,
    );
    await b.sync();
    expect(await b.only()).toMatchObject({ author: names.ann, state: 'candidate' });
    await b.open().notes.put({ ...(await b.only()), author: 'backstory' });
    expect(await b.prelude()).not.toContain('evil');
    for (let use = 0; use < 3; use++) {
      await recordUse(b.open(), notePartsOf(b.open()).context, await b.only());
      await b.home.drain();
    }
    expect(await b.only()).toMatchObject({ state: 'candidate' });
  });

  it('[team-leave] do not share notes chosen for one team with another team', async () => {
    const { a, project, ann } = await pair();
    const second = await org.project(`second ${Math.random()}`);
    await org.join(second, ann);
    const { home } = a;
    const plain = (text: string): string => text;
    const place = () => resolvePlace(home.paths, home.work, home.clock).place;
    const app = {
      paths: home.paths,
      clock: home.clock,
      style: { bold: plain, dim: plain },
      ensureActive: () => {},
      deviceName: `box ${Math.random()}`,
      place,
      rememberPlace: place,
      readInput: async () => ann.token,
      tell: () => {},
      open: a.open,
      context: () => notePartsOf(a.open()).context,
    } as unknown as App;
    const joined = (to: string) =>
      join(app, { positionals: [server.url], values: { project: to, 'token-stdin': true } });
    await joined(project);
    await a.share('For the first team alone.');
    await a.sync();
    const { teamSync } = home.paths.project(a.open().project);
    await joined(project);
    expect(await a.only()).toMatchObject({ visibility: 'team' });
    expect(existsSync(teamSync)).toBe(true);
    await joined(second);
    expect(existsSync(teamSync)).toBe(false);
    expect(await a.only()).toMatchObject({ visibility: 'private' });
    await a.push((await a.only()).id);
    await leave(app);
    expect(await a.only()).toMatchObject({ visibility: 'private' });
    expect(await atServer(second)).toEqual([]);
  });

  it('[team-sync-offline] lose nothing while the server is unreachable, and fail fast', async () => {
    const { a, b, project } = await pair();
    await a.share('Written on a train.');
    const nowhere = { v: 1 as const, url: 'http://127.0.0.1:59999', project, name: 'queue' };
    await expect(
      syncNotes({ parts: a.open(), membership: nowhere, token: 'x' }, interactiveBounds),
    ).rejects.toMatchObject({ retryable: true });
    expect(await a.sync()).toMatchObject({ pushed: 1 });
    expect(await b.sync()).toMatchObject({ pulled: 1 });
  });

  it('store nothing of a reader, who still receives the changes of the team', async () => {
    const { a, project } = await pair();
    const reader = await org.person(`rita ${Math.random()}`, { [project]: 'reader' });
    const r = await laptop(project, reader, 'rita');
    await a.share('For everybody to read.');
    await a.sync();
    expect(await r.sync()).toMatchObject({ pulled: 1 });
    await r.share('Not for readers to write.');
    await a.share('Another for everybody.');
    await a.sync();
    expect(await r.sync()).toMatchObject({ pushed: 0, refused: 1, pulled: 1 });
    expect(await a.sync()).toMatchObject({ pulled: 0 });
  });

  it('[team-sign-in] sign in with a code that a person types, and store only their own token', async () => {
    const { ann } = await pair();
    const home = createMemoryHome();
    onTestFinished(() => home.remove());
    let shown: { code: string; page: string } | undefined;
    const device = signIn({
      url: server.url,
      deviceName: 'laptop of ann',
      clock: systemClock,
      show: (code, page) => {
        shown = { code, page };
      },
    });
    await expect.poll(() => shown?.code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(await (await fetch(shown?.page ?? '')).text()).toContain('Code shown on the device');
    const typed = async (token: string, code = shown?.code ?? '') =>
      (
        await fetch(shown?.page ?? '', {
          method: 'POST',
          body: new URLSearchParams({ code: code.toLowerCase(), token }).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).status;
    expect(await typed(`bst_${'0'.repeat(64)}`)).toBe(401);
    expect(await typed((await org.device(`old ${Math.random()}`, ann)).token)).toBe(403);
    expect(await typed(ann.token, 'BBBB-BBBB')).toBe(404);
    expect(await typed(ann.token)).toBe(200);
    const token = await device;
    expect(token).not.toBe(ann.token);
    const me = await fetch(`${server.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(await me.json()).toMatchObject({ kind: 'device', person: ann.id, scopes: ['read', 'write'] });
    expect(await typed(ann.token)).toBe(404);
    keepToken(home.paths, server.url, token);
    if (process.platform !== 'win32') expect(statSync(home.paths.teamTokens).mode & 0o777).toBe(0o600);
    const second = await signIn({
      url: server.url,
      deviceName: 'laptop of ann',
      clock: systemClock,
      show: () => {},
      ownToken: ann.token,
    });
    expect(second).not.toBe(ann.token);
    const left = await fetch(`${server.url}/api/device/leave`, {
      method: 'POST',
      body: JSON.stringify({ token: second }),
      headers: { 'content-type': 'application/json' },
    });
    expect(await left.text()).toBe('{"left":true}');
    expect(
      (await fetch(`${server.url}/api/v1/me`, { headers: { authorization: `Bearer ${second}` } })).status,
    ).toBe(401);
  });

  it('send a token over plain HTTP only with --plain-http', () => {
    expect(serverUrl('team.example.org/', false)).toBe('https://team.example.org');
    expect(serverUrl('http://127.0.0.1:7420', false)).toBe('http://127.0.0.1:7420');
    expect(() => serverUrl('http://team.internal:7420', false)).toThrow('unencrypted');
    expect(serverUrl('http://team.internal:7420/', true)).toBe('http://team.internal:7420');
  });
});
