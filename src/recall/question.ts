import { type DateFit, datesIn } from '../text/dates.ts';
import { queryTerms, termsOf } from '../text/words.ts';

/** A question taken apart once; everything after works on this and never on the text. */
export interface Question {
  /** What to look for, in the order of asking. */
  terms: string[];
  /** A single word or name, and no sentence around it: it is looked up, not asked about. */
  isLookup: boolean;
  dates?: DateFit;
  /** What kind of thing the answer is, when the question says so. */
  seeks?: 'files' | 'command' | 'wish';
  /** Whether something done is asked about, which turns that only talk do not answer. */
  isOfDeed: boolean;
}

const maxLength = 10_000;

/** Signs that show nothing, and marks that joined no letter, part words; for whoever reads the question. */
export const asWords = (text: string): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[\p{M}\p{Cf}\p{Cc}\ufffd]/gu, ' ');

export function parseQuestion(text: string, now: number): Question {
  const asked = asWords(text);
  const dates = datesIn(asked, now);
  // Signs around and between words say nothing of what kind of question this is.
  const said = asked.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
  const seeks = soughtOf(said);
  const { terms, words } = queryTerms(asked);
  return {
    terms,
    isLookup: words < 2 && termsOf(asked).words.length <= 2,
    isOfDeed: deed.test(said),
    ...(dates === undefined ? {} : { dates }),
    ...(seeks === undefined ? {} : { seeks }),
  };
}

/** A file is sought where one is asked for, not wherever the word stands: a lock file is a thing like others. */
const files =
  /\b(?:which|what|whose|list(?: of)?|all) (?:[\w-]+ ){0,2}(?:files?|modules?|folders?|sources?|paths?|places|parts? of the (?:code|source))\b|^(?:the )?(?:files|modules|folders|sources|paths|places)\b|\bwhere in the (?:code|source|repo\w*)\b|\bwhere (?:is|are|was|were|do|does|did) .{1,60} (?:code|implemented|built|added|live|happen)\b|\bdid .{1,40} (?:touch|edit)\b|файл|文件/iu;
const command = /\b(?:commands?|run|invocation|flags?|shell|cli|script|type)\b|команд|命令/iu;

/** What the user once told the agent, which stands in the user's own words. */
const wish =
  /\b(?:did|do|have|had) I (?:\w+ )?(?:tell|told|say|said|ask(?:ed)?|want(?:ed)?|prefer(?:red)?|like|wish|object|insist|mention)\b|\bmy (?:rules?|wish(?:es)?|preferences?|expectations?|instructions?)\b|\b(?:may|should|must) (?:I|you)\b|\bhow should\b|\brules? (?:about|on|for)\b/iu;

function soughtOf(text: string): Question['seeks'] {
  if (wish.test(text)) return 'wish';
  if (files.test(text)) return 'files';
  return command.test(text) ? 'command' : undefined;
}

/** What was done, and not what was said about it before or after. */
const deed =
  /^\s*(?:when|who|since when)\b|\bwhat (?:finally )?(?:fixed|solved|cured|helped|caused|made)\b|\b(?:fix|solve|cure|repair|solution|get rid of)\b/iu;
