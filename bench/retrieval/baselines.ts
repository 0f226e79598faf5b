import { DatabaseSync } from 'node:sqlite';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { deepest } from './metrics.ts';

/**
 * A text as the baseline sees it. The baseline is a careful setup of SQLite's full-text search, written here, so that no
 * change to the product's tokenizer, stemmer or ranking affects it.
 */
export interface Document {
  id: string;
  text: string;
}

/** Ids of documents, best first. */
type Ranker = (question: string, limit?: number) => string[];

/** An event as a person would read it in the log, with every file that a commit changed. */
export function documentOf(event: EventEnvelope): Document | undefined {
  const text = textOf(event);
  return text === undefined ? undefined : { id: event.id, text };
}

function textOf(event: EventEnvelope): string | undefined {
  switch (event.kind) {
    case 'prompt':
    case 'answer':
      return event.body.text;
    case 'edit':
      return `${event.body.created === true ? 'created' : 'edited'} ${event.body.path}`;
    case 'command': {
      const { command, ok, exit, output } = event.body;
      return `$ ${command}\n${output ?? ''}\n${ok ? '' : `failed, exit ${exit ?? 1}`}`;
    }
    case 'commit':
      return `${event.body.hash}\n${event.body.message}\n${event.body.files.join('\n')}`;
    default:
      return undefined;
  }
}

const stopWords = new Set(
  `a about after all also am an and any are as at be been before being but by can could did do does doing done for
  from get got had has have how i if in into is it its just let me my no not of on or our out over own so some such
  than that the their them then there these they this those to too up us use used using very was we were what when
  where which while who why will with would you your s t`.split(/\s+/),
);

/** Chinese has no spaces; it is split into overlapping pairs of characters, as is usual. */
const inPairs = (text: string): string =>
  text.replace(
    /\p{Script=Han}{2,}/gu,
    (run) =>
      ` ${[...run]
        .map((letter, at, all) => letter + (all[at + 1] ?? ''))
        .slice(0, -1)
        .join(' ')} `,
  );

/** Runs of letters and digits in lower case, without stop words unless there are no others. */
export function plainWords(question: string): string[] {
  const all = [...new Set(inPairs(question.toLowerCase()).match(/[\p{L}\p{N}]+/gu) ?? [])];
  const contentWords = all.filter((word) => !stopWords.has(word));
  return contentWords.length > 0 ? contentWords : all;
}

/** FTS5 with Porter's stemmer, any word may match, without stop words: what a careful engineer sets up in an hour. */
export function createFts5(documents: readonly Document[]): Ranker {
  const database = new DatabaseSync(':memory:');
  database.exec(`create virtual table document using fts5 (id unindexed, text, tokenize='porter unicode61')`);
  const insert = database.prepare('insert into document (id, text) values (?, ?)');
  database.exec('begin');
  for (const { id, text } of documents) insert.run(id, inPairs(text));
  database.exec('commit');
  const search = database.prepare(
    `select id from document where document match ? order by bm25(document), rowid desc limit ?`,
  );
  return (question, limit = deepest) => {
    const match = plainWords(question)
      .map((word) => `"${word}"`)
      .join(' OR ');
    return match === '' ? [] : search.all(match, limit).map(({ id }) => id as string);
  };
}
