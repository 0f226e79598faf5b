import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleEvent } from '../../../test/support/sample-event.ts';
import { lineHash } from '../../base/hash.ts';
import type { EventRow } from '../../store/store.ts';
import { type CommandEvent, commandHunks, commandOf, editOf, recordCommandEdits } from './command-edits.ts';
import { type ChangedFile, type EndedCommand, withoutAdded } from './compare-files.ts';
import type { IngestParts } from './event-writer.ts';

const second = 1_000;
const hunk = (added: string[], removed: string[] = []) => ({
  oldStart: 1,
  newStart: 1,
  added: added.map(lineHash),
  removed: removed.map(lineHash),
});
/** A file that was written at 100 s, between comparisons at 50 s and 120 s. */
const change = (hunks = [hunk(['one();'])]): ChangedFile => ({
  path: 'src/a.ts',
  at: 100 * second,
  since: 50 * second,
  seen: 120 * second,
  created: false,
  hunks,
});

describe('the command that wrote a file', () => {
  interface Known {
    session?: string;
    state?: EventRow['state'];
    command?: string;
    kind?: 'command' | 'answer';
  }
  /** The id of the command, of those that ran in these seconds; `prompts` are the seconds of the session's prompts. */
  async function writer(
    ran: [id: string, from: number | undefined, until: number, known?: Known | null][],
    prompts: number[] = [],
  ): Promise<string> {
    const commands = ran.map(
      ([id, from, until]): EndedCommand => ({
        id,
        until: until * second,
        ...(from === undefined ? {} : { from: from * second }),
      }),
    );
    const known = new Map(ran.map(([id, , , one = {}]) => [id, one]));
    const events = [...known].map(([id, one]) =>
      sampleEvent(
        one?.kind === 'answer'
          ? { id, kind: 'answer', body: { text: '' } }
          : { id, kind: 'command', body: { command: one?.command ?? 'make', ok: true } },
      ),
    );
    const rows = new Map(
      [...known].flatMap(([id, one], offset) =>
        one === null
          ? []
          : [[id, { id, file: 'f', offset, agentSession: one.session ?? 's1', state: one.state ?? 'live' }]],
      ),
    );
    const parts = {
      index: {
        events: async (ids: string[]) => new Map([...rows].filter(([id]) => ids.includes(id as string))),
        eventsOfSession: async () => [
          { kind: 'command', at: 80 * second },
          ...prompts.map((at) => ({ kind: 'prompt', at: at * second })),
        ],
      },
      log: {
        end: () => ({}),
        read: ({ f }: { f: number }) => events.slice(f).map((event) => ({ entry: { kind: 'event', event } })),
      },
    } as unknown as Pick<IngestParts, 'index' | 'log'>;
    const found = await commandOf(change(), commands, parts);
    return typeof found === 'string' ? found : found.id;
  }

  it('ran when the file was written, and began last', async () => {
    expect(await writer([['a', 90, 110]])).toBe('a');
    expect(await writer([['a', 100, 100]])).toBe('a');
    expect(await writer([['a', 101, 110]])).toBe('unknown');
    expect(await writer([['a', 90, 99]])).toBe('unknown');
    expect(await writer([])).toBe('unknown');
    for (const order of [0, 1]) {
      const both: Parameters<typeof writer>[0] = [
        ['a', 90, 110],
        ['b', 95, 105],
      ];
      expect(await writer(order === 0 ? both : both.reverse())).toBe('b');
    }
  });

  it('may have begun at the comparison before, if its start is not known', async () => {
    expect(await writer([['a', undefined, 70]])).toBe('unknown');
    expect(await writer([['a', undefined, 110, { command: 'sed -i s/x/y/ src/a.ts' }]])).toBe('a');
    expect(await writer([['a', undefined, 110]]), 'long').toBe('unsure');
  });

  it('is unknown until its event and those of the others are recorded', async () => {
    expect(await writer([['a', 90, 110, null]])).toBe('unknown');
    expect(
      await writer([
        ['a', 90, 110, null],
        ['b', 95, 105],
      ]),
    ).toBe('unknown');
  });

  it('is unsure if another session ran a command, or if the event is gone or no command', async () => {
    expect(
      await writer([
        ['a', 90, 110, { session: 's2' }],
        ['b', 95, 105],
      ]),
    ).toBe('unsure');
    expect(await writer([['a', 90, 110, { state: 'forgotten' }]])).toBe('unsure');
    expect(await writer([['a', 90, 110, { kind: 'answer' }]])).toBe('unsure');
  });

  it('is unsure if it took more than thirty seconds, unless it names the file', async () => {
    expect(await writer([['a', 80, 110]])).toBe('a');
    expect(await writer([['a', 79, 110]])).toBe('unsure');
    expect(await writer([['a', 79, 110, { command: 'prettier a.ts' }]])).toBe('a');
  });

  it('is unsure if the user asked for something between the comparison before and the change', async () => {
    const asked = (at: number) => writer([['a', 90, 110]], [at]);
    expect([await asked(50), await asked(51), await asked(100), await asked(101)]).toEqual([
      'a',
      'unsure',
      'unsure',
      'a',
    ]);
  });
});

describe('the lines that a command wrote', () => {
  const linesOf = (own: ChangedFile, command = 'make', edits: Parameters<typeof commandHunks>[2] = []) => {
    const names = ['one();', 'two();', 'three();', ''];
    const text = new Map(names.map((line) => [lineHash(line), line]));
    return commandHunks(own, command, edits).map(({ added }) => added.map((hash) => text.get(hash)));
  };
  const edit = (at: number, added: string[]) => ({ at: at * second, hunks: [hunk(added)] });

  it('are those of its hunks, also if a hunk only removed lines', () => {
    expect(linesOf(change([hunk(['one();', 'two();']), hunk([], ['three();'])]))).toEqual([
      ['one();', 'two();'],
      [],
    ]);
  });

  it('are not those that the agent reported since the comparison before, up to five seconds late', () => {
    const lines = (at: number) =>
      linesOf(change([hunk(['one();', 'two();'])]), 'make', [edit(at, ['two();'])]);
    const [all, own] = [[['one();', 'two();']], [['one();']]];
    expect([lines(49), lines(50), lines(99), lines(125), lines(126)]).toEqual([all, own, own, own, all]);
    expect(linesOf(change(), 'make', [edit(60, ['one();'])])).toEqual([]);
  });

  it('are none if the agent edited the file after it was written', () => {
    const lines = (at: number) => linesOf(change(), 'make', [edit(at, ['three();'])]);
    expect([lines(99), lines(100), lines(120), lines(121)]).toEqual([[['one();']], [], [], [['one();']]]);
  });

  it('are only those of its text, if it writes its text and a hunk has nothing else', () => {
    const hunks = [hunk(['one();', '']), hunk(['two();'])];
    expect(linesOf(change(hunks), "cat >> a.ts <<'END'\none();\nEND")).toEqual([['one();', '']]);
    expect(linesOf(change(hunks), "git apply <<'END'\n+one();\nEND")).toEqual([['one();', '']]);
    expect(linesOf(change(hunks), "cat >> a.ts <<'END'\nthree();\nEND")).toHaveLength(2);
    expect(linesOf(change(hunks), 'make\none();')).toHaveLength(2);
    const [mixed, blank] = [hunk(['one();', 'two();']), hunk([''])];
    expect(linesOf(change([mixed, blank]), "cat >> a.ts <<'END'\none();\nEND")).toEqual([
      ['one();', 'two();'],
      [''],
    ]);
  });

  it('leave a hunk out if all of its lines are left out, unless it had none', () => {
    const hunks = [hunk(['one();']), hunk(['two();', 'one();']), hunk([], ['one();'])];
    expect(withoutAdded(hunks, (hash) => hash === lineHash('one();'))).toEqual([
      hunk(['two();']),
      hunk([], ['one();']),
    ]);
  });
});

describe('the edit of a command', () => {
  const event = (body: object) =>
    sampleEvent({ id: 'c', branch: 'main', kind: 'command', body: { command: 'make', ok: true, ...body } });
  const edit = (body: object, more: Partial<ChangedFile> = {}) =>
    editOf({ ...change(), ...more }, event(body) as CommandEvent, '/r');

  it('is of the turn and the subagent that ran it, at the time of the file', () => {
    expect(edit({ turn: 't' }, { at: 1_700_000_000_000.6 })).toMatchObject({
      kind: 'edit',
      at: '2023-11-14T22:13:20.001Z',
      trust: 1,
      cwd: '/r',
      agentSession: 'session-1',
      branch: 'main',
      body: { turn: 't', tool: 'command', path: 'src/a.ts', hunks: change().hunks, command: 'c' },
    });
    expect(edit({}).body).toEqual({
      ...{ turn: '', tool: 'command', path: 'src/a.ts', hunks: change().hunks, command: 'c' },
    });
    const subagent = { id: 's', type: 'reviewer' };
    expect(edit({ subagent }).body).toMatchObject({ subagent });
    expect(edit({}, { created: true }).body).toMatchObject({ created: true });
  });

  it('has one id for each file, time and command', () => {
    const ids = [edit({}), edit({}), edit({}, { at: 1 }), edit({}, { path: 'b.ts' })].map(({ id }) => id);
    expect([ids[0] === ids[1], new Set(ids).size]).toEqual([true, 3]);
  });
});

describe('a change whose command is not recorded yet', () => {
  /** Whether comparisons are read again by the next drain, if this one is at a time and knows these commands. */
  function waits(comparisons: object[], now: number, known: string[] = []): Promise<boolean> {
    const folder = mkdtempSync(join(tmpdir(), 'backstory-waiting-'));
    const path = join(folder, 'comparisons');
    writeFileSync(path, comparisons.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const rows = new Map(known.map((id) => [id, { agentSession: 's1', state: 'forgotten' }]));
    const parts = {
      project: 'p',
      paths: { project: () => ({ comparisons: path }) },
      clock: { now: () => now },
      index: { events: async (ids: string[]) => new Map([...rows].filter(([id]) => ids.includes(id))) },
    } as unknown as IngestParts;
    return recordCommandEdits(parts)
      .then((written) => {
        expect([written, existsSync(`${path}.taken`)]).toEqual([0, false]);
        const line = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
        if (line !== '') expect(JSON.parse(line)).toEqual(comparisons[0]);
        return line !== '';
      })
      .finally(() => rmSync(folder, { recursive: true }));
  }
  const seen = { checkout: 'c', root: '/r', commands: [], changes: [change()] };
  const commands = [{ id: 'a', from: 90 * second, until: 110 * second }];
  const minutes = 60 * second;

  it('waits up to ten minutes', async () => {
    const at = change().seen + 10 * minutes;
    expect([await waits([seen], at - 1), await waits([seen], at)]).toEqual([true, false]);
    expect(await waits([{ ...seen, changes: [] }], at - 1)).toBe(false);
  });

  it('waits only for commands of its checkout', async () => {
    expect(await waits([{ ...seen, commands }], 0, ['a']), 'unsure').toBe(false);
    expect(await waits([{ ...seen, changes: [change(), { ...change(), at: 0 }], commands }], 0, ['a'])).toBe(
      true,
    );
    const elsewhere = { ...seen, checkout: 'd', changes: [], commands };
    expect(await waits([seen, elsewhere], 0, ['a'])).toBe(true);
    expect(await waits([seen, { ...elsewhere, checkout: 'c' }], 0, ['a'])).toBe(false);
  });
});
