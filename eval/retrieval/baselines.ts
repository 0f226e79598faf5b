import { DatabaseSync } from 'node:sqlite';
import type { Conversation } from './conversation.ts';

/** What anybody could build in an hour, asked the same questions in the same run. */
export interface Baseline {
  ask(text: string, limit: number): string[];
  close(): void;
}

const stopWords = new Set(
  `a about after all also an and any are as at be been before being but by can could did do does for from get had has
  have he her him his how i if in into is it its just me my no not of on one or our out she should so some than that
  the their them then there these they this those to up us was we were what when where which who why will with would
  you your s t`.split(/\s+/),
);

const wordsOf = (text: string): string[] => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !stopWords.has(word));
  return [...new Set(telling.length > 0 ? telling : words)];
};

/** FTS5 with its own stemmer and ranking, any of the words, common words left out. */
export function createFts5({ messages }: Conversation): Baseline {
  const database = new DatabaseSync(':memory:');
  database.exec(`create virtual table message using fts5 (text, tokenize = 'porter unicode61')`);
  const insert = database.prepare('insert into message (rowid, text) values (?, ?)');
  for (const [at, { text }] of messages.entries()) insert.run(at, text);
  const search = database.prepare(
    'select rowid as at from message where message match ? order by rank limit ?',
  );
  return {
    ask(text, limit) {
      const any = wordsOf(text)
        .map((word) => `"${word}"`)
        .join(' OR ');
      const rows = any === '' ? [] : (search.all(any, limit) as { at: number }[]);
      return rows.map(({ at }) => messages[at]?.id ?? '');
    },
    close: () => database.close(),
  };
}

/** Messages by how many of the words they hold as a piece of text, newest first where that is equal. */
export function createGrep({ messages }: Conversation): Baseline {
  const texts = messages.map(({ text }) => text.toLowerCase());
  return {
    ask(text, limit) {
      const words = wordsOf(text);
      return texts
        .map((held, at) => ({ at, hits: words.filter((word) => held.includes(word)).length }))
        .filter(({ hits }) => hits > 0)
        .sort((a, b) => b.hits - a.hits || b.at - a.at)
        .slice(0, limit)
        .map(({ at }) => messages[at]?.id ?? '');
    },
    close: () => {},
  };
}
