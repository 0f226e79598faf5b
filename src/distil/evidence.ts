import { acceptedProposal } from './accepted-proposal.ts';
import { type QuotedSentences, withoutCodeBlocks } from './find-quote.ts';
import { ownWords } from './own-words.ts';
import { contentTerms, hasRemoval } from './polarity.ts';
import { typedSentences } from './sentences.ts';

/** A message of the user with the answer of the agent directly before it. */
export interface Exchange {
  prompt: string;
  /** Empty if there is none. */
  before: string;
}

/** Everything that may confirm a statement. Text of files, tools and other agents is never among it. */
export interface Evidence {
  /** The exchanges of this session, oldest first. */
  exchanges: Exchange[];
  /** What the user typed in earlier sessions. It vouches for names, and for numbers together with their subject. */
  earlier: string[];
  /** What the user settled on the topic before, with the quotes, newest first. */
  onTopic: string[];
  /** Whether a name exists in the checkout, so that it may be used although the user did not type it. */
  isKnownName(name: string): boolean;
}

/** The evidence as seen from one quote. */
export interface QuoteEvidence extends QuotedSentences {
  /** The user's words around the quote: the whole message, and what it accepts of the agent's answer. */
  near: string;
  /** What the message accepts of the agent's answer. */
  accepted: string[];
  /** Whether the message takes something back, and the exchange names the topic. */
  isReturn: boolean;
  /** Other sentences in which the user settled something: in this session, and on the topic. */
  settled: string[];
  onTopic: string[];
  /** All that the user typed in this session, accepted, or settled on the topic. */
  all: string;
  earlier: string[];
  isKnownName(name: string): boolean;
}

/** People type specifications of this length. A model has judged what of it they settle, so all of it may be quoted. */
const maxTypedLength = 6_000;

/** What the user typed in a message, without pasted and quoted lines. */
export const typedWords = (prompt: string): string =>
  ownWords(prompt, maxTypedLength).words.replace(/^\s*[>|].*$/gm, '');

export function evidenceOf(
  said: QuotedSentences,
  at: number,
  { exchanges, earlier, onTopic, isKnownName }: Evidence,
  about: string,
): QuoteEvidence {
  const typed = exchanges.map(({ prompt }) => typedWords(prompt));
  const own = typed[at] ?? '';
  const { before = '' } = exchanges[at] ?? {};
  const accepted = acceptedProposal(own, before);
  const asked = accepted.length === 0 ? '' : (typed[at - 1] ?? '').replace(/[?？]/g, '.');
  const settled = [...typed.flatMap((text) => typedSentences(text).filter(isAssertion)), ...onTopic];
  const subject = new Set(contentTerms([about, ...onTopic].join('\n')));
  const isNamed = contentTerms([own, before, typed[at - 1] ?? ''].join('\n')).some((term) =>
    subject.has(term),
  );
  return {
    ...said,
    near: [own, ...accepted, asked].join('\n'),
    accepted,
    isReturn: isNamed && isTakenBack(said.meaning),
    settled,
    onTopic,
    all: withoutCodeBlocks([...typed, ...accepted, ...onTopic].join('\n')),
    earlier: earlier.map((prompt) => withoutCodeBlocks(typedWords(prompt))),
    isKnownName,
  };
}

const isAssertion = (sentence: string): boolean => !/[?？]\s*$/u.test(sentence);

const returning =
  /(?<!\p{L})(?:back|undo|undone|revert\p{L}*|restor\p{L}*|reinstat\p{L}*|return|before|previous\p{L}*|original\p{L}*|earlier|again|as (?:it|they) (?:was|were)|how (?:it|they) (?:was|were)|out|scrap|kill|cancel\p{L}*|discard|zurück|wieder|vorher|rückgängig|weg|annul\p{L}*|avant|supprim\p{L}*|volver|vuelve|deshac\p{L}*|antes|quita|borra|верни|обратно|назад|убери|удали)(?!\p{L})/iu;

/** Whether words end or restore something: "undo that", "take it out again", "drop the cache". */
const isTakenBack = (text: string): boolean => returning.test(text) || hasRemoval(text);
