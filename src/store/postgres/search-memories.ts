import { b, identWeight, k1, wordWeight } from '../../text/bm25.ts';
import type { FoundMemories, MemoryQuestion, TokenHash } from '../team-store.ts';
import type { Database } from './connect.ts';
import { type MemoryRow, memoryOf } from './memories.ts';
import { gate } from './tenant.ts';
import { askable, queryOf } from './terms.ts';
import { vectorText } from './vectors.ts';

interface FoundRow extends MemoryRow {
  updated: Date;
  /** Null when it is the whole text. */
  said: string | null;
  nearness: number;
  graph: number;
  score: number;
  chunks: string;
  average_terms: number;
  frequencies: string[] | null;
}

/** The statement is named, so that a connection parses it once. */
export const searchStatement = 'select * from backstory.search($1, $2, $3, $4, $5, $6, $7, $8, $9)';

export function searchValues(token: TokenHash, project: string, question: MemoryQuestion): unknown[] {
  const { weights, meaning } = question;
  return [
    token,
    project,
    askable(question.terms).map(queryOf),
    meaning?.model ?? null,
    meaning === undefined ? null : vectorText(meaning.vector),
    question.targets,
    question.sources ?? null,
    question.limit,
    [wordWeight, identWeight, k1, b, weights.meaning, weights.contrast, weights.leastNearness, weights.graph],
  ];
}

/** One round trip: who asks, what they may see and what answers them. */
export async function searchMemories(
  database: Database,
  token: TokenHash,
  project: string,
  question: MemoryQuestion,
): Promise<FoundMemories> {
  const terms = askable(question.terms);
  const rows = await gate(() =>
    database.query<FoundRow>(searchStatement, searchValues(token, project, question)),
  );
  const [first] = rows;
  return {
    found: rows.map((row) => ({
      memory: memoryOf(row, project),
      updated: row.updated.getTime(),
      said: row.said ?? row.text,
      nearness: row.nearness,
      graph: row.graph,
      score: row.score,
    })),
    corpus: {
      chunks: Number(first?.chunks ?? 0),
      averageTerms: first?.average_terms ?? 0,
      frequency: new Map(terms.map((term, at) => [term, Number(first?.frequencies?.[at] ?? 0)])),
    },
  };
}
