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
    'not|no|never|none|nothing|nobody|nowhere|neither|nor|zero|without|w/o|instead of|in place of|rather than|nicht|kein\\p{L}*|nie|niemals|ohne|statt|pas|jamais|sans|sin|nunca|jamás|sem|não|не|никогда|без|вместо',
  ),
  'iu',
);
/** Verbs that negate their object. What stands before them may belong to it: "completely remove the cache". */
const removal = new RegExp(
  edge(
    'avoid(?:ing|s)?|re(?:f|st)rain(?:ing|s)? from|stop(?:ped|s)?|drop(?:ping|s)?|skip(?:ping|s)?|remov(?:e|es|ing)|replac(?:e|es|ing)|ditch|forbids?|bans?|get rid of',
  ),
  'iu',
);
const replaced = [
  /(?:switch|mov|migrat|chang|go|went|rais|lower|bump|increas|reduc|renam|port)\p{L}*\s(?:.*\s)?from\s(.+?)\sto\s/iu,
  /(?:replac|swap)\p{L}*\s(.+?)\s(?:with|by|for)\s/iu,
];
/** What is changed may be the old value or the thing that has it: "change blue to orange", "change the limit to 5". */
const changed = /(?:chang|switch|convert|turn|swap)\p{L}*\s(.+?)\s(?:in)?to\s/iu;
const past = new RegExp(edge('was|were|previously|formerly|(?:we|i|it|they) used to|until now'), 'iu');

const clauseEnd = new RegExp(
  [
    '[,;:()–—\\n!?]+',
    '\\.(?=\\s|$)',
    edge('but|so|because|since|then|although|though|while|whereas|in favou?r of|aber|mais|pero|но'),
    `${edge('and|or')}(?=\\s+(?:use|keep|go|make|put|take|always|never|do|don'?t|run|set|let|prefer|should|must|can|will|may|with|without|in|on|for)\\b)`,
    `${edge('y|et|und|e|и')}(?=\\s+(?:con|sin|mit|ohne|avec|sans|com|sem|с|без|usa|utilise|verwende)\\s)`,
    "(?<!(?:not|n't|dont|never|to|we|i|you|they|should|must|can|only|always|please|just|will|and|or)\\s)(?<=\\S\\s)(?=(?:use|prefer)\\s)",
  ].join('|'),
  'iu',
);

/** What stands in parentheses belongs to its clause, unless it negates something itself. */
const withoutParentheses = (text: string): string =>
  text.replace(/\(([^()]*)\)/gu, (_, inner: string) =>
    ofRest.test(inner) || ofClause.test(inner) ? `; ${inner} ; ` : ` ${inner} `,
  );

const prepared = (text: string): string =>
  withoutParentheses(text)
    .replace(/[‘’ʼ]/g, "'")
    .replace(interjection, '$1')
    .replace(affirmative, ' ')
    // A verdict on the clause before: "…, which is nonsense".
    .replace(/,\s*(?=which\s)/gi, ' ');

export const contentTerms = (text: string): string[] =>
  termsOf(text).words.filter((term) => !isStopWord(term));

/** Whether a text removes or ends something: "drop the cache". */
export const hasRemoval = (text: string): boolean => removal.test(prepared(text));

export const hasNegation = (text: string): boolean =>
  [ofClause, ofRest, removal].some((pattern) => pattern.test(prepared(text)));

export const polarityOf = (text: string): Map<string, Polarity> => read(text).polarity;

/** The words that are negated together. */
interface Negation {
  terms: string[];
  /** The first word after the negation, which it denies. None for a verdict on the whole clause: "npm is banned". */
  head: string | undefined;
  /** Whether the verb is negated ("is not used") rather than a thing ("not zod"). */
  isOfClause: boolean;
  /** Whether it names what something takes the place of: "instead of zod". */
  isReplaced: boolean;
}

interface Reading {
  polarity: Map<string, Polarity>;
  negations: Negation[];
  /** What the clause before says, to which an exception is the opposite. */
  last: Polarity;
  /** Rules with an exception: what holds in general, and for what it does not. */
  exceptions: [general: string, object: string][];
}

/** `other` is the text with which this one is compared. */
function read(text: string, other = ''): Reading {
  const reading: Reading = { polarity: new Map(), negations: [], last: 'yes', exceptions: [] };
  const others = new Set(contentTerms(other));
  for (const clause of prepared(text).split(clauseEnd)) readClause(clause, reading, others);
  // A word that the text also asserts is not what a negation is about: "half-Cauchy instead of half-normal".
  const isOnlyDenied = (term: string): boolean => reading.polarity.get(term) === 'no';
  reading.negations = reading.negations.flatMap((one) => {
    const terms = one.terms.filter(isOnlyDenied);
    const head = one.head === undefined || isOnlyDenied(one.head) ? one.head : terms[0];
    return terms.length === 0 ? [] : [{ ...one, terms, head }];
  });
  return reading;
}

const exception = new RegExp(
  edge('except(?: for| in)?|excluding|apart from|other than|with the exception of|außer|sauf|salvo|кроме'),
  'iu',
);

function readClause(clause: string, reading: Reading, others: Set<string>): void {
  const excepted = exception.exec(clause);
  if (excepted === null) {
    readPlain(clause, reading);
    return;
  }
  const [object = '', ...further] = clause
    .slice(excepted.index + excepted[0].length)
    .split(/(?<=\s)(?=(?:which|who)\s)/u);
  const general = clause.slice(0, excepted.index);
  readPlain(general, reading);
  const sign = reading.last;
  if (contentTerms(general).length > 0 && sign === 'yes') reading.exceptions.push([general, object]);
  // "Never, except X" allows X. If the other text is about X, what it says of the subject is no contradiction.
  if (sign === 'no' && contentTerms(object).some((term) => others.has(term)))
    for (const term of contentTerms(general)) reading.polarity.set(term, 'both');
  readPlain(object, reading);
  for (const term of contentTerms(object)) reading.polarity.set(term, sign === 'no' ? 'yes' : 'both');
  readPlain(further.join(' '), reading);
}

const negatedVerb = /(?:not|never|no|n'?t|no longer)$/iu;
/** "removed" belongs to what is said; "is not" does not. */
const verdictOf = (word: string): string => (/\s|n'?t$/iu.test(word) ? '' : word);
const replacing = /^(?:instead of|in place of|rather than|statt|вместо)$/iu;

function readPlain(clause: string, reading: Reading): void {
  const add = (words: string, sign: Polarity): string[] => {
    const terms = contentTerms(words);
    if (terms.length > 0) reading.last = sign;
    for (const term of terms) {
      const known = reading.polarity.get(term) ?? sign;
      reading.polarity.set(term, known === sign ? sign : 'both');
    }
    return terms;
  };
  const deny = (words: string, denied: string, kind: 'clause' | 'thing' | 'replaced'): void => {
    const terms = add(words, 'no');
    if (terms.length === 0) return;
    const [head] = contentTerms(denied);
    reading.negations.push({ terms, head, isOfClause: kind === 'clause', isReplaced: kind === 'replaced' });
  };
  const change = replaced.map((pattern) => pattern.exec(clause)).find((found) => found !== null);
  const old = change?.[1];
  const either = old === undefined ? changed.exec(clause)?.[1] : undefined;
  // The verb negates what is replaced, and not what takes its place: "replace it with a selector".
  const rest = clause.replace(change?.[0] ?? either ?? '', ' ');
  if (old !== undefined) deny(old, old, 'replaced');
  if (either !== undefined) add(either, 'both');
  const [negator, remover, verdict] = [ofRest.exec(rest), removal.exec(rest), ofClause.exec(rest)];
  const first = negator ?? remover;
  const after = (found: RegExpExecArray): string => rest.slice(found.index + found[0].length);
  if (past.test(rest)) add(rest, 'both');
  else if (verdict !== null) {
    const denied = negatedVerb.test(verdict[0]) ? after(verdict) : '';
    deny(`${rest.slice(0, verdict.index)} ${verdictOf(verdict[0])} ${after(verdict)}`, denied, 'clause');
  } else if (first === null) add(rest, 'yes');
  else {
    add(rest.slice(0, first.index), negator === null ? 'both' : 'yes');
    deny(after(first), after(first), replacing.test(first[0]) ? 'replaced' : 'thing');
  }
}

/** What else is known when a statement is compared with its source. */
export interface Background {
  /** The user's part of the source. */
  quote: string;
  /** The current statement on the topic, which the new one may replace: "zod instead of valibot". */
  current: string;
  /** Other sentences of the user that may be repeated. */
  settled: string[];
  /** Whether the source takes something back. Then what is current may be negated. */
  isReturn: boolean;
}

/** Returns why two texts contradict each other, or undefined if they agree. */
export function disagreement(statement: string, source: string, background?: Background): string | undefined {
  const [stated, said] = [read(statement, source), read(source, statement)];
  const current = read(background?.current ?? '').polarity;
  const quoted = read(background?.quote ?? source).polarity;
  // The agent's proposal may describe what it replaces.
  const isReplaced = ({ isOfClause }: Negation, term: string): boolean =>
    !isOfClause && current.get(term) === 'yes' && quoted.get(term) !== 'yes';
  const denied =
    stated.negations
      .map((one) => [one, deniedBy(one, said)] as const)
      .find(([one, term]) => term !== undefined && !isReplaced(one, term))?.[1] ??
    said.negations.map((one) => deniedBy(one, stated)).find((term) => term !== undefined);
  if (denied !== undefined) return `one negates "${denied}" and the other does not`;
  const ruled = stated.exceptions.find(([general, object]) => isSaidOf(general, object, source));
  if (ruled !== undefined) return `the quote says of "${ruled[1].trim()}" what the statement excepts it from`;
  if (background !== undefined) {
    const unsaid = stated.negations.find((one) => !isJustified(one, said, background));
    return unsaid && `the user did not negate "${unsaid.head ?? unsaid.terms.join(' ')}"`;
  }
  const agrees = [...stated.polarity].some(
    ([term, sign]) => sign !== 'both' && said.polarity.get(term) === sign,
  );
  return agrees || hasNegation(statement) === hasNegation(source)
    ? undefined
    : 'only one of them is a negation';
}

/**
 * Returns the word that a negation denies although the other text asserts it. A negation denies the word after it:
 * "don't merge cells" says nothing against cells. If the other text does not have that word, it must assert at least
 * half of what is negated, so "it doesn't fit the node budget" does not deny that there are nodes.
 */
function deniedBy({ head, terms }: Negation, { polarity }: Reading): string | undefined {
  const sign = head === undefined ? undefined : polarity.get(head);
  if (sign !== undefined) return sign === 'yes' ? head : undefined;
  const asserted = terms.filter((term) => polarity.get(term) === 'yes');
  return asserted.length >= terms.length / 2 ? asserted[0] : undefined;
}

/** Whether the user negated it too, in the source or in another sentence, or changed or took back what was current. */
function isJustified(negation: Negation, said: Reading, background: Background): boolean {
  const { current, settled, isReturn } = background;
  const isOpen = (term: string): boolean => said.polarity.get(term) === 'both';
  if (isNegatedIn(negation, said) || isOpen(negation.head ?? '')) return true;
  if (negation.head === undefined && negatesSomething(said)) return true;
  const { polarity } = read(current);
  const known = negation.terms.filter((term) => polarity.has(term));
  const isDenied = known.some((term) => polarity.get(term) !== 'yes');
  // What is taken back denies what is restored.
  if (isReturn && isDenied) return false;
  if (settled.some((text) => isNegatedIn(negation, read(text)))) return true;
  if (settled.some((text) => isChanged(negation, read(text), said))) return true;
  return known.length >= negation.terms.length / 2 && !isDenied && (isReturn || !negation.isOfClause);
}

const negatesSomething = ({ negations }: Reading): boolean => negations.length > 0;

const isNegatedIn = ({ head, terms }: Negation, { polarity }: Reading): boolean =>
  head !== undefined && polarity.has(head)
    ? polarity.get(head) === 'no'
    : terms.some((term) => polarity.get(term) === 'no');

/** Whether the user asserted it before, and the source says something else of the same subject. */
function isChanged({ terms, isOfClause, isReplaced }: Negation, before: Reading, said: Reading): boolean {
  if (isOfClause || terms.filter((term) => before.polarity.get(term) === 'yes').length < terms.length / 2)
    return false;
  return (
    isReplaced || [...before.polarity.keys()].some((term) => !terms.includes(term) && said.polarity.has(term))
  );
}

/** Whether a clause of the source says of the excepted object what holds in general. */
function isSaidOf(general: string, object: string, source: string): boolean {
  const [rule, excepted] = [contentTerms(general), contentTerms(object)];
  return prepared(source)
    .split(clauseEnd)
    .filter((clause) => !exception.test(clause) && !hasNegation(clause))
    .map((clause) => new Set(contentTerms(clause)))
    .some(
      (said) =>
        excepted.some((term) => said.has(term)) &&
        rule.filter((term) => said.has(term)).length >= Math.max(1, rule.length / 2),
    );
}
