import { b, identWeight, k1, wordWeight } from '../../text/bm25.ts';
import type { FoundMemories, MemoryQuestion, TokenHash } from '../store/team-store.ts';
import type { Database } from './connect.ts';
import { type MemoryRow, memoryOf } from './memories.ts';
import { authorized } from './tenant.ts';
import { queryOf, searchableTerms } from './text-query.ts';
import { vectorBytes } from './vector-bytes.ts';

interface FoundRow extends MemoryRow {
  updated: string;
  /** The part of the memory's text that matched; null if it is the whole text. */
  said: string | null;
  nearness: number;
  graph: number;
  /**
   * The next three fields are statistics of the whole project. They are set only in the first row, and only if the
   * question has terms.
   */
  chunks: string | null;
  average_terms: number | null;
  frequencies: string[] | null;
}

/**
 * Columns of the result. Values that are the same in every row are returned only once and empty ones as null, because
 * parsing the rows takes most of the time.
 */
export const foundColumns = `id as "documentId", source, source_ref as "sourceRef", text,
  nullif(metadata, '{}') as metadata, updated, embedded_at as "embeddedAt", said, nearness, graph, frequencies, case when frequencies is not null then chunks end as chunks,
  case when frequencies is not null then average_terms end as average_terms`;

const searchStatement = `select ${foundColumns} from backstory.search($1, $2, $3, $4, $5::vector::halfvec, $6, $7, $8, $9)`;

export function searchValues(token: TokenHash, project: string, question: MemoryQuestion): unknown[] {
  const { weights, meaning } = question;
  return [
    token,
    project,
    searchableTerms(question.terms).map(queryOf),
    meaning?.model ?? null,
    meaning === undefined ? null : vectorBytes(meaning.vector),
    question.targets,
    question.sources ?? null,
    question.limit,
    [wordWeight, identWeight, k1, b, weights.meaning, weights.contrast, weights.minNearness, weights.graph],
  ];
}

/** Authorizes the caller and searches in one round trip. */
export async function searchMemories(
  database: Database,
  token: TokenHash,
  project: string,
  question: MemoryQuestion,
): Promise<FoundMemories> {
  const terms = searchableTerms(question.terms);
  const rows = await authorized(() =>
    database.query<FoundRow>(searchStatement, searchValues(token, project, question), 'search'),
  );
  const [first] = rows;
  return {
    found: rows.map((row) => ({
      memory: memoryOf(row, project),
      updated: Date.parse(row.updated),
      sliceText: row.said ?? row.text,
      nearness: row.nearness,
      graph: row.graph,
    })),
    corpus: {
      chunks: Number(first?.chunks ?? 0),
      averageTerms: first?.average_terms ?? 0,
      frequency: new Map(terms.map((term, at) => [term, Number(first?.frequencies?.[at] ?? 0)])),
    },
  };
}
