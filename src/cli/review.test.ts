import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { promptEvent } from '../../test/support/sample-event.ts';
import type { Note } from '../domain/note.ts';
import { distilAuthor } from '../memory/notes/distil-mark.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote, saveNote } from '../memory/notes/remember.ts';
import { acceptNote } from '../memory/notes/review.ts';
import { readPrelude } from '../memory/prelude/prelude-file.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import type { App } from './command.ts';
import { reviewCommand } from './review.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const plain = (text: string): string => text;

/** Runs the command on real memory. `keys` are the keys that a person would press. */
function app(keys?: string): App {
  const pressed = [...(keys ?? '')];
  return {
    ...memory,
    caller: () => ({ kind: 'person' }),
    isInteractive: keys !== undefined,
    key: async () => pressed.shift() ?? 'q',
    edit: async () => {},
    style: { bold: plain, dim: plain, good: plain, bad: plain, mark: plain },
    place: () => resolvePlace(memory.paths, memory.work, memory.clock).place,
    open: () => memory.open(),
    context: () => notePartsOf(memory.open()).context,
  } as unknown as App;
}

const propose = (text: string) =>
  rememberNote(notePartsOf(memory.open()), {
    text,
    kind: 'decision',
    concepts: [],
    files: [],
    trust: 1,
    author: 'claude-code',
  });
const states = async () =>
  Object.fromEntries(
    (await memory.open().notes.list()).map(({ text, state, trust }) => [text, `${state} ${trust}`]),
  );
const review = (keys: string | undefined, values: object = {}, positionals: string[] = []) =>
  reviewCommand.run(app(keys), { positionals, values: { ...values } });

describe('review', () => {
  it('[prompt-typed] leads to the command that asks whose a prompt is', async () => {
    const { log, project } = memory.open();
    log.append([promptEvent('Use tabs.', { project, trust: 1, origin: 'unconfirmed' })]);
    await memory.drain();
    const waiting = '1 prompt is not confirmed as yours. To answer, in a terminal: backstory import';
    expect(await review(undefined)).toMatchObject({
      text: expect.stringContaining(waiting),
      value: { unconfirmed: 1 },
    });
  });

  it('[note-review] decides with one key per note, and keeps the decisions when the user quits', async () => {
    for (const text of ['one', 'two', 'three', 'four']) await propose(text);
    expect(await review('ynsq')).toMatchObject({ value: { accepted: 1, edited: 0, rejected: 1 } });
    expect(Object.values(await states()).sort()).toEqual(['active 2', 'candidate 1', 'candidate 1']);
  });

  it('[learn-agent] shows what one run learned on one screen, and accepts it with one key', async () => {
    const other = await propose('other');
    const parts = notePartsOf(memory.open());
    for (const text of ['one', 'two', 'three'])
      await saveNote(
        parts,
        { ...(await propose(text)), learnedIn: 'aaaa0000', quote: `I said ${text}` },
        'edit',
      );
    expect((await review(undefined)).text).toMatch(
      /^Learned from past sessions, run aaaa0000: 3 statements\n(?:\w{8} .+\n){3}\n\w{8} .+ other/,
    );
    const screens: string[] = [];
    const keys = ['a', 's'];
    const shown: App = {
      ...app(''),
      key: async (question) => {
        screens.push(question);
        return keys.shift() ?? 'q';
      },
    };
    const done = await reviewCommand.run(shown, { positionals: [], values: {} });
    expect(done).toMatchObject({ value: { accepted: 3, edited: 0, rejected: 0 } });
    expect(screens).toHaveLength(2);
    for (const text of ['one', 'two', 'three']) expect(screens[0]).toContain(`you said: I said ${text}`);
    expect(screens[0]).toContain('[a]ccept all, [o]ne by one');
    expect(await states()).toEqual({
      one: 'active 2',
      two: 'active 2',
      three: 'active 2',
      other: 'candidate 1',
    });
    expect(screens[1]).toContain(other.text);
  });

  describe('before a learned sentence is accepted', () => {
    const list = '## Never do\n\n- push to main without review\n- skip the tests';
    const filling = 'The deploy script is in ops and takes a minute. '.repeat(20);
    /** A sentence that was learned from a long prompt, and the screen that asks about it. */
    const screenFor = async (text: string, more: Partial<Note>) => {
      memory.prompt(`${filling}\n\n${filling}\n\n${list}\n\n# Then\n\n${filling}`);
      await memory.drain();
      const [event] = memory.events().filter(({ kind }) => kind === 'prompt');
      const made = { ...(await propose(text)), derivedFrom: [event?.id ?? ''], ...more };
      await saveNote(notePartsOf(memory.open()), made, 'edit');
      const screens: string[] = [];
      const key = async (question: string) => {
        screens.push(question);
        return 'q';
      };
      await reviewCommand.run({ ...app(''), key }, { positionals: [], values: {} });
      return { screen: screens[0] ?? '', id: event?.id.slice(0, 8) };
    };

    it('the heading and the list around it are shown, with the day and the id of the prompt', async () => {
      const { screen, id } = await screenFor('push to main without review', {});
      expect(screen).toContain(`from the prompt, claude-code, 2026-11-14 [${id}]:`);
      expect(screen).toContain('| ## Never do\n    | \n    | - push to main without review');
      expect(screen).not.toContain('deploy script');
    });

    it('they are shown also where one key accepts all that a run learned', async () => {
      const { screen } = await screenFor('Push straight to main.', {
        learnedIn: 'aaaa0000',
        quote: 'push to main without review',
      });
      expect(screen).toContain('[a]ccept all');
      expect(screen).toContain('| ## Never do');
    });
  });

  it('decides nothing when the editor is closed without a change', async () => {
    await propose('one');
    expect(await review('e')).toMatchObject({ value: { accepted: 0, edited: 0, rejected: 0 } });
    expect(await states()).toEqual({ one: 'candidate 1' });
  });

  it('decides nothing about a note that was changed or deleted in the meantime', async () => {
    const { id } = await propose('one');
    const { notes } = memory.open();
    const slow = { ...app('y'), key: async () => ((await notes.remove(id)) ? 'y' : 'q') };
    await reviewCommand.run(slow, { positionals: [], values: {} });
    expect(await states()).toEqual({});
  });

  it('skips an id whose note changed since it was listed, and says so', async () => {
    const { id } = await propose('one');
    const own = memory.open();
    const list = own.notes.list.bind(own.notes);
    const late = {
      ...own.notes,
      list: async () => {
        const found = await list();
        await own.notes.put({ ...(found[0] as (typeof found)[number]), text: 'another text', rev: 2 });
        return found;
      },
    };
    const slow = { ...app(), open: () => ({ ...own, notes: late }) } as unknown as App;
    const done = await reviewCommand.run(slow, { positionals: [], values: { accept: [id] } });
    expect(done).toMatchObject({ value: { accepted: 0, changed: 1 }, exitCode: 1 });
    expect(await states()).toEqual({ 'another text': 'candidate 1' });
  });

  describe('a statement that a later one may have changed', () => {
    const [first, second] = ['Uploads end at 10 MB.', 'Uploads end at 25 MB.'];
    const pair = async (): Promise<[Note, Note]> => {
      const earlier = await acceptNote(notePartsOf(memory.open()), await propose(first));
      return [earlier, await acceptNote(notePartsOf(memory.open()), await propose(second))];
    };

    it('is shown with the later one and the date of that', async () => {
      const [, later] = await pair();
      const shown: string[] = [];
      const asking = {
        ...app(''),
        key: async (question: string) => {
          shown.push(question);
          return 'q';
        },
      };
      await reviewCommand.run(asking, { positionals: [], values: {} });
      expect(shown).toHaveLength(1);
      expect(shown[0]).toContain(`\n${first}\n`);
      expect(shown[0]).toContain(`may have changed, 2026-11-14 ${later.id.slice(-8)}: ${second}`);
      expect(shown[0]).toContain('[y] it still holds, [o] the later one replaces it');
    });

    it('[note-review] stays beside the later one if it still holds, and is not asked about again', async () => {
      await pair();
      const { text } = await review('y');
      expect(text).toBe('Accepted 1, edited 0, rejected 0.');
      expect(await states()).toEqual({ [first]: 'active 2', [second]: 'active 2' });
      expect((await review(undefined)).text).toBe('No notes to review.');
    });

    it('[note-review] is closed by the later one if that replaces it, and is not asked about again', async () => {
      const [earlier, later] = await pair();
      const { text } = await review('o');
      expect(text).toBe('Accepted 1, edited 0, rejected 0.');
      expect(await states()).toEqual({ [first]: 'superseded 2', [second]: 'active 2' });
      expect(await memory.open().notes.get(earlier.id)).toMatchObject({ closedBy: [later.id] });
      expect((await review(undefined)).text).toBe('No notes to review.');
    });

    it('stays as it is if the user skips it', async () => {
      const [earlier, later] = await pair();
      await review('s');
      expect(await memory.open().notes.list()).toEqual([earlier, later]);
      expect(await review(undefined)).toMatchObject({ value: { changes: [[earlier, later]] } });
    });

    it('is settled by id: the later one replaces it, the earlier one stays beside it, or both are named', async () => {
      const [, later] = await pair();
      expect(await review(undefined, { accept: [later.id] })).toMatchObject({ value: { accepted: 1 } });
      expect(await states()).toEqual({ [first]: 'superseded 2', [second]: 'active 2' });
      memory.remove();
      memory = createMemoryHome();
      const [earlier] = await pair();
      expect(await review(undefined, { accept: [earlier.id] })).toMatchObject({ value: { accepted: 1 } });
      expect(await states()).toEqual({ [first]: 'active 2', [second]: 'active 2' });
      memory.remove();
      memory = createMemoryHome();
      const both = (await pair()).map(({ id }) => id);
      expect(await review(undefined, { accept: both })).toMatchObject({ value: { accepted: 2 } });
      expect(await states()).toEqual({ [first]: 'active 2', [second]: 'active 2' });
    });

    it('is the one that holds if the later one is rejected', async () => {
      const [earlier, later] = await pair();
      const done = await review(undefined, { accept: [earlier.id], reject: [later.id] });
      expect(done).toMatchObject({ value: { accepted: 1, rejected: 1 } });
      expect(await states()).toEqual({ [first]: 'active 2' });
    });

    it('is not one of which only the words are alike', async () => {
      for (const text of [
        'always wrap errors of the storage package',
        'never wrap errors of the storage package',
      ])
        await acceptNote(notePartsOf(memory.open()), await propose(text));
      expect((await review(undefined)).text).toBe('No notes to review.');
    });
  });

  it('accepts the id of a finding', async () => {
    const found = aNote({
      kind: 'fix',
      state: 'candidate',
      trust: 1,
      author: distilAuthor,
      text: 'The queue has one worker.',
    });
    await memory.open().notes.put(found);
    await review(undefined, { accept: [found.id.slice(-8)] });
    expect(await states()).toEqual({ 'The queue has one worker.': 'active 2' });
  });

  it('accepts the id of a note that is told, but that nobody confirmed', async () => {
    const told = aNote({ trust: 1, author: 'codex', text: 'The queue has one worker.' });
    await memory.open().notes.put(told);
    await review(undefined, { accept: [told.id.slice(-8)] });
    expect(await states()).toEqual({ 'The queue has one worker.': 'active 2' });
  });

  it('[note-review] rejects an active note by its id, and removes it from the prelude', async () => {
    const note = await acceptNote(notePartsOf(memory.open()), await propose('Deploys need two approvals.'));
    await memory.drain();
    const { paths, project } = memory.open();
    const prelude = () => JSON.stringify(readPrelude(paths, project)?.lines);
    expect(prelude()).toContain('two approvals');
    expect(await review(undefined, { reject: [note.id.slice(-8)] })).toMatchObject({
      value: { rejected: 1 },
    });
    expect(await states()).toEqual({});
    expect(prelude()).not.toContain('two approvals');
    await expect(review(undefined, { accept: [note.id] })).rejects.toThrow('no note to review');
  });

  it('lists the notes if there is no terminal, and takes ids instead', async () => {
    const [one, two] = [await propose('the first proposal'), await propose('the second proposal')];
    const { text } = await review(undefined);
    expect(text).toContain('the first proposal');
    expect(text).toContain(two.id.slice(-8));
    await review(undefined, { accept: [one.id.slice(-8)], reject: [two.id] });
    expect(await states()).toEqual({ 'the first proposal': 'active 2' });
    expect((await review(undefined)).text).toBe('No notes to review.');
    await expect(review(undefined, { accept: ['00000000'] })).rejects.toThrow('no note to review');
  });

  it('takes several ids after one option, and asks what is meant if there are two options or none', async () => {
    const [one, two] = [await propose('the first proposal'), await propose('the second proposal')];
    for (const values of [{}, { accept: [one.id], reject: [two.id] }])
      await expect(review(undefined, values, [two.id])).rejects.toThrow('it is not clear whether to accept');
    expect(await review(undefined, { accept: [one.id] }, [two.id])).toMatchObject({ value: { accepted: 2 } });
    expect(await review(undefined, { reject: [one.id] }, [two.id])).toMatchObject({ value: { rejected: 2 } });
    expect(await states()).toEqual({});
  });
});
