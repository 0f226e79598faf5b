import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note } from '../../domain/note.ts';
import type { ObservedCommand } from '../../recall/observed-commands.ts';
import type { LogIndex, NoteStore } from '../../store/store.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { composePrelude } from './prelude.ts';
import {
  type PreludeLine,
  preludeMaxChars,
  preludeMaxEstimate,
  preludeText,
  recapSection,
} from './prelude-file.ts';
import type { Recap } from './recap.ts';

const own = (text: string, more: Partial<Note> = {}): Note => aNote({ text, ...more });
const textsOf = (lines: PreludeLine[]): string[] =>
  lines.map(({ text }) => text.replaceAll(/ ?\[\w{8}\]/g, ''));
const more = 'remembered; ask `recall` before you decide something that may have been decided';
const aRecap = (event: string, asked = 'Make the queue survive.'): Recap => ({
  ...{
    branch: 'main',
    checkout: 'c',
    head: 'h',
    at: 0,
    agentSession: event,
    event,
    asked: [asked],
    title: '',
  },
  ...{ files: [], commits: [], checks: [], end: '', open: [] },
});

interface Given {
  sessions?: number;
  recaps?: Recap[];
  commands?: ObservedCommand[];
  /** Ids of events, of which a decision to mute is one. */
  isEvent?: (id: string) => boolean;
}

/** Composes from these notes with an index that has only a number of sessions. */
function compose(notes: Note[], { sessions = 0, isEvent = () => false, ...given }: Given = {}) {
  const index = {
    events: async (ids: string[]) => new Map(ids.filter(isEvent).map((id) => [id, {}])),
    sessions: { count: () => sessions },
    edits: { hasAny: () => false },
  } as unknown as LogIndex;
  const store = { list: async () => notes } as unknown as NoteStore;
  return composePrelude(index, store, { code: undefined, now: 0, project: 'p', ...given });
}

describe('the prelude', () => {
  it('is empty without notes, commands and sessions', async () => {
    expect(await compose([])).toEqual({ lines: [], muted: [], recaps: [], topics: [] });
  });

  it('has rules, decisions, what the user said, failures and unfinished work', async () => {
    const said = { trust: 2 as const, author: 'backstory' };
    const { lines, topics } = await compose([
      own('Use tabs.', { kind: 'rule' }),
      own('One queue.'),
      own('Maybe two.', said),
      own('Bun fails.', { kind: 'failed' }),
      own('Docs are missing.', { kind: 'open' }),
    ]);
    expect(lines.map(({ section }) => section)).toEqual([
      'Rules',
      'Decided',
      'You said',
      'Failed before',
      'Unfinished',
    ]);
    expect(textsOf(topics)).toEqual([
      '2026-11-03 Use tabs.',
      '2026-11-03 One queue.',
      '2026-11-03 "Maybe two."',
      '2026-11-03 Bun fails.',
    ]);
  });

  it('leaves out what holds in every project, is muted in this one, or may contain a secret', async () => {
    const secret = ['q8Zr', '2Lm9', 'Xv4T'].join('');
    const { lines, topics } = await compose([
      own('Everywhere.', { everywhere: true }),
      own('Muted.', { mutedIn: ['p'] }),
      own(`The key is ${secret}.`, { derivedFrom: ['e'] }),
      own('Told.', { mutedIn: ['q'] }),
    ]);
    expect([textsOf(lines), textsOf(topics)]).toEqual([['Told.'], ['2026-11-03 Told.']]);
  });

  it('has at most 25 rules, 50 decisions and 50 things that the user said', async () => {
    const many = (more: Partial<Note>) => Array.from({ length: 60 }, (_, at) => own(`${at}`, more));
    const kinds = [{ kind: 'rule' }, { kind: 'fact' }, { trust: 2, author: 'backstory' }] as const;
    const composed = await Promise.all(kinds.map((kind) => compose(many(kind))));
    expect(composed.map(({ lines }) => lines.length)).toEqual([25, 50, 50]);
    expect(composed.map(({ topics }) => topics.length)).toEqual([60, 60, 60]);
    const { topics: all } = await compose(Array.from({ length: 301 }, (_, at) => own(`${at}`)));
    expect(all).toHaveLength(300);
  });

  it('has as many lines as fit with those for every project, the longest recap and the last line', async () => {
    const long = (at: number, letter: string) => `${at} ${letter.repeat(160)}`;
    for (const letter of ['x ', '数']) {
      const notes = Array.from({ length: 80 }, (_, at) => own(long(at, letter)));
      const everywhere = own('Mine.', { everywhere: true });
      const recaps = [aRecap('short', 'Go.'), aRecap('long', 'Make the retry queue survive a restart.')];
      const { lines } = await compose([...notes, everywhere], { sessions: 3, recaps });
      const everything = (kept: PreludeLine[]) =>
        preludeText(
          [{ section: recapSection, text: 'x'.repeat(40), reason: '' }, ...kept],
          [],
          'x-'.repeat(20),
        );
      const text = everything(lines);
      expect(lines.length).toBeGreaterThan(5);
      expect(text.length).toBeLessThanOrEqual(preludeMaxChars);
      expect(estimateTokens(text)).toBeLessThanOrEqual(preludeMaxEstimate);
      const fuller = everything([...lines, ...lines.slice(0, 2)]);
      expect(fuller.length > preludeMaxChars || estimateTokens(fuller) > preludeMaxEstimate).toBe(true);
    }
  });

  it('leaves out what a statement replaced before it leaves out a statement', async () => {
    const now = own('Ten.', { trust: 2, confirmedBy: 'person' });
    const old = own('Nine.', { state: 'superseded', closedBy: [now.id] });
    expect(textsOf((await compose([now, old])).lines)).toEqual([expect.stringContaining('Nine.')]);
    const others = Array.from({ length: 60 }, (_, at) =>
      own(`${at} ${'数'.repeat(60)}`, { importance: 'low' }),
    );
    const told = textsOf((await compose([now, old, ...others])).lines);
    expect(told).toContain('Ten.');
    expect(told.length).toBeGreaterThan(20);
  });

  it('says in its last line how much more is remembered', async () => {
    const last = async (notes: Note[], sessions: number) =>
      textsOf((await compose(notes, { sessions })).lines).at(-1);
    expect(await last([], 1)).toBe(`1 session is ${more}`);
    expect(await last([], 2)).toBe(`2 sessions are ${more}`);
    const waiting = own('Waiting.', { state: 'candidate' });
    expect(await last([waiting], 1)).toBe(`1 session and 1 note are ${more}`);
    expect(await last([own('Told.'), waiting, waiting], 1)).toBe(`1 session and 2 more notes are ${more}`);
    const uncounted = [own('a', { kind: 'summary' }), own('b', { state: 'archived' })];
    expect(await last(uncounted, 1)).toBe(`1 session is ${more}`);
    expect(await last([own('Told.')], 0)).toBe('Told.');
  });

  it('has recaps without the lines that the user muted, and with what else is told', async () => {
    const recaps = [aRecap('a'), aRecap('b', 'Write the docs.')];
    const { recaps: told, muted } = await compose([own('Make the queue survive.')], { recaps });
    expect(muted).toEqual([]);
    expect(told).toMatchObject([{ branch: 'main', checkout: 'c', head: 'h', at: 0 }, {}]);
    const asked = told.map(({ short, long }) => [short, long].map((lines) => lines[1]?.text));
    expect(asked).toEqual([
      [expect.stringMatching(/^the user asked \[\w{8}\]$/), 'the user asked "Make the queue survive."'],
      ['the user asked "Write the docs."', 'the user asked "Write the docs."'],
    ]);
    let first: string | undefined;
    const without = await compose([], {
      recaps,
      isEvent: (id) => {
        first ??= id;
        return id === first;
      },
    });
    expect(without.recaps).toHaveLength(1);
    expect(without.muted).toMatchObject([{ event: 'a', section: recapSection }]);
  });
});
