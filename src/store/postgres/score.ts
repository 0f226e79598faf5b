import { b, identWeight, k1, rarity, wordWeight } from '../../text/bm25.ts';
import type { TermStatistics } from '../store.ts';
import type { Bind } from './chunk-filter.ts';
import { queryOf } from './terms.ts';

/** D, C, B, A: what an occurrence counts. Nothing is stored under C and D. */
const weights = `'{0.1, 0.1, ${identWeight}, ${wordWeight}}'`;

/**
 * BM25 of `chunk c`, as an expression. Postgres' own ranks know nothing of how rare a term is; but asked for a
 * single term, the cover density of a text is the sum of its occurrences' weights, which is all BM25 needs.
 * `count / (count + damping)` is written with one `count`, so that the database computes it once.
 */
export function scoreSql(terms: string[], corpus: TermStatistics, bind: Bind): string {
  const fixed = bind(k1 * (1 - b));
  const perTerm = bind((k1 * b) / Math.max(1, corpus.averageTerms));
  const damping = `(${fixed}::float8 + ${perTerm}::float8 * c.length)`;
  const parts = terms.map((term) => {
    const most = bind(rarity(corpus, term) * (k1 + 1));
    const count = `ts_rank_cd(${weights}, c.terms, ${bind(queryOf(term))}::tsquery)`;
    return `${most}::float8 * (1 - ${damping} / (${count} + ${damping}))`;
  });
  return parts.join(' + ');
}
