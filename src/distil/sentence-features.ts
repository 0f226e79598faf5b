/**
 * What the classifier of statements sees of a sentence: its words, its form, and what followed it. Every feature is
 * present or absent, and its name says what it is: `w never` is the word "never", `s use` a sentence that begins with
 * "use".
 */
export interface SentenceInTurn {
  sentence: string;
  /** Length of the whole prompt, the place of the sentence in it, and the number of its sentences. */
  promptLength: number;
  at: number;
  of: number;
  /** The end of what the agent said before; empty if the prompt is the first of its session. */
  before: string;
  edits: number;
  commands: number;
}

const maxWords = 80;
const token = /[\p{L}\p{N}]+(?:'\p{L}+)?|[?!:;`@]/gu;

export function featuresOf(given: SentenceInTurn): string[] {
  const tokens = (given.sentence.toLowerCase().replaceAll('’', "'").match(token) ?? [])
    .slice(0, maxWords)
    .map((one) => one.replace(/\d+/g, '0'));
  const words = tokens.filter((one) => /[\p{L}\p{N}]/u.test(one));
  const features = new Set<string>();
  for (const [at, one] of tokens.entries()) {
    features.add(`w ${one}`);
    if (at > 0) features.add(`w ${tokens[at - 1]} ${one}`);
  }
  if (words[0] !== undefined) features.add(`s ${words[0]}`);
  if (words[1] !== undefined) features.add(`s ${words[0]} ${words[1]}`);
  for (const name of formOf(given, words.length)) features.add(`f ${name}`);
  return [...features];
}

const lengths = [2, 4, 7, 12, 20, 35];
const promptLengths = [60, 200, 600, 1_500];
const signs: [name: string, pattern: RegExp][] = [
  ['question', /[?？]\s*$/],
  ['colon at the end', /[:：]\s*$/],
  ['full stop', /[.!]\s*$/],
  ['code', /`/],
  ['path', /[\w-]+\/[\w.-]+/],
  ['file', /\w+\.[a-z]{1,4}\b/i],
  ['address', /https?:/i],
  ['mention', /(?:^|\s)@\S/],
  ['number', /\d/],
  ['unit', /\d\s?(?:%|px|ms|s|sec|seconds?|min(?:utes)?|hours?|days?|kb|mb|gb|usd|\$|€)(?!\p{L})/iu],
  ['identifier', /\b[a-z]+[A-Z]\w+|\b\w+_\w+\b/],
  ['capitals', /\b[A-Z]{4,}\b/],
  ['capital first', /^\p{Lu}/u],
  ['not prose', /[{}<>=│|├└→]|\\\\|^[^\p{L}\p{N}"'`([@]/u],
  ['output', /error|exception|failed|warn|\d\d:\d\d/i],
];

function* formOf(
  { sentence, promptLength, at, of, before, edits, commands }: SentenceInTurn,
  words: number,
): Generator<string> {
  for (const most of lengths) if (words <= most) yield `at most ${most} words`;
  for (const least of promptLengths) if (promptLength > least) yield `prompt over ${least}`;
  for (const [name, pattern] of signs) if (pattern.test(sentence)) yield name;
  if (of === 1) yield 'only sentence';
  if (of > 5) yield 'of more than 5';
  if (of > 12) yield 'of more than 12';
  if (at === 0) yield 'first sentence';
  if (at === of - 1) yield 'last sentence';
  if (before === '') yield 'first prompt';
  else if (/[?？]\s*$/.test(before.trim())) yield 'after a question';
  if (/[^\p{ASCII}\p{P}]/u.test(sentence)) yield 'not ASCII';
  yield edits === 0 ? 'no edits' : edits > 3 ? 'many edits' : 'edits';
  yield commands === 0 ? 'no commands' : 'commands';
}
