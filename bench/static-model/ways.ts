import { DatabaseSync } from 'node:sqlite';
import type { Embedder } from '../../src/models/embed.ts';
import type { Talk } from './sets.ts';

/**
 * Weight of the vector score when it is added to the word score. Chosen on the development conversations; results do
 * not change between 1.2 and 3.
 */
export const denseWeight = 2;
const found = 10;

export interface Recalls {
  words: number[];
  dense: number[];
  both: number[];
}

/** The share of the evidence among the first ten: by words, by vectors, and by their sum. */
export async function askAll({ texts, questions }: Talk, model: Embedder): Promise<Recalls> {
  const byWords = createWordSearch(texts);
  const vectors = await model.embed(texts);
  const questionVectors = await model.embed(questions.map(({ text }) => text));
  const recalls: Recalls = { words: [], dense: [], both: [] };
  questions.forEach(({ text, answers, evidence }, at) => {
    const query = questionVectors[at] as Float32Array;
    const words = byWords(text);
    const dense = vectors.map((vector) => vector.reduce((sum, x, i) => sum + x * (query[i] as number), 0));
    const both = words.map((score, place) => score + denseWeight * (dense[place] as number));
    for (const [way, scores] of Object.entries({ words, dense, both })) {
      const best = scores
        .map((score, place) => ({ score, place }))
        .sort((a, b) => b.score - a.score || a.place - b.place)
        .slice(0, found);
      const hits = best.filter(({ place }) => answers.includes(place)).length;
      recalls[way as keyof Recalls].push(hits / evidence);
    }
  });
  return recalls;
}

const stopWords = new Set(
  `a about after all also an and any are as at be been before being but by can could did do does for from get had has
  have he her him his how i if in into is it its just me my no not of on one or our out she should so some than that
  the their them then there these they this those to up us was we were what when where which who why will with would
  you your s t`.split(/\s+/),
);

/** FTS5 with its own stemmer and ranking, any word may match; scores are divided by the best one. */
function createWordSearch(texts: string[]): (question: string) => number[] {
  const database = new DatabaseSync(':memory:');
  database.exec(`create virtual table t using fts5 (text, tokenize = 'porter unicode61')`);
  const insert = database.prepare('insert into t (rowid, text) values (?, ?)');
  for (const [at, text] of texts.entries()) insert.run(at, text);
  const search = database.prepare('select rowid as place, -rank as score from t where t match ?');
  return (question) => {
    const words = (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
      (word) => !stopWords.has(word),
    );
    const scores = texts.map(() => 0);
    if (words.length === 0) return scores;
    const rows = search.all(words.map((word) => `"${word}"`).join(' OR ')) as {
      place: number;
      score: number;
    }[];
    const best = Math.max(...rows.map(({ score }) => score), Number.MIN_VALUE);
    for (const { place, score } of rows) scores[place] = score / best;
    return scores;
  };
}
