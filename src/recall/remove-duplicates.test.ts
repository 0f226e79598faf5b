import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { Ranked } from './rank.ts';
import { removeDuplicates } from './remove-duplicates.ts';

const text = 'We keep retries in Postgres instead of Redis.';
const day = 86_400_000;
const monday = Date.parse('2026-11-09T12:00:00Z');

const prompt = (given: Partial<Chunk> = {}): Chunk => aChunk({ text, at: monday, ...given });
const note = (given: Partial<Chunk> = {}): Chunk =>
  aChunk({ source: 'note', kind: 'decision', trust: 2, agentSession: '', text, at: monday, ...given });
const superseded = { concepts: ['superseded'] };

/** In this order, with decreasing scores. */
const listed = (...chunks: Chunk[]): Ranked[] =>
  chunks.map((chunk, at) => ({ chunk, score: chunks.length - at, why: {}, coverage: 1 }));

const keptOf = (...chunks: Chunk[]): Chunk[] => removeDuplicates(listed(...chunks)).map(({ chunk }) => chunk);

describe('[recall-once] removeDuplicates', () => {
  it('keeps the better of two prompts with the same text', () => {
    const [first, second, other] = [prompt(), prompt({ at: monday - day }), prompt({ text: 'Another.' })];
    expect(keptOf(first, other, second)).toEqual([first, other]);
  });

  it('shows a note instead of the prompt it was extracted from, at the position of the better one', () => {
    const [said, drawn, other] = [prompt(), note(), prompt({ text: 'Another.' })];
    expect(removeDuplicates(listed(said, other, drawn))).toMatchObject([
      { chunk: drawn, score: 3 },
      { chunk: other, score: 2 },
    ]);
  });

  it('shows a note instead of a sentence that it contains, but not instead of a word', () => {
    const drawn = note({ text: `${text} Please change queue.ts.` });
    const sentence = prompt({ kind: 'decision' });
    expect(keptOf(sentence, drawn)).toEqual([drawn]);
    const word = prompt({ text: 'Postgres' });
    expect(keptOf(word, drawn)).toEqual([word, drawn]);
  });

  it.each([
    ['a decision', 'decision', 'x'.repeat(20), 1],
    ['a rule', 'rule', 'x'.repeat(20), 1],
    ['a fact', 'fact', 'x'.repeat(20), 2],
    ['a rule, if it is too short', 'rule', 'x'.repeat(19), 2],
  ] as const)('merges a sentence with %s that contains it', (_, kind, sentence, expected) => {
    expect(keptOf(prompt({ text: sentence }), note({ kind, text: `${text} ${sentence}` }))).toHaveLength(
      expected,
    );
  });

  it('lists no copies of a text that is there once', () => {
    expect(removeDuplicates(listed(prompt()))[0]).not.toHaveProperty('copies');
  });

  it('shows what holds and not what the user once wrote', () => {
    const [gone, holds] = [note({ ...superseded, trust: 3 }), note({ trust: 2 })];
    expect(keptOf(gone, holds)).toEqual([holds]);
  });

  it('shows that a note was superseded, even if its prompt ranks first', () => {
    const [said, gone] = [prompt({ at: monday + day }), note(superseded)];
    expect(keptOf(said, gone)).toEqual([gone]);
    const live = note({ at: monday + day });
    expect(keptOf(gone, live)).toEqual([live]);
  });

  it('merges texts that differ in case and punctuation, and lists the other places', () => {
    const [first, second] = [
      prompt(),
      prompt({ text: text.toUpperCase().replace('.', '!'), sourceId: 'other' }),
    ];
    expect(removeDuplicates(listed(first, second))).toMatchObject([{ chunk: first, copies: [second] }]);
  });

  it('does not merge notes that only begin alike', () => {
    const lists = ['Release checklist:\n- tag', 'Release checklist:\n- announce'].map((each) =>
      note({ text: each }),
    );
    expect(keptOf(...lists)).toEqual(lists);
    const days = ['retries', 'backups'].map((what) =>
      note({ kind: 'summary', text: `Session of 2026-11-09 with pi.\nAsked: ${what}` }),
    );
    expect(keptOf(...days)).toEqual(days);
  });

  it("does not show an agent's note instead of the user's prompt", () => {
    const said = prompt();
    const proposed = note({ trust: 1, concepts: ['candidate'] });
    expect(keptOf(proposed, said)).toEqual([said]);
    expect(keptOf(said, note({ trust: 0, concepts: ['archived'] }))).toEqual([said]);
    const longer = note({ trust: 1, text: `${text}\nIt failed, then passed.` });
    expect(keptOf(longer, said)).toEqual([longer, said]);
  });
});
