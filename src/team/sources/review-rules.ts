import { typedSentences } from '../../distil/sentences.ts';
import { statesSame } from '../../memory/notes/same-statement.ts';
import { lastingRuleOf } from '../../text/lasting-rule.ts';
import { saidInReviewMark } from '../../text/note-text.ts';
import type { ReviewRemark } from '../store/team-sources.ts';

/**
 * Finds rules that reviewers repeat. A remark counts if it is by a person who reviews the code of others, says how
 * things are always done, and can be understood without its line of code. Two such remarks that state the same, on
 * different pull requests, are proposed as a rule, if at least one of them was taken up.
 */
export interface ProposedRule {
  /** Derived from the earliest remark, so that later ones lead to the same proposal. */
  sourceRef: string;
  /** The rule in the words of the latest remark, then a line with the evidence. */
  text: string;
  created: string;
  updated: string;
  evidence: ReviewRemark[];
}

export const ruleRefPrefix = 'review-rule/';

const minRequests = 2;

export function proposedRules(remarks: ReviewRemark[]): ProposedRule[] {
  const groups: Stated[][] = [];
  for (const remark of remarks.toSorted(byTime)) {
    const text = standingRuleIn(remark.text);
    if (text === undefined) continue;
    const stated = { text, remark };
    const group = groups.find((known) => known.some((other) => statesSame(other, stated)));
    if (group === undefined) groups.push([stated]);
    else group.push(stated);
  }
  return groups.flatMap((group) => {
    const evidence = group.map(({ remark }) => remark);
    const [first, last] = [group[0], group.at(-1)];
    const requests = new Set(evidence.map(({ request }) => request));
    if (first === undefined || last === undefined || requests.size < minRequests) return [];
    if (!evidence.some(({ isTakenUp }) => isTakenUp)) return [];
    return [
      {
        sourceRef: `${ruleRefPrefix}${first.remark.sourceRef}`,
        text: `${last.text}\n${saidInReviewMark}${evidence.map(evidenceText).join(', ')}`,
        created: first.remark.created,
        updated: last.remark.created,
        evidence,
      },
    ];
  });
}

const byTime = (a: ReviewRemark, b: ReviewRemark): number =>
  a.created === b.created ? (a.sourceRef < b.sourceRef ? -1 : 1) : a.created < b.created ? -1 : 1;

interface Stated {
  text: string;
  remark: ReviewRemark;
}

const evidenceText = ({ author, request, isTakenUp, url }: ReviewRemark): string =>
  `${request} by ${author}${isTakenUp ? ', taken up' : ''} (${url})`;

const maxRuleLength = 300;
/** Labels that reviewers put before a remark. */
const label =
  /^(?:nit(?:pick)?|minor|style|suggestion|note|please note|reminder|fyi)\s*(?:\([^)]*\))?\s*[:,–-]\s*/iu;
/** What the team does, as in "we never log tokens", and prohibitions, as in "don't use default exports". */
const teamRule =
  /^(?:please\s+)?(?:(?:we|our)\s(?:[^.?!]*\s)?(?:always|never|don'?t|do not|only|avoid|prefer|must|should(?:n'?t)?|require)(?!\p{L})|(?:do not|don'?t|avoid|prefer|in this (?:repo(?:sitory)?|project|code ?base))\s)/iu;
/** Words that point at the line of code: such a remark is not a rule, or cannot be understood without the line. */
const pointing = /(?<!\p{L})(?:here|this|that|these|those|it|its|above|below|line)(?!\p{L})/iu;
const inThisProject = /\bin this (?:repo(?:sitory)?|project|code ?base)\b/giu;

/** The first sentence that is a standing rule, or undefined. */
export function standingRuleIn(text: string): string | undefined {
  return typedSentences(text)
    .map((sentence) => sentence.replace(label, '').trim())
    .find(
      (sentence) =>
        sentence.length <= maxRuleLength &&
        !sentence.endsWith('?') &&
        !pointing.test(sentence.replace(inThisProject, '')) &&
        (lastingRuleOf(sentence) === 'rule' || teamRule.test(sentence)),
    );
}
