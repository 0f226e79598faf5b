import { polarityOf } from '../../distil/polarity.ts';
import { typedSentences } from '../../distil/sentences.ts';
import { saidInReviewMark } from '../../text/note-text.ts';
import { queryTerms } from '../../text/words.ts';
import type { ReviewRemark } from '../store/team-sources.ts';

/**
 * Finds rules that reviewers repeat. Few reviewers write "we always"; that a remark comes back on another pull request
 * is the better sign. So two remarks that ask for something, share enough words and do not contradict each other
 * count as the same. They are proposed as a rule if they are about two pull requests and one of them was taken up.
 */
export interface ProposedRule {
  /** Derived from the earliest remark, so that later ones lead to the same proposal. */
  sourceRef: string;
  /** The latest sentence, if possible one that does not point at a line of code; then a line with the evidence. */
  text: string;
  created: string;
  updated: string;
  evidence: ReviewRemark[];
}

export const ruleRefPrefix = 'review-rule/';

const minRequests = 2;

export function proposedRules(remarks: ReviewRemark[]): ProposedRule[] {
  const groups: Wish[][] = [];
  for (const remark of remarks.toSorted(byTime)) {
    const wish = wishOf(remark);
    if (wish === undefined) continue;
    const group = groups.find((known) => known.some((other) => areSame(other, wish)));
    if (group === undefined) groups.push([wish]);
    else group.push(wish);
  }
  return groups.flatMap((group) => {
    const evidence = group.map(({ remark }) => remark);
    const [first, last] = [evidence[0], evidence.at(-1)];
    const requests = new Set(evidence.map(({ request }) => request));
    const said = group.flatMap(({ sentences }) => sentences).filter((sentence) => !sentence.endsWith('?'));
    const rule = said.findLast((sentence) => !pointsAtLine(sentence)) ?? said.at(-1);
    if (first === undefined || last === undefined || requests.size < minRequests) return [];
    if (rule === undefined || !evidence.some(({ isTakenUp }) => isTakenUp)) return [];
    return [
      {
        sourceRef: `${ruleRefPrefix}${first.sourceRef}`,
        text: `${rule}\n${saidInReviewMark}${evidence.map(evidenceText).join(', ')}`,
        created: first.created,
        updated: last.created,
        evidence,
      },
    ];
  });
}

const byTime = (a: ReviewRemark, b: ReviewRemark): number =>
  a.created === b.created ? (a.sourceRef < b.sourceRef ? -1 : 1) : a.created < b.created ? -1 : 1;

const evidenceText = ({ author, request, isTakenUp, url }: ReviewRemark): string =>
  `${request} by ${author}${isTakenUp ? ', taken up' : ''} (${url})`;

/** A remark in which a reviewer asks for something. */
interface Wish {
  remark: ReviewRemark;
  /** The sentences that ask for it. */
  sentences: string[];
  text: string;
  words: Set<string>;
}

function wishOf(remark: ReviewRemark): Wish | undefined {
  const sentences = wishesIn(remark.text);
  if (sentences.length === 0) return undefined;
  const text = typedSentences(remark.text).join(' ');
  const words = new Set(queryTerms(text).terms.filter((word) => !ofReviews.has(word)));
  return { remark, sentences, text, words };
}

const minShared = 2;
/** Two remarks share at least this part of the words of both. */
const minShare = 1 / 3;

/** Whether two remarks ask for the same. What one asks for and the other forbids is not the same. */
function areSame(one: Wish, other: Wish): boolean {
  const shared = [...one.words].filter((word) => other.words.has(word));
  if (shared.length < minShared || 2 * shared.length < minShare * (one.words.size + other.words.size))
    return false;
  const [here, there] = [polarityOf(one.text), polarityOf(other.text)];
  return shared.every((word) => !here.has(word) || !there.has(word) || here.get(word) === there.get(word));
}

/** Words that reviewers use for anything, as stems. */
const ofReviews = new Set(
  'pleas pls plz nit minor use need alwai never onli must like instead rather prefer avoid ad add make thing code chang pr still otherwis want keep put give work look everywher'.split(
    ' ',
  ),
);

const maxRuleLength = 300;
/** Labels that reviewers put before a remark. */
const label =
  /^(?:nit(?:pick)?|minor|style|suggestion|note|please note|reminder|fyi)\s*(?:\([^)]*\))?\s*[:,–-]\s*/iu;
const wish =
  /(?<!\p{L})(?:please|pls|plz|don'?t|do not|never|always|only|avoid|prefer|instead of|rather than|should(?:n'?t)?|must|needs?|has to|have to|everywhere|no|not|use)(?!\p{L})/iu;
/** What is said about the pull request, not about its code. */
const aboutRequest =
  /(?<!\p{L})(?:rebas\p{L}*|ci|lgtm|approv\p{L}*|merg(?:e|ed|ing)|typos?|flaky|green|retry\p{L}*|conflicts?|thanks?|thx|nice|love|great|staging|locally)(?!\p{L})/iu;

/** The sentences of a remark in which the reviewer asks for something. */
export const wishesIn = (text: string): string[] =>
  typedSentences(text)
    .map((sentence) => sentence.replace(label, '').trim())
    .filter(
      (sentence) => sentence.length <= maxRuleLength && wish.test(sentence) && !aboutRequest.test(sentence),
    );

/** Words that point at the line of code. */
const pointing = /(?<!\p{L})(?:here|this|that|these|those|it|its|above|below|line)(?!\p{L})/iu;
const inThisProject = /\bin this (?:repo(?:sitory)?|project|code ?base)\b/giu;

const pointsAtLine = (sentence: string): boolean => pointing.test(sentence.replace(inThisProject, ''));
