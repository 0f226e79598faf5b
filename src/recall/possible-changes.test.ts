import { describe, expect, it } from 'vitest';
import { aChunk, aNote } from '../../test/contract/samples.ts';
import type { Note } from '../domain/note.ts';
import type { Hit } from './hit.ts';
import { possibleChanges, standingsOf, withStandings } from './possible-changes.ts';

const day = (number: number): string => `2026-06-0${number}T00:00:00.000Z`;
const said = (text: string, from: number, more: Partial<Note> = {}): Note =>
  aNote({ text, validFrom: day(from), topic: 'deploys', ...more });
/** For each note that may have changed: its text, and the text that may have changed it. */
const changesIn = (notes: Note[]): [string, string][] => {
  const byId = new Map(notes.map((note) => [note.id, note.text]));
  return Array.from(possibleChanges(notes), ([id, { text }]) => [byId.get(id) ?? '', text]);
};

const monday = said('Deploy on Mondays.', 1);
const friday = said('Deploy on Fridays.', 2);

describe('a statement may have changed', () => {
  it.each([
    ['a later one has its topic', [monday, friday]],
    ['a later one has its topic in other letters', [monday, { ...friday, topic: ' DEPLOYS ' }]],
    ['only a model confirmed it since', [{ ...monday, confirmedBy: 'model', confirmedAt: day(3) }, friday]],
    ['a person confirmed it before', [{ ...monday, confirmedBy: 'person', confirmedAt: day(1) }, friday]],
    [
      'both are of the user for every project',
      [monday, friday].map((note) => ({ ...note, everywhere: true })),
    ],
  ] as [string, Note[]][])('if %s', (_, notes) => {
    expect(changesIn(notes)).toEqual([['Deploy on Mondays.', 'Deploy on Fridays.']]);
  });

  it.each([
    ['has another topic', { topic: 'releases' }],
    ['was said at the same time', { validFrom: day(1) }],
    ['has the same text', { text: 'deploy  on mondays.' }],
    ['nobody has reviewed', { trust: 1 }],
    ['no longer holds', { state: 'superseded' }],
    ['is a summary', { kind: 'summary' }],
    ['is of the user for every project', { everywhere: true }],
  ] as [string, Partial<Note>][])('but not by one that %s', (_, more) => {
    expect(changesIn([monday, { ...friday, ...more }])).toEqual([]);
  });

  it('but not if a person confirmed it when the other was said, or later', () => {
    for (const confirmedAt of [day(2), day(3)])
      expect(changesIn([{ ...monday, confirmedBy: 'person', confirmedAt }, friday])).toEqual([]);
  });

  it('by the newest of at most three with its topic', () => {
    const [tuesday, sunday] = [said('Deploy on Tuesdays.', 3), said('Deploy on Sundays.', 4)];
    expect(changesIn([monday, tuesday, friday])).toEqual([
      ['Deploy on Mondays.', 'Deploy on Tuesdays.'],
      ['Deploy on Fridays.', 'Deploy on Tuesdays.'],
    ]);
    expect(changesIn([monday, friday, tuesday, sunday])).toEqual([]);
  });

  it('by one with the same words and another amount, without a topic', () => {
    const small = aNote({ text: 'Uploads have at most 25 MB.', validFrom: day(1) });
    const large = aNote({ text: 'Uploads have at most 50 MB.', validFrom: day(2) });
    const other = aNote({ text: 'Mail has at most 50 MB.', validFrom: day(2) });
    expect(changesIn([small, large, other])).toEqual([[small.text, large.text]]);
  });

  it('if the same sentence was closed elsewhere, by what closed it or by what was said later', () => {
    const closed = said('Deploy on Mondays.', 1, {
      state: 'superseded',
      topic: 'x',
      closedBy: ['unknown', friday.id],
    });
    const open = { ...monday, topic: 'y' };
    expect(changesIn([closed, open, { ...friday, topic: 'x' }])).toEqual([[open.text, friday.text]]);
    const tuesday = said('Deploy on Tuesdays.', 3);
    expect(changesIn([closed, monday, { ...friday, topic: 'z' }, tuesday])).toEqual([
      [monday.text, tuesday.text],
    ]);
    const between = said('Deploy on Sundays.', 2);
    const late = { ...friday, topic: 'z', validFrom: day(4) };
    expect(changesIn([closed, monday, late, between])).toEqual([[monday.text, friday.text]]);
    expect(changesIn([{ ...closed, closedBy: [open.id] }, open])).toEqual([]);
    expect(changesIn([{ ...closed, state: 'archived' }, open, { ...friday, topic: 'x' }])).toEqual([]);
  });
});

describe('the standing of a note', () => {
  const closed = said('Deploy on Mondays.', 1, { state: 'superseded', validTo: day(3) });

  it('names what closed it: a note that is known, or else the first id, or the user', () => {
    const closedBy = (ids?: string[]) => {
      const note = { ...closed, ...(ids && { closedBy: ids }) };
      return standingsOf([note, friday])(note).closedBy;
    };
    expect(closedBy(['event', friday.id])).toEqual({ id: friday.id, text: friday.text, at: day(3) });
    expect(closedBy(['event', 'other'])).toEqual({ id: 'event', text: '', at: day(3) });
    expect(closedBy()).toEqual({ id: 'user', text: '', at: day(3) });
    expect(standingsOf([monday])({ ...monday, closedBy: [friday.id] })).toEqual({ state: 'active' });
  });

  it('names what may have changed it, and since when it is doubted', () => {
    expect(standingsOf([monday, friday])(monday)).toEqual({
      state: 'active',
      changedBy: { id: friday.id, text: friday.text, at: day(2) },
    });
    const doubted = { ...monday, doubtedSince: day(4) };
    expect(standingsOf([doubted])(doubted)).toEqual({ state: 'active', doubtedSince: day(4) });
  });

  it('is added to the hits of known notes only', () => {
    const hitOf = (sourceId: string, source: 'note' | 'event'): Hit => {
      const chunk = aChunk({ source, sourceId });
      return { id: chunk.id, chunk, preview: '', ranks: {}, score: 1, why: {} };
    };
    const hits = [hitOf(closed.id, 'note'), hitOf(closed.id, 'event'), hitOf('unknown', 'note')];
    expect(withStandings(hits, [closed]).map(({ state }) => state)).toEqual([
      'superseded',
      undefined,
      undefined,
    ]);
  });
});
