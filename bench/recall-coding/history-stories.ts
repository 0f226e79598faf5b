import type { Random } from '../../test/harness/random.ts';
import { plainWords } from '../retrieval/baselines.ts';
import {
  type Act,
  committed,
  edited,
  type Intent,
  ran,
  replied,
  type Story,
  said,
  turn,
} from '../retrieval/story.ts';
import type { HistoricCommit, History } from './histories.ts';

/**
 * A question about a real commit, around which an agent session is generated. The agent's answer consists of the
 * commit's own reasons. The question contains some words of the subject, or of a sentence deep in the message, with at
 * most one replaced by a synonym.
 */
export interface HistoryQuestion {
  intent: Intent;
  /** Index of the commit in the history. */
  commit: number;
  mark: 'reason' | 'files';
  text: string;
}

export const subjectOf = ({ message }: HistoricCommit): string =>
  (message.split('\n')[0] as string)
    .replace(/^[\w/,.-]+(?:\([^)]*\))?!?:\s+/, '')
    .replace(/\s*\(?#\d+\)?/g, '')
    .trim();

/** The message without trailers, references and lists. */
export function reasonOf({ message }: HistoricCommit): string {
  return message
    .split('\n')
    .slice(1)
    .filter(
      (line) =>
        !/^(?:[A-Z][\w-]+-by:|(?:fixes|closes|refs?|see|pr)\b.{0,40}$|https?:|\s*[-*] |```|\s{4})/i.test(
          line,
        ),
    )
    .join('\n')
    .trim();
}

export const isInformative = (commit: HistoricCommit): boolean =>
  reasonOf(commit).length >= 120 && plainWords(subjectOf(commit)).length >= 3 && commit.files.length <= 12;

const requests = [
  (subject: string) => `Next: ${subject}. Keep the change small.`,
  (subject: string) => `Can you do this one: ${subject}?`,
  (subject: string) => `${subject}, please. Explain why before you edit.`,
  (subject: string) => `From my list: ${subject}.`,
];

/** Returns the commit together with its agent session or, if it is a teammate's, the commit alone. */
export function storyOf(commit: HistoricCommit, isOurs: boolean, testCommand: string, random: Random): Story {
  const { hash, message, files, author } = commit;
  const marks = ['reason', 'files'];
  if (!isOurs)
    return { turns: [turn(0, { kind: 'commit', hash, author, message, files, marks })], asked: [] };
  const acts: Act[] = [
    said(random.pick(requests)(subjectOf(commit))),
    ...files.slice(0, 6).map((path) => edited(path, 'files')),
    ran(testCommand, `${random.whole(20, 900)} passed`),
    replied(`${reasonOf(commit)}\n\nI changed ${files.length} files and the tests pass.`, 'reason'),
    { ...committed(message, files, ...marks), hash } as Act,
  ];
  return { turns: [turn(0, ...acts)], asked: [] };
}

/** Synonyms that developers use. */
const synonyms: Record<string, string> = {
  add: 'introduce',
  allow: 'permit',
  avoid: 'prevent',
  broken: 'faulty',
  bug: 'defect',
  change: 'alter',
  check: 'verify',
  clean: 'tidy',
  crash: 'abort',
  delete: 'remove',
  deprecated: 'obsolete',
  dir: 'folder',
  directory: 'folder',
  disable: 'switch off',
  docs: 'documentation',
  drop: 'get rid of',
  empty: 'blank',
  enable: 'switch on',
  ensure: 'make sure',
  error: 'failure',
  errors: 'failures',
  faster: 'quicker',
  fail: 'break',
  file: 'document',
  fix: 'repair',
  fixes: 'repairs',
  handle: 'deal with',
  ignore: 'skip',
  improve: 'better',
  incorrect: 'wrong',
  invalid: 'malformed',
  job: 'task',
  jobs: 'tasks',
  large: 'big',
  leak: 'lost memory',
  limit: 'maximum',
  missing: 'absent',
  move: 'relocate',
  option: 'setting',
  output: 'printed text',
  panic: 'crash',
  parse: 'read',
  prevent: 'avoid',
  reject: 'refuse',
  remove: 'delete',
  rename: 'call differently',
  replace: 'swap',
  request: 'call',
  return: 'give back',
  show: 'display',
  simplify: 'make simpler',
  skip: 'leave out',
  slow: 'sluggish',
  speed: 'performance',
  support: 'handle',
  tests: 'specs',
  test: 'spec',
  update: 'refresh',
  warning: 'complaint',
  wrong: 'incorrect',
};

/** Returns some of the words in order, with at most one of them replaced by a synonym. */
function remembered(words: readonly string[], most: number, random: Random): string[] {
  const kept =
    words.length <= most
      ? [...words]
      : random
          .shuffled([...words.keys()])
          .slice(0, most)
          .sort((a, b) => a - b)
          .map((at) => words[at] as string);
  const at = kept.findIndex((word) => Object.hasOwn(synonyms, word));
  return at >= 0 && random.chance(0.6) ? kept.with(at, synonyms[kept[at] as string] as string) : kept;
}

/** Two wordings of each kind: the first for projects to tune on, the second for held-out ones. */
const askReason = [
  (topic: string) => `why did we do this: ${topic}`,
  (topic: string) => `${topic}, what was the reason again`,
];
const askDetail = [
  (topic: string) => `there was something with ${topic}, what was that about`,
  (topic: string) => `what do we know about ${topic}`,
];
const askFiles = [
  (topic: string) => `which files did we change for ${topic}`,
  (topic: string) => `where in the code was the work on ${topic} done`,
];
const askFile = [
  (file: string, topic: string) => `why was ${file} changed, the thing about ${topic}`,
  (file: string, topic: string) => `what did we do to ${file} because of ${topic}`,
];

export function questionsOn(
  { commits }: History,
  at: number,
  isHeldOut: boolean,
  random: Random,
): HistoryQuestion[] {
  const commit = commits[at] as HistoricCommit;
  const side = isHeldOut ? 1 : 0;
  const subject = plainWords(subjectOf(commit)).filter(isWord);
  const sentence = random.pick(
    reasonOf(commit)
      .split(/(?<=[.!?])\s+/)
      .filter((one) => plainWords(one).length >= 6),
  );
  const detail = plainWords(sentence ?? '').filter((word) => isWord(word) && !subject.includes(word));
  const file = random.pick(commit.files).split('/').at(-1) as string;
  const drawn: (HistoryQuestion & { words: string[] })[] = [];
  const add = (mark: HistoryQuestion['mark'], intent: Intent, words: string[], text: string) => {
    if (words.length >= 2) drawn.push({ intent, commit: at, mark, text, words });
  };
  const topic = remembered(subject, 4, random);
  const deep = remembered(detail, 4, random);
  const few = remembered(subject, 2, random);
  add('reason', 'history', topic, askReason[side]?.(topic.join(' ')) ?? '');
  if (deep.length >= 4) add('reason', 'history', deep, askDetail[side]?.(deep.join(' ')) ?? '');
  add('files', 'files', topic, askFiles[side]?.(topic.join(' ')) ?? '');
  add('reason', 'history', [...few, file], askFile[side]?.(file, few.join(' ')) ?? '');
  const chosen = random.pick(drawn.filter(({ words }) => isUnambiguous(words, commits, at)));
  return chosen === undefined ? [] : [chosen];
}

const isWord = (word: string): boolean => word.length >= 3 && !/^\d+$/.test(word);

/** False if the question also fits another commit, because it then has no single answer. */
function isUnambiguous(words: readonly string[], commits: readonly HistoricCommit[], at: number): boolean {
  const starts = words.map((word) => word.slice(0, 5).toLowerCase());
  return !commits.some(({ message, files }, other) => {
    const text = `${message} ${files.join(' ')}`.toLowerCase();
    return other !== at && starts.every((start) => text.includes(start));
  });
}
