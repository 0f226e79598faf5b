import { type DateFit, datesIn } from '../text/dates-in-text.ts';
import { queryTerms, termsOf } from '../text/words.ts';

/** A parsed question. The later steps of recall use only this and never the text of the question. */
export interface Question {
  /** Search terms, in the order of the question. */
  terms: string[];
  /** A single word or name without a sentence around it, which is looked up literally. */
  isLookup: boolean;
  dates?: DateFit;
  /**
   * The kind of answer that the question asks for, if its wording shows that. `wish`: an instruction that the user
   * gave.
   */
  seeks?: 'files' | 'command' | 'wish';
  /** Whether it asks for a reason. */
  asksWhy?: boolean;
}

const maxLength = 10_000;

/**
 * Normalises a question. Invisible characters and combining marks without a base letter are replaced, so that they
 * separate words.
 */
export const asWords = (text: string): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[\p{M}\p{Cf}\p{Cc}\ufffd]/gu, ' ');

export function parseQuestion(text: string, now: number): Question {
  const normalised = asWords(text);
  const dates = datesIn(normalised, now);
  // Punctuation does not matter for the kind of a question.
  const wordsOnly = normalised.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
  const seeks = soughtOf(wordsOnly);
  const { terms, words } = queryTerms(normalised);
  const asksWhy = why.test(wordsOnly);
  return {
    terms,
    isLookup: words < 2 && termsOf(normalised).words.length <= 2 && !asksWhy,
    ...(dates === undefined ? {} : { dates }),
    ...(seeks === undefined ? {} : { seeks }),
    ...(asksWhy ? { asksWhy } : {}),
  };
}

/** Matches questions that ask for files, not every mention of the word: a lock file is an ordinary subject. */
const files =
  /\b(?:which|what|whose|list(?: of)?|all) (?:[\w-]+ ){0,2}(?:files?|modules?|folders?|sources?|paths?|places|parts? of the (?:code|source))\b|^(?:the )?(?:files|modules|folders|sources|paths|places)\b|\bwhere in the (?:code|source|repo\w*)\b|\bwhere (?:is|are|was|were|do|does|did) .{1,60} (?:code|implemented|built|added|live|happen)\b|\bdid .{1,40} (?:touch|edit)\b|файл|文件/iu;
const command = /\b(?:commands?|run|invocation|flags?|shell|cli|script|type)\b|команд|命令/iu;

/** Matches questions about an instruction that the user once gave. */
const wish =
  /\b(?:did|do|have|had) I (?:\w+ )?(?:tell|told|say|said|ask(?:ed)?|want(?:ed)?|prefer(?:red)?|like|wish|object|insist|mention)\b|\bmy (?:rules?|wish(?:es)?|preferences?|expectations?|instructions?)\b|\b(?:may|should|must) (?:I|you)\b|\bhow should\b|\brules? (?:about|on|for)\b/iu;

const why =
  /\b(?:why|what for|reasons?|how come|rationale|warum|weshalb|wieso|pourquoi)\b|por qu[eé]|почему|зачем|чому|为什么|なぜ/iu;

function soughtOf(text: string): Question['seeks'] {
  if (wish.test(text)) return 'wish';
  if (files.test(text)) return 'files';
  return command.test(text) ? 'command' : undefined;
}

const pastWords =
  /\b(?:did|was|were|had|used to|originally|initially|previously|formerly|earlier|back then|at first|in the past|history|when we)\b/iu;

/** Whether a question is about what was, rather than about what is valid now. */
export const asksAboutPast = (text: string): boolean => pastWords.test(text);
