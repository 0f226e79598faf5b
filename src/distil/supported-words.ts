import { termsOf } from '../text/words.ts';
import type { QuoteEvidence } from './evidence.ts';
import { withoutCodeBlocks } from './find-quote.ts';
import { contentTerms, disagreement, hasNegation } from './polarity.ts';

/** Share of a statement's words that must come from the evidence. */
const minSupportedShare = 0.5;
/** Share of words that the statement and the sentences of the quote must have in common, unless they share several. */
const minSharedShare = 1 / 3;
const manySharedTerms = 3;

/**
 * Returns why the words of a statement go beyond its evidence, or undefined. The statement must be about the quote. Each
 * clause must rest on the message with the quote, on what that accepts, or on one other sentence that the user settled.
 * What follows "use" or "is" must be typed or accepted.
 */
export function unsupportedWords(statement: string, evidence: QuoteEvidence): string | undefined {
  const { meaning, near, accepted, settled, isReturn, all, earlier } = evidence;
  const isTyped = isTermOf([all, ...earlier].join('\n'));
  const isNear = isTermOf(near);
  const isOwn = isTermOf(all);
  const own = statement.replace(codeName, (name) => (evidence.isKnownName(name) ? ' ' : name));
  const counted = [...new Set(contentTerms(own))].filter((term) => !neutral.has(term));

  const isAbout = isShared([meaning, ...accepted].join('\n'), counted);
  if (!isAbout && !(isReturn && settled.some((text) => isShared(text, counted))))
    return 'Statement and quote have too few words in common. Quote the words that settle it, and state it in words of the user.';

  const object = [...own.matchAll(settledObject)]
    .map(([, used = '', equal = '']) => (used || equal).replace(/[.,-]+$/, ''))
    .find((name) => !isPlainForm(name) && !contentTerms(name).every(isTyped) && !hasNegation(name));
  if (object !== undefined) return `The user did not type "${object}".`;

  const excepted = [...own.matchAll(exception)].find(([, clause = '']) => {
    const terms = contentTerms(clause);
    return terms.length > 0 && !terms.some(isOwn);
  });
  if (excepted !== undefined) return `The user did not say "${excepted[0].trim()}".`;

  const added = clausesOf(own).find((clause) => {
    const terms = contentTerms(clause).filter((term) => !neutral.has(term));
    if (terms.length < 2) return false;
    if (terms.some(isNear) && terms.filter(isOwn).length >= terms.length * minSupportedShare) return false;
    return !settled.some((text) => restsOn(clause, terms, text, isReturn));
  });
  if (added !== undefined) return `The user did not say "${added.trim()}".`;

  return counted.filter(isOwn).length >= counted.length * minSupportedShare
    ? undefined
    : "Write the statement in the user's words.";
}

const exception = /(?<!\p{L})(?:except(?: for| in)?|unless|apart from|other than|excluding)\s+([^,;.()]+)/giu;

const clausesOf = (text: string): string[] => text.split(/[.;,:()–—]\s|(?<!\p{L})and(?!\p{L})/iu);

/** Whether a sentence of the user says a clause. If the user takes something back, the clause may be its opposite. */
function restsOn(clause: string, terms: string[], sentence: string, isReturn: boolean): boolean {
  const said = isTermOf(sentence);
  if (terms.filter(said).length < terms.length / 2) return false;
  return isReturn || disagreement(clause, sentence) === undefined;
}

/** Words with which anybody sums up what a user said. */
const neutral = new Set(
  contentTerms(
    'user person project repo repository code codebase decided decision rule preference currently current always never must instead rather new need want require allow ask only open undecided whether consider unclear make set go change let please ok yes no again anymore longer exception accepted',
  ),
);

/** What follows is what the statement settles: "use axios", "the manager is yarn". */
const settledObject =
  /(?<!\p{L})(?:(?:us(?:e|es|ed|ing)|install|add|import|prefers?|choose|pick|adopt|keep|via|with|=|(?:switch|migrat|mov|chang|set|rais|lower)\p{L}*(?:\s+\S+){0,4}?\s+to)\s+(?:(?:the|a|an|only|always|now)\s+)*([\p{L}\p{N}_$@/.-]+)|(?:is|are)\s+(?:(?:the|a|an|only|always|now)\s+)*([\p{L}\p{N}_$@/-]+)(?=\s*(?:[.,;()]|$)))/giu;

/** Participles and comparatives describe something; they name no tool or value. */
const plainForm =
  /^(?:\p{Ll}+(?:ed|ier|aller|nger|rger|able|ible|less)|kept|done|made|built|sent|left|shown|held|gone|run|given|taken|written|put|set|read|told|found|lost|met|thrown|drawn|hidden|chosen|begun|frozen|cut|split|meant)$/u;
const isPlainForm = (name: string): boolean => plainForm.test(name);

function isShared(text: string, stated: string[]): boolean {
  const quoted = [...new Set(contentTerms(text))].filter((term) => !neutral.has(term));
  const shared = quoted.filter((term) => stated.includes(term)).length;
  return (
    shared >= manySharedTerms ||
    (shared > 0 && shared / Math.min(stated.length, quoted.length) > minSharedShare)
  );
}

/** Numbers count, because they are compared with their units, see statement-values.ts. */
function isTermOf(text: string): (term: string) => boolean {
  const { words, idents } = termsOf(withoutCodeBlocks(text));
  const typed = new Set([...words, ...idents]);
  return (term) =>
    typed.has(term) || neutral.has(term) || /^\d/.test(term) || words.some((word) => isTypo(word, term));
}

const minTypoLength = 5;

/** Whether two words differ by one letter, or by two that are swapped. Writers correct what a user mistyped. */
function isTypo(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < minTypoLength || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

/** A path or an identifier of several parts. */
const codeName = /[\p{L}\p{N}_$@/.\\-]*(?:[/_.\\]|\p{Ll}(?=\p{Lu}))[\p{L}\p{N}_$@/\\-]+/gu;
