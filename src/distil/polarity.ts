import { isStopWord, termsOf } from '../text/words.ts';

/** What a text says of each of its words: that it applies, that it does not, or both. */
export type Polarity = 'yes' | 'no' | 'both';

const edge = (words: string): string => `(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`;

/** Answers what was said before: "no, use pnpm". It negates nothing in its own sentence. */
const interjection = /(^|[.!?\n]\s*)(?:no|nope|nah|nein|non|нет)(?:\s*[,.!;–—]+|\s+-)\s+/giu;
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
/** Negates what follows in the clause: "pnpm, not npm", "stop using npm". */
const ofRest = new RegExp(
  edge(
    'not|no|never|none|nothing|nobody|neither|nor|without|instead of|rather than|avoid(?:ing|s)?|stop(?:ped|s)?|drop(?:ping|s)?|skip(?:ping|s)?|remov(?:e|es|ing)|ditch|forbids?|bans?|get rid of|nicht|kein\\p{L}*|nie|niemals|ohne|statt|pas|jamais|sans|sin|nunca|jamás|sem|não|не|никогда|без|вместо',
  ),
  'iu',
);
const replaced = [
  /(?:switch|mov|migrat|chang|go|went|rais|lower|bump|increas|reduc|renam|port)\p{L}*\s(?:.*\s)?from\s(.+?)\sto\s/iu,
  /(?:replac|swap)\p{L}*\s(.+?)\s(?:with|by|for)\s/iu,
];
const past = new RegExp(edge('was|were|previously|formerly|earlier|used to|before|until now'), 'iu');

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
  ofClause.test(prepared(text)) || ofRest.test(prepared(text));

export function polarityOf(text: string): Map<string, Polarity> {
  const found = new Map<string, Polarity>();
  const add = (words: string, polarity: Polarity): void => {
    for (const term of contentTerms(words)) {
      const known = found.get(term) ?? polarity;
      found.set(term, known === polarity ? polarity : 'both');
    }
  };
  for (const clause of prepared(text).split(clauseEnd)) {
    const old = replaced.map((pattern) => pattern.exec(clause)?.[1]).find((words) => words !== undefined);
    const rest = old === undefined ? clause : clause.replace(old, ' ');
    if (old !== undefined) add(old, 'no');
    const negated = ofRest.exec(rest);
    if (past.test(rest)) add(rest, 'both');
    else if (ofClause.test(rest)) add(rest, 'no');
    else if (negated === null) add(rest, 'yes');
    else {
      add(rest.slice(0, negated.index), 'yes');
      add(rest.slice(negated.index + negated[0].length), 'no');
    }
  }
  return found;
}

/** Returns why two texts contradict each other about a word that both have, or undefined if they agree. */
export function disagreement(statement: string, source: string): string | undefined {
  const stated = polarityOf(statement);
  const said = polarityOf(source);
  const shared = [...stated].filter(([term]) => said.has(term));
  const opposed = shared.find(
    ([term, polarity]) => polarity !== 'both' && said.get(term) !== 'both' && said.get(term) !== polarity,
  );
  if (opposed !== undefined) return `one negates "${opposed[0]}" and the other does not`;
  const agrees = shared.some(([term, polarity]) => polarity !== 'both' && said.get(term) === polarity);
  return agrees || hasNegation(statement) === hasNegation(source)
    ? undefined
    : 'only one of them is a negation';
}
