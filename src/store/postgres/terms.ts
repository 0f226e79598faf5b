import type { Terms } from '../../text/words.ts';

/**
 * Terms as tsvector and tsquery. They are cut by text/words.ts and only compared here, so Postgres' own
 * parsers and dictionaries stay out of it: the values are written in the types' input syntax, each term
 * quoted, so that no text can be read as syntax.
 */
const quoted = (term: string): string => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** Of a term that comes often, Postgres keeps the first 255 places. */
export function vectorOf({ words, idents }: Terms): string {
  const places = new Map<string, string[]>();
  const add = (term: string, place: string) => {
    const known = places.get(term);
    if (known === undefined) places.set(term, [place]);
    else known.push(place);
  };
  for (const [at, term] of words.entries()) add(term, `${at + 1}A`);
  for (const [at, term] of idents.entries()) add(term, `${words.length + at + 1}B`);
  return [...places].map(([term, all]) => `${quoted(term)}:${all.join(',')}`).join(' ');
}

/** What the splitter can have made; anything else is in no chunk, and some of it Postgres would refuse. */
const possibleTerm = /^[\p{L}\p{M}\p{N}_$]{1,64}$/u;

export const askable = (terms: string[]): string[] =>
  [...new Set(terms)].filter((term) => possibleTerm.test(term));

/** Found by this one term. */
export const queryOf = quoted;

/** Found by any of the terms. */
export const anyOf = (terms: string[]): string => terms.map(quoted).join(' | ');
