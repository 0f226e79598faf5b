import { rmSync, statSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createLimits } from '../../src/http/team/limits.ts';
import { createMetrics } from '../../src/http/team/metrics.ts';
import { type RunningTeamServer, startTeamServer } from '../../src/http/team/server.ts';
import { notePartsOf } from '../../src/memory/distil-sessions.ts';
import { forget } from '../../src/memory/forget.ts';
import { composePrelude } from '../../src/memory/prelude.ts';
import { createRedactor } from '../../src/memory/redact.ts';
import { editNote, rememberNote, reviseNote, saveNote } from '../../src/memory/remember.ts';
import { acceptNote, rejectNote } from '../../src/memory/review.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { recall } from '../../src/recall/recall.ts';
import { sourceLabel } from '../../src/recall/render.ts';
import { quickLimits } from '../../src/recall/with-index.ts';
import { keepToken, serverUrl } from '../../src/remote/membership.ts';
import { signIn } from '../../src/remote/sign-in.ts';
import { patientBounds, syncNotes } from '../../src/remote/sync.ts';
import type { TeamStore } from '../../src/store/team-store.ts';
import { createBroadcast } from '../../src/team/broadcast.ts';
import { createMemoryHome, type MemoryHome } from '../support/memory-home.ts';
import { describePostgres } from './postgres-server.ts';
import { aTeam, openTeamStore, type TestPerson } from './team-server.ts';

const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

describePostgres('Laptops and a team server', (fresh) => {
  let store: TeamStore;
  let server: RunningTeamServer;
  let org: Awaited<ReturnType<typeof aTeam>>;
  const closing: (() => unknown)[] = [];
  const homes: MemoryHome[] = [];

  beforeAll(async () => {
    const opened = openTeamStore(fresh.url);
    store = opened.store;
    closing.push(() => opened.database.close());
    org = await aTeam(fresh.database, 'ours');
    const model = await loadStaticModel('assets/static-en.bin');
    server = await startTeamServer({
      parts: {
        version: '0',
        clock: systemClock,
        store,
        embedder: async () => model,
        redactor: createRedactor({ values: [] }),
        broadcast: createBroadcast(store.outbox, () => {}),
      },
      limits: createLimits({ perSecond: 10_000, burst: 10_000, atOnce: 4, waiting: 100 }, systemClock),
      metrics: createMetrics(),
      onFailure: (error) => {
        throw error;
      },
      host: '127.0.0.1',
      port: 0,
    });
    closing.push(server.close);
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });
  afterEach(() => {
    for (const home of homes.splice(0)) home.remove();
  });

  const laptop = async (project: string, person: TestPerson, actor: string) => {
    const home = createMemoryHome();
    homes.push(home);
    home.clock.set(Date.now());
    const device = await org.device(`${actor}-${homes.length}-${Math.random()}`, person);
    const open = () => ({ ...home.open(), actor });
    const membership = { v: 1 as const, url: server.url, project, name: 'queue' };
    const notes = () => open().notes.list();
    const only = async () => {
      const [note, ...others] = await notes();
      expect(others).toEqual([]);
      if (note === undefined) throw new Error('there is no note');
      return note;
    };
    return {
      home,
      open,
      notes,
      only,
      sync: () => syncNotes({ parts: open(), membership, token: device.token }, patientBounds),
      prelude: async () => {
        await home.drain();
        const reading = open().access.forReading();
        if (reading === undefined) throw new Error('there is no index');
        try {
          const composed = await composePrelude(reading.index, open().notes, { code: undefined, now: 0 });
          return composed.map(({ text }) => text).join('\n');
        } finally {
          await reading.close();
        }
      },
      async share(text: string) {
        const desk = notePartsOf(open());
        const note = await rememberNote(desk, {
          text,
          kind: 'decision',
          concepts: [],
          files: [],
          trust: 3,
          author: actor,
        });
        await saveNote(desk, reviseNote(desk, note, { visibility: 'team' }), 'edit');
        return note;
      },
      edit: async (text: string) => editNote(notePartsOf(open()), await only(), text),
      accept: async () => acceptNote(notePartsOf(open()), await only()),
      reject: async () => {
        const desk = notePartsOf(open());
        await rejectNote(desk, await only(), { device: open().device, context: desk.context });
      },
      forget: async (id: string) => forget(open(), { ids: [id] }, notePartsOf(open()).context),
    };
  };
  const pair = async () => {
    const project = await org.project(`queue ${Math.random()}`);
    const ann = await org.person(`ann ${Math.random()}`, { [project]: 'member' });
    const bob = await org.person(`bob ${Math.random()}`, { [project]: 'member' });
    return { project, ann, bob, a: await laptop(project, ann, 'ann'), b: await laptop(project, bob, 'bob') };
  };

  it('[team-sync-trust] brings a note down as one to be approved, and tells it to sessions only then', async () => {
    const { a, b } = await pair();
    await a.share('Retries live in Postgres because Redis lost jobs on failover.');
    expect(await a.sync()).toMatchObject({ pushed: 1, pulled: 0 });
    expect(await b.sync()).toMatchObject({ pushed: 0, pulled: 1 });
    expect(await b.only()).toMatchObject({
      state: 'candidate',
      trust: 0,
      author: 'ann',
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
    expect(await b.prelude()).toContain('ann noted: Retries live in Postgres because Redis lost jobs');
    // An approval is of a text; another one waits again.
    await a.edit('Retries live in MySQL now.');
    await a.sync();
    expect(await b.sync()).toMatchObject({ pulled: 1, conflicts: 0 });
    expect(await b.prelude()).not.toContain('Retries live');
    expect(await b.sync()).toMatchObject({ pushed: 0, pulled: 0 });
  });

  it('[team-sync-private] sends no note that was not chosen, and no secret in one that was', async () => {
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
    // Written past every redaction, as by an editor.
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

  it('[team-sync-forget] takes a forgotten note from the server and from the other laptop, and it stays gone', async () => {
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

  it('never brings back what was rejected or forgotten here, and leaves it to the team', async () => {
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
    // The same person's other machine follows what they forget.
    await a.forget(id);
    await a.sync();
    expect(await other.sync()).toMatchObject({ forgottenHere: 1 });
  });

  it('[team-sync-conflict] keeps both texts when two people changed a note, and loses neither', async () => {
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

  it('keeps an author their own note when somebody else takes it out of the team', async () => {
    const { a, b, project } = await pair();
    await a.share('Logs are kept for a week.');
    await a.sync();
    await b.sync();
    const owner = await org.person(`olga ${Math.random()}`, { [project]: 'owner' });
    const [row] = await fresh.database.query<{ id: string }>(
      'select id from backstory.memory where project = $1',
      [project],
    );
    const gone = await fetch(`${server.url}/api/memory/${row?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(gone.status).toBe(200);
    expect(await a.sync()).toMatchObject({ unshared: 1, forgottenHere: 0 });
    expect(await b.sync()).toMatchObject({ forgottenHere: 1 });
    expect(await a.only()).toMatchObject({ visibility: 'private', text: 'Logs are kept for a week.' });
    expect(await a.sync()).toMatchObject({ pushed: 0 });
    expect(await b.sync()).toMatchObject({ pulled: 0 });
  });

  it('says the same thing again after a lost answer without making two of it', async () => {
    const { a, b } = await pair();
    await a.share('Retries wait twice as long.');
    await a.sync();
    const { teamSync } = a.open().paths.project(a.open().project);
    // As if the answer had been lost and the note changed again before the next try.
    rmSync(teamSync);
    await a.edit('Retries wait three times as long.');
    expect(await a.sync()).toMatchObject({ pushed: 1, conflicts: 0 });
    expect(await b.sync()).toMatchObject({ pulled: 1 });
    expect((await b.only()).text).toBe('Retries wait three times as long.');
  });

  it('tells a server everything once more whose old backup was put back, and has it forget again', async () => {
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
    // The backup knew the one that was forgotten later, and not the other.
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

  it('[team-sync-offline] loses nothing while the server is away, and fails at once', async () => {
    const { a, b, project } = await pair();
    await a.share('Written on a train.');
    const nowhere = { v: 1 as const, url: 'http://127.0.0.1:59999', project, name: 'queue' };
    await expect(
      syncNotes({ parts: a.open(), membership: nowhere, token: 'x' }, patientBounds),
    ).rejects.toMatchObject({ retryable: true });
    expect(await a.sync()).toMatchObject({ pushed: 1 });
    expect(await b.sync()).toMatchObject({ pulled: 1 });
  });

  it('sends nothing with a token that only reads, and says so', async () => {
    const { a, project } = await pair();
    const reader = await org.person(`rita ${Math.random()}`, { [project]: 'reader' });
    const r = await laptop(project, reader, 'rita');
    await a.share('For everybody to read.');
    await a.sync();
    expect(await r.sync()).toMatchObject({ pulled: 1 });
    await r.share('Not for readers to write.');
    await expect(r.sync()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('[team-sign-in] lets a device in by a code that a person types, and keeps no more than its own token', async () => {
    const { ann } = await pair();
    const home = createMemoryHome();
    homes.push(home);
    let shown: { code: string; page: string } | undefined;
    const device = signIn({
      url: server.url,
      deviceName: 'laptop of ann',
      clock: systemClock,
      show: (code, page) => {
        shown = { code, page };
      },
    });
    await expect.poll(() => shown?.code, { timeout: 10_000 }).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(await (await fetch(shown?.page ?? '')).text()).toContain('The code that the device shows');
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
    const me = await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
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
      (await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${second}` } })).status,
    ).toBe(401);
  });

  it('sends a token over an open line only when told to', () => {
    expect(serverUrl('team.example.org/', false)).toBe('https://team.example.org');
    expect(serverUrl('http://127.0.0.1:7420', false)).toBe('http://127.0.0.1:7420');
    expect(() => serverUrl('http://team.internal:7420', false)).toThrow('anybody on the way');
    expect(serverUrl('http://team.internal:7420/', true)).toBe('http://team.internal:7420');
  });
});
