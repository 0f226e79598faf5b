import type { Terms } from '../../text/words.ts';

/**
 * Terms as tsvector and tsquery. They are cut by text/words.ts and only compared here, so Postgres' own
 * parsers and dictionaries stay out of it: the values are written in the types' input syntax, each term
 * quoted, so that no text can be read as syntax.
 */
const quoted = (term: string): string => `'${/['\\]/.test(term) ? term.replace(/['\\]/g, '$&$&') : term}'`;

/**
 * Each place as an entry of its own: Postgres sorts and joins them in any case, and does it faster. Of a term that
 * comes often, it keeps the first 255 places.
 */
export function vectorOf({ words, idents }: Terms): string {
  let written = '';
  let place = 0;
  for (const term of words) written += `${quoted(term)}:${++place}A `;
  for (const term of idents) written += `${quoted(term)}:${++place}B `;
  return written;
}

/** What the splitter can have made; anything else is in no chunk, and some of it Postgres would refuse. */
const possibleTerm = /^[\p{L}\p{M}\p{N}_$]{1,64}$/u;

export const askable = (terms: string[]): string[] =>
  [...new Set(terms)].filter((term) => possibleTerm.test(term));

/** Found by this one term. */
export const queryOf = quoted;
