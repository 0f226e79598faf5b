import type { Terms } from '../../text/words.ts';

/**
 * Writes terms as tsvector and tsquery values. text/words.ts does the tokenizing, so Postgres' parsers and dictionaries
 * are not used. Each term is quoted, so that user input is never query syntax.
 */
const quoted = (term: string): string => `'${/['\\]/.test(term) ? term.replace(/['\\]/g, '$&$&') : term}'`;

/**
 * Formats terms as a tsvector, with one entry per position of a term. Postgres sorts and merges entries anyway,
 * faster than this code could. It keeps the first 255 positions of a term.
 */
export function vectorOf({ words, idents }: Terms): string {
  let vector = '';
  let position = 0;
  for (const term of words) vector += `${quoted(term)}:${++position}A `;
  for (const term of idents) vector += `${quoted(term)}:${++position}B `;
  return vector;
}

/**
 * Matches every term that the tokenizer can produce. Any other term occurs in no chunk, and Postgres would reject some
 * in a query.
 */
const possibleTerm = /^[\p{L}\p{M}\p{N}_$]{1,64}$/u;

export const searchableTerms = (terms: string[]): string[] =>
  [...new Set(terms)].filter((term) => possibleTerm.test(term));

/** Formats one term as a tsquery that matches it. */
export const queryOf = quoted;
