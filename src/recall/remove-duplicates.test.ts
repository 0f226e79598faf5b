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

/** In this order, the best worth as much as there are of them. */
const listed = (...chunks: Chunk[]): Ranked[] =>
  chunks.map((chunk, at) => ({ chunk, score: chunks.length - at, why: {}, coverage: 1 }));

const keptOf = (...chunks: Chunk[]): Chunk[] => removeDuplicates(listed(...chunks)).map(({ chunk }) => chunk);

describe('[recall-once] what is said twice is shown once', () => {
  it('keeps the better of two prompts in the same words', () => {
    const [first, second, other] = [prompt(), prompt({ at: monday - day }), prompt({ text: 'Another.' })];
    expect(keptOf(first, other, second)).toEqual([first, other]);
  });

  it('lets a note speak for the prompt it was drawn from, where the better of them stands', () => {
    const [said, drawn, other] = [prompt(), note(), prompt({ text: 'Another.' })];
    expect(removeDuplicates(listed(said, other, drawn))).toMatchObject([
      { chunk: drawn, score: 3 },
      { chunk: other, score: 2 },
    ]);
  });

  it('knows the words of a note from what they were said about, and not from what they were said to', () => {
    const drawn = note({ text: `${text}\nWhile working on: the queue.` });
    expect(keptOf(prompt(), drawn)).toEqual([drawn]);
    const [one, other] = ['Which queue?', 'Which cache?'].map((asked) =>
      note({ text: `Asked: ${asked}\nRedis.` }),
    );
    expect(keptOf(one as Chunk, other as Chunk)).toHaveLength(2);
  });

  it('lets a note speak for a sentence that stands in it, but not for a word', () => {
    const drawn = note({ text: `${text} Please change queue.ts.` });
    const sentence = prompt({ kind: 'decision' });
    expect(keptOf(sentence, drawn)).toEqual([drawn]);
    const word = prompt({ text: 'Postgres' });
    expect(keptOf(word, drawn)).toEqual([word, drawn]);
  });

  it('says of what was superseded that it was, also when the prompt comes first', () => {
    const [said, gone] = [prompt({ at: monday + day }), note(superseded)];
    expect(keptOf(said, gone)).toEqual([gone]);
    const live = note({ at: monday + day });
    expect(keptOf(gone, live)).toEqual([live]);
  });

  it('keeps notes apart that merely begin alike', () => {
    const lists = ['Release checklist:\n- tag', 'Release checklist:\n- announce'].map((each) =>
      note({ text: each }),
    );
    expect(keptOf(...lists)).toEqual(lists);
    const days = ['retries', 'backups'].map((what) =>
      note({ kind: 'summary', text: `Session of 2026-11-09 with pi.\nAsked: ${what}` }),
    );
    expect(keptOf(...days)).toEqual(days);
  });

  it('does not let a note by an agent speak for the user', () => {
    const said = prompt();
    const proposed = note({ trust: 1, concepts: ['candidate'] });
    expect(keptOf(proposed, said)).toEqual([said]);
    expect(keptOf(said, note({ trust: 0, concepts: ['archived'] }))).toEqual([said]);
    const longer = note({ trust: 1, text: `${text}\nIt failed, then passed.` });
    expect(keptOf(longer, said)).toEqual([longer, said]);
  });
});
