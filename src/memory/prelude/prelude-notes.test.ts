import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note, NoteKind } from '../../domain/note.ts';
import { everywhereLines } from './everywhere-lines.ts';
import { mayShowNote } from './may-show-note.ts';
import type { PreludeLine } from './prelude-file.ts';
import {
  failureLines,
  openLines,
  openNotes,
  saidNotes,
  settledLines,
  settledNotes,
  topicOf,
} from './prelude-notes.ts';

const said = (more: Partial<Note> = {}): Note =>
  aNote({ state: 'active', trust: 2, author: 'backstory', ...more });
const own = (more: Partial<Note> = {}): Note => aNote({ state: 'active', trust: 3, ...more });
const textsOf = (notes: { text: string }[]): string[] => notes.map(({ text }) => text);
/** Lines without the id at their end. */
const toldAs = (lines: PreludeLine[]): string[] =>
  lines.map(({ text }) => text.replaceAll(/ ?\[\w{8}\]/g, ''));
const plain = { before: () => '' };
const lineOf = (note: Note, all: Note[] = [note]): PreludeLine =>
  settledLines([note], all, plain)[0] as PreludeLine;
const allLines = (notes: Note[]): string[] =>
  toldAs([
    ...settledLines([...saidNotes(notes), ...settledNotes(notes)], notes, plain),
    ...failureLines(notes),
    ...openLines(notes),
    ...everywhereLines(notes),
  ]);

describe('a note in the prelude', () => {
  const kinds: NoteKind[] = ['rule', 'preference', 'decision', 'fact', 'knowledge', 'fix', 'failed', 'open'];

  it.each(kinds)('[prelude-trust] is not told below trust 2, even if it is active (%s)', (kind) => {
    for (const more of [
      {},
      { pinned: true },
      { confirmedBy: 'person' as const },
      { everywhere: true as const },
    ])
      for (const trust of [0, 1] as const) expect(allLines([said({ kind, trust, ...more })])).toEqual([]);
    expect(allLines([said({ kind, trust: 2, confirmedBy: 'person' })])).toHaveLength(1);
  });

  it.each(['candidate', 'superseded', 'archived'] as const)(
    'is told only while it is active, not %s',
    (state) => {
      for (const kind of kinds)
        expect(
          allLines([own({ kind, state }), said({ kind, state }), own({ state, everywhere: true })]),
        ).toEqual([]);
    },
  );

  it('of a teammate is not told while somebody disputes it, unless the user enforces it', () => {
    const disputes = [{ by: 'ann', at: '2026-11-05T00:00:00.000Z' }];
    const note = said({ author: 'bob', derivedFrom: ['team:bob'], disputes });
    expect(allLines([note])).toEqual([]);
    expect(
      allLines([{ ...note, disputes: [{ ...disputes[0], by: 'ann', at: '', keptAt: '2026' }] }]),
    ).toEqual(['bob noted: One queue is enough.']);
    expect(allLines([{ ...note, enforced: true }])).toEqual([
      'bob noted: One queue is enough. (disputed by a teammate since 2026-11-05)',
    ]);
  });

  it('is settled if somebody confirmed it, and is else what the user said', () => {
    const confirmed = said({ confirmedBy: 'model', text: 'Confirmed.' });
    const unconfirmed = said({ text: 'Unconfirmed.' });
    expect(textsOf(settledNotes([confirmed, unconfirmed]))).toEqual(['Confirmed.']);
    expect(textsOf(saidNotes([confirmed, unconfirmed]))).toEqual(['Unconfirmed.']);
  });

  it('of knowledge or a fix is told only when it is settled, and a summary never', () => {
    for (const kind of ['knowledge', 'fix'] as const) {
      expect(saidNotes([said({ kind })])).toEqual([]);
      expect(settledNotes([own({ kind })])).toHaveLength(1);
    }
    expect(saidNotes([said({ kind: 'summary' })])).toEqual([]);
    expect(settledNotes([own({ kind: 'summary' })])).toEqual([]);
    expect(settledNotes([own({ kind: 'summary', pinned: true })])).toHaveLength(1);
  });

  it('about a failure or about unfinished work has its own section once it is settled', () => {
    const failed = own({ kind: 'failed', text: 'Bun fails.' });
    const open = own({ kind: 'open', text: 'Retries are missing.' });
    expect(settledNotes([failed, open])).toEqual([]);
    expect(failureLines([failed, open])).toMatchObject([{ section: 'Failed before', note: failed.id }]);
    expect(openLines([failed, open])).toMatchObject([{ section: 'Unfinished', note: open.id }]);
    expect(toldAs(failureLines([failed]))).toEqual(['2026-11-03 Bun fails.']);
    expect(failureLines([said({ kind: 'failed' })])).toEqual([]);
    expect(openLines([said({ kind: 'open' })])).toEqual([]);
    expect(textsOf(saidNotes([said({ kind: 'failed' }), said({ kind: 'open' })]))).toHaveLength(2);
  });

  it('about a failure that the user pinned is told with the decisions', () => {
    const pinned = own({ kind: 'failed', pinned: true });
    expect(failureLines([pinned])).toEqual([]);
    expect(settledLines(settledNotes([pinned]), [pinned], plain)).toMatchObject([{ section: 'Decided' }]);
  });

  it('about a failure or unfinished work is one of the few newest', () => {
    const many = (kind: NoteKind) =>
      Array.from({ length: 6 }, (_, at) => own({ kind, text: `${at}`, updated: `2026-11-0${at + 1}T00` }));
    expect(toldAs(failureLines(many('failed')))).toEqual(['2026-11-06 5', '2026-11-05 4', '2026-11-04 3']);
    expect(failureLines(many('failed'), 300)).toHaveLength(6);
    expect(textsOf(openNotes(many('open')))).toEqual(['5', '4', '3', '2']);
  });

  it('comes in the order of pinned, important, ordinary and unimportant, the newest of each first', () => {
    const notes = [
      own({ text: 'low', importance: 'low', updated: '2026-11-09' }),
      own({ text: 'old', updated: '2026-11-01' }),
      own({ text: 'new', updated: '2026-11-02' }),
      own({ text: 'high', importance: 'high', updated: '2026-10-01' }),
      own({ text: 'pinned', pinned: true, importance: 'low', updated: '2026-09-01' }),
    ];
    const order = ['pinned', 'high', 'new', 'old', 'low'];
    expect(textsOf(settledNotes(notes))).toEqual(order);
    expect(textsOf(settledNotes(notes.toReversed()))).toEqual(order);
    expect(textsOf(saidNotes(notes.map((note) => ({ ...note, trust: 2, pinned: false }))))).toEqual([
      'high',
      'new',
      'old',
      'low',
      'pinned',
    ]);
    const same = [own({ text: 'a' }), own({ text: 'b' }), own({ text: 'c' })];
    expect(textsOf(settledNotes(same)), 'equal notes keep their order').toEqual(['a', 'b', 'c']);
  });

  it('is the earlier left out, the less important it is, but not if the user pinned it', () => {
    const leftOut = (more: Partial<Note>) => lineOf(own(more)).leftOut;
    expect([leftOut({ importance: 'high' }), leftOut({}), leftOut({ importance: 'low' })]).toEqual([
      undefined,
      1,
      2,
    ]);
    expect(leftOut({ importance: 'low', pinned: true })).toBeUndefined();
  });

  it('is told once if several notes say the same, but an answer only with its own question', () => {
    const one = own({ text: 'Use tabs.' });
    expect(settledLines([one, own({ text: 'Use tabs.' })], [], plain)).toMatchObject([{ note: one.id }]);
    expect(
      settledLines([one, own({ text: 'Use tabs.', quote: 'yes' }), own({ text: 'Use spaces.' })], [], plain),
    ).toHaveLength(3);
  });

  it('has its date if it is not settled, or if it is told on its own', () => {
    expect(lineOf(own()).text).toMatch(/^One queue is enough\. \[\w{8}\]$/);
    expect(lineOf(said()).text).toMatch(/^2026-11-03 "One queue is enough\." \[\w{8}\]$/);
    expect(settledLines([own()], [], { ...plain, isDated: true })[0]?.text).toMatch(/^2026-11-03 One queue/);
  });

  it('says what became of its code, also as data', () => {
    const marked = { before: () => '(its code has changed) ' };
    const [line] = settledLines([own()], [], marked);
    expect(line?.text).toMatch(/^\(its code has changed\) One queue/);
    expect(line?.code).toBe('(its code has changed)');
    expect(lineOf(own())).not.toHaveProperty('code');
  });

  it('says who wrote it if that was not the user', () => {
    expect(toldAs([lineOf(said({ author: 'repo/AGENTS.md' }))])).toEqual([
      'from the repository: One queue is enough.',
    ]);
    expect(toldAs([lineOf(said({ author: 'bob', derivedFrom: ['team:bob'] }))])).toEqual([
      'bob noted: One queue is enough.',
    ]);
  });

  it('from a plan of the agent says so until a person confirmed its words', () => {
    const planned = said({ proposal: 'Plan', confirmedBy: 'model' });
    expect(toldAs([lineOf(planned)])).toEqual(['in a plan you accepted: One queue is enough.']);
    expect(toldAs([lineOf({ ...planned, confirmedBy: 'person' })])).toEqual(['One queue is enough.']);
    expect(toldAs([lineOf(said({ confirmedBy: 'model' }))])).toEqual(['One queue is enough.']);
  });

  it('that an agent wrote as a question is told with the question and the answer', () => {
    const exchange = said({
      text: 'Two queues?',
      proposal: 'Two queues?',
      quote: 'yes',
      confirmedBy: 'person',
    });
    const asked = 'the agent asked "Two queues?", you answered "yes"';
    expect(toldAs([lineOf(exchange)])).toEqual([asked]);
    expect(toldAs([lineOf({ ...exchange, confirmedBy: 'model' })])).toEqual([asked]);
  });

  it('names what it replaced, but not if the user wrote it', () => {
    const now = said({ confirmedBy: 'person', validFrom: '2026-11-02T00:00:00.000Z' });
    const old = said({ state: 'superseded', closedBy: [now.id], text: 'Two queues.' });
    expect(toldAs([lineOf(now, [now, old])])).toEqual([
      'One queue is enough. (until 2026-11-02: Two queues.)',
    ]);
    expect(toldAs([lineOf({ ...now, trust: 3 }, [now, old])])).toEqual(['One queue is enough.']);
    expect(toldAs(settledLines([now], [now, old], { ...plain, hasEarlier: false }))).toEqual([
      'One queue is enough.',
    ]);
  });

  it('says that it may have changed, and by what if that is known', () => {
    expect(toldAs([lineOf(own({ doubtedSince: '2026-11-07T00:00:00.000Z' }))])).toEqual([
      'One queue is enough. (may have changed, 2026-11-07)',
    ]);
    const [before, after] = [
      own({ text: 'Retry 3 times.', validFrom: '2026-11-01' }),
      own({ text: 'Retry 5 times.', validFrom: '2026-11-02', updated: '2026-11-02' }),
    ];
    expect(toldAs(settledLines([before, after], [before, after], plain))).toEqual([
      'Retry 3 times. (may have changed: Retry 5 times., 2026-11-02)',
      'Retry 5 times.',
    ]);
  });

  it('gives as its reason the strongest one that holds', () => {
    const reason = (note: Note) => lineOf(note).reason;
    expect(reason(own({ pinned: true }))).toBe('2026-11-03, a note you pinned');
    expect(reason(said({ author: 'repo/x' }))).toContain('text of the repository that you trusted');
    expect(reason(said({ derivedFrom: ['team:bob'] }))).toContain("a teammate's note that you approved");
    expect(reason(own({ quote: 'one queue' }))).toContain('your words: "one queue"');
    expect(reason(own())).toContain('a note you wrote');
    expect(reason(said({ confirmedBy: 'model' }))).toContain('confirmed by the model');
    expect(reason(said({ confirmedBy: 'person' }))).toContain('a note you approved');
    expect(reason(said())).toContain('a prompt of yours');
  });
});

describe('the topic of a statement', () => {
  const it25 = { text: 'It is 25 MB.', topic: 'upload limit' };

  it('is told if the user typed or confirmed it, and the sentence does not name it', () => {
    expect(topicOf(said({ ...it25, isTopicConfirmed: true }))).toBe('upload limit: ');
    expect(topicOf(said({ ...it25, confirmedBy: 'person' }))).toBe('upload limit: ');
    expect(topicOf(said({ ...it25, text: 'The upload ends at 25 MB.', confirmedBy: 'person' }))).toBe(
      'upload limit: ',
    );
  });

  it('is not told if nobody but a model named it, or the sentence has all of its words', () => {
    expect(topicOf(said(it25))).toBe('');
    expect(topicOf(said({ ...it25, confirmedBy: 'model' }))).toBe('');
    expect(topicOf(said({ isTopicConfirmed: true }))).toBe('');
    expect(
      topicOf(
        said({ ...it25, text: 'Limit of an Upload: 25 MB.', topic: 'Upload limit', confirmedBy: 'person' }),
      ),
    ).toBe('');
  });
});

describe('a note for every project', () => {
  const mine = (more: Partial<Note> = {}) => own({ everywhere: true, ...more });

  it('is told with its id, pinned ones first and then the newest', () => {
    const notes = [
      mine({ text: 'old', updated: '2026-11-01' }),
      mine({ text: 'new', updated: '2026-11-02' }),
      mine({ text: 'pinned', updated: '2026-10-01', pinned: true }),
      own({ text: 'of one project' }),
    ];
    expect(toldAs(everywhereLines(notes))).toEqual(['pinned', 'new', 'old']);
    expect(toldAs(everywhereLines(notes.toReversed()))).toEqual(['pinned', 'new', 'old']);
    expect(everywhereLines([mine()])[0]?.text).toMatch(/^One queue is enough\. \[\w{8}\]$/);
  });

  it('is one of the first eight', () => {
    expect(everywhereLines(Array.from({ length: 9 }, () => mine()))).toHaveLength(8);
  });

  it('says since when, whether the user wrote it, and where it is muted', () => {
    const [line] = everywhereLines([mine({ mutedIn: ['p'] })]);
    expect(line).toMatchObject({ mutedIn: ['p'], reason: '2026-11-03, a note you wrote for every project' });
    const [other] = everywhereLines([mine({ trust: 2 })]);
    expect(other).toMatchObject({ reason: '2026-11-03, a note for every project' });
    expect(other).not.toHaveProperty('mutedIn');
  });
});

describe('a note with a word that may be a secret', () => {
  const text = `The router takes ${['q8Zr', '2Lm9', 'Xv4T'].join('')}.`;
  it('is told only if the user wrote it as a note or pinned it', () => {
    const derivedFrom = ['e'.repeat(32)];
    expect(mayShowNote(said({ text, derivedFrom }))).toBe(false);
    expect(mayShowNote(said({ text, derivedFrom, pinned: true }))).toBe(true);
    expect(mayShowNote(said({ text }))).toBe(true);
    expect(mayShowNote(said({ derivedFrom }))).toBe(true);
  });
});
