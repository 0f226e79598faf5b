import { isStopWord, termsOf } from '../text/words.ts';

/** What a text says of one of its words: that it applies, that it does not, or both. */
export type Polarity = 'yes' | 'no' | 'both';

const edge = (words: string): string => `(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`;

/** Answers what was said before: "no, use pnpm". It negates nothing in its own sentence. */
const interjection =
  /(^|[.!?\n]\s*)(?:no|nope|nah|nein|non|нет)(?:(?:\s*[,.!;–—]+|\s+-)\s+|\s+(?=(?:make|use|keep|go|it|its|i|we|you|they|this|that|the|just|please|let|wait|do|don'?t|but|so|not)\s))/giu;
const affirmative = new RegExp(
  edge("(?:do not|don'?t|never) forget(?: to)?|not only|why not|no (?:problem|worries|matter|doubt)|or not"),
  'giu',
);

/** A negated verb, or a verdict after its subject, negates the whole clause: "npm is not used", "npm is banned". */
const ofClause = new RegExp(
  edge(
    "(?:is|are|was|were|be|been|do|does|did|should|must|can|could|may|might|will|would|has|have|had|am) (?:not|never|no)|cannot|(?:do|does|did|is|are|was|were|ca|could|wo|would|should|must|need|has|have|had)n'?t|no longer|any ?more|forbidden|banned|disallowed|prohibited|deprecated|dropped|removed|gone|abandoned|rejected|withdrawn|nonsense|nicht (?:mehr|erlaubt)|больше не|нельзя",
  ),
  'iu',
);
/** Negates what follows in the clause: "pnpm, not npm". */
const ofRest = new RegExp(
  edge(
    'not|no|never|none|nothing|nobody|neither|nor|without|instead of|rather than|nicht|kein\\p{L}*|nie|niemals|ohne|statt|pas|jamais|sans|sin|nunca|jamás|sem|não|не|никогда|без|вместо',
  ),
  'iu',
);
/** Verbs that negate their object. What stands before them may belong to it: "completely remove the cache". */
const removal = new RegExp(
  edge(
    'avoid(?:ing|s)?|stop(?:ped|s)?|drop(?:ping|s)?|skip(?:ping|s)?|remov(?:e|es|ing)|ditch|forbids?|bans?|get rid of',
  ),
  'iu',
);
const replaced = [
  /(?:switch|mov|migrat|chang|go|went|rais|lower|bump|increas|reduc|renam|port)\p{L}*\s(?:.*\s)?from\s(.+?)\sto\s/iu,
  /(?:replac|swap)\p{L}*\s(.+?)\s(?:with|by|for)\s/iu,
];
const past = new RegExp(edge('was|were|previously|formerly|(?:we|i|it|they) used to|until now'), 'iu');

const clauseEnd = new RegExp(
  [
    '[,;:()–—\\n!?]+',
    '\\.(?=\\s|$)',
    edge('but|so|because|since|then|although|though|while|whereas|in favou?r of|aber|mais|pero|но'),
    `${edge('and|or')}(?=\\s+(?:use|keep|go|make|put|take|always|never|do|don'?t|run|set|let|prefer)\\b)`,
    "(?<!(?:not|n't|dont|never|to|we|i|you|they|should|must|can|only|always|please|just|will|and|or)\\s)(?<=\\S\\s)(?=(?:use|prefer)\\s)",
  ].join('|'),
  'iu',
);

const prepared = (text: string): string =>
  text
    .replace(/[‘’ʼ]/g, "'")
    .replace(interjection, '$1')
    .replace(affirmative, ' ')
    // A verdict on the clause before: "…, which is nonsense".
    .replace(/,\s*(?=which\s)/gi, ' ');

export const contentTerms = (text: string): string[] =>
  termsOf(text).words.filter((term) => !isStopWord(term));

export const hasNegation = (text: string): boolean =>
  [ofClause, ofRest, removal].some((pattern) => pattern.test(prepared(text)));

export const polarityOf = (text: string): Map<string, Polarity> => read(text).polarity;

interface Reading {
  polarity: Map<string, Polarity>;
  /** The words that are negated together, one list for each negation. */
  negated: string[][];
}

function read(text: string): Reading {
  const reading: Reading = { polarity: new Map(), negated: [] };
  for (const clause of prepared(text).split(clauseEnd)) readClause(clause, reading);
  return reading;
}

function readClause(clause: string, { polarity, negated }: Reading): void {
  const add = (words: string, sign: Polarity): void => {
    const terms = contentTerms(words);
    if (sign === 'no') negated.push(terms);
    for (const term of terms) polarity.set(term, (polarity.get(term) ?? sign) === sign ? sign : 'both');
  };
  const old = replaced.map((pattern) => pattern.exec(clause)?.[1]).find((words) => words !== undefined);
  const rest = old === undefined ? clause : clause.replace(old, ' ');
  if (old !== undefined) add(old, 'no');
  const [negator, remover] = [ofRest.exec(rest), removal.exec(rest)];
  const first = negator ?? remover;
  if (past.test(rest)) add(rest, 'both');
  else if (ofClause.test(rest)) add(rest, 'no');
  else if (first === null) add(rest, 'yes');
  else {
    add(rest.slice(0, first.index), negator === null ? 'both' : 'yes');
    add(rest.slice(first.index + first[0].length), 'no');
  }
}

/** Returns why two texts contradict each other about a word that both have, or undefined if they agree. */
export function disagreement(statement: string, source: string): string | undefined {
  const [stated, said] = [read(statement), read(source)];
  const shared = [...stated.polarity].filter(([term]) => said.polarity.has(term));
  const opposed = shared.find(([term, sign]) => {
    const other = said.polarity.get(term);
    if (sign === 'both' || other === 'both' || sign === other) return false;
    return sign === 'no' ? !isExcused(term, stated, said) : !isExcused(term, said, stated);
  });
  if (opposed !== undefined) return `one negates "${opposed[0]}" and the other does not`;
  const agrees = shared.some(([term, sign]) => sign !== 'both' && said.polarity.get(term) === sign);
  return agrees || hasNegation(statement) === hasNegation(source)
    ? undefined
    : 'only one of them is a negation';
}

/**
 * Whether a word is negated only together with another one that both texts negate: "don't merge cells" and "cells are
 * empty and not merged" agree on merging.
 */
const isExcused = (term: string, negating: Reading, other: Reading): boolean =>
  negating.negated.some(
    (together) => together.includes(term) && together.some((word) => other.polarity.get(word) === 'no'),
  );
