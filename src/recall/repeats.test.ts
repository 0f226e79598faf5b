import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { Ranked } from './rank.ts';
import { withoutRepeats } from './repeats.ts';

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

const keptOf = (...chunks: Chunk[]): Chunk[] => withoutRepeats(listed(...chunks)).map(({ chunk }) => chunk);

describe('[recall-once] what is said twice is shown once', () => {
  it('keeps the better of two prompts in the same words', () => {
    const [first, second, other] = [prompt(), prompt({ at: monday - day }), prompt({ text: 'Another.' })];
    expect(keptOf(first, other, second)).toEqual([first, other]);
  });

  it('lets a note speak for the prompt it was drawn from, where the better of them stands', () => {
    const [said, drawn, other] = [prompt(), note(), prompt({ text: 'Another.' })];
    expect(withoutRepeats(listed(said, other, drawn))).toMatchObject([
      { chunk: drawn, score: 3 },
      { chunk: other, score: 2 },
    ]);
  });

  it('knows the words of a note from what stands below them', () => {
    const drawn = note({ text: `${text}\nWhile working on: the queue.` });
    expect(keptOf(prompt(), drawn)).toEqual([drawn]);
  });

  it('shows what was superseded as such, and no higher than it comes by itself', () => {
    const [said, gone, newer] = [prompt(), note(superseded), note({ text: 'Retries are in SQS.' })];
    expect(keptOf(said, newer, gone)).toEqual([newer, gone]);
  });

  it('takes what was said again since for what holds', () => {
    const [again, gone] = [prompt({ at: monday + day }), note(superseded)];
    expect(keptOf(gone, again)).toEqual([again]);
    const [live, before] = [note({ at: monday + day }), note(superseded)];
    expect(keptOf(before, live)).toEqual([live]);
  });

  it('does not let a note by an agent speak for the user', () => {
    const proposed = note({ trust: 1, concepts: ['candidate'], text: `${text}\nIt failed, then passed.` });
    const said = prompt();
    expect(keptOf(proposed, said)).toEqual([proposed, said]);
    expect(keptOf(said, note({ trust: 1, concepts: ['candidate'] }))).toEqual([said]);
  });
});
