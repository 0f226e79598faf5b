import type { SessionEnding, SessionSlice } from '../domain/agent-session.ts';
import { dialogStart, isFromOutside } from '../domain/event.ts';
import type { AgentSession } from '../wire/answers/memory.ts';
import { harmlessLine } from './fence.ts';
import { editedNames } from './safe-name.ts';
import { typedSentences } from './sentences.ts';
import { modelTitle, summaryLines } from './session-account.ts';
import {
  type CommandRun,
  lastTestResults,
  onlyInspects,
  type TestResult,
  testResults,
} from './test-result.ts';

const maxTitleLength = 160;
const maxPromptLength = 4_000;
/** What stands before the first telling sentence is kept up to this length. */
const maxLeadLength = 60;
const maxFiles = 3;

/** A session as the index has it, with what its title and its end are decided from. */
export interface SessionEvidence extends Omit<AgentSession, 'title' | 'titleBy' | 'end' | 'summary'> {
  /** Time of the last event of each kind; 0 if there is none. */
  lastPromptAt: number;
  lastAnswerAt: number;
  lastToolAt: number;
  /** Slices of its first events. */
  beginning: SessionSlice[];
  /** Slices of its last commands, oldest first. */
  lastCommands: SessionSlice[];
}

type SessionTitle = Pick<AgentSession, 'title' | 'titleBy'>;

/** A prompt of a session. Without `text` it is something that the agent did. */
export interface SessionStep {
  event?: string;
  text?: string;
  isTyped?: boolean;
  isPlan?: boolean;
}

/**
 * The first own sentences of the user that are long enough, or else what was done. A plan is named as one, because its
 * words are the agent's.
 */
export function sessionTitle(
  steps: SessionStep[],
  files: string[],
  tests: TestResult[],
): SessionTitle & { event: string } {
  const prompts = steps.filter(({ text }, at) => text !== undefined && !isTakenBack(steps, at));
  for (const { event = '', text = '', isTyped = false, isPlan = false } of prompts) {
    const sentences = ownSentences(text);
    const heading = sentences.findIndex((sentence) => sentence.startsWith('#'));
    if (isPlan)
      return {
        event,
        title: lineOf(`Plan: ${planName(sentences[Math.max(0, heading)] ?? '')}`),
        titleBy: 'agent',
      };
    const first = sentences.findIndex(isTelling);
    if (first === -1) continue;
    // What follows a heading is a document. Its heading alone says what it is.
    const end = heading < first ? sentences.length : heading + 1;
    const isLeadShort = sentences.slice(0, first).join(' ').length <= maxLeadLength;
    const title = lineOf(sentences.slice(isLeadShort ? 0 : first, end).join(' '));
    return { event, title, titleBy: isTyped && heading === -1 ? 'user' : 'agent' };
  }
  const [{ event = '', text: short = '' } = {}] = prompts;
  const names = files.map((file) => file.split('/').at(-1) ?? file);
  const done = [
    ...(names.length === 0 ? [] : [`edited ${editedNames(names, maxFiles)}`]),
    ...(tests.length === 0 ? [] : [`tests ${tests.at(-1)?.result}`]),
  ];
  return { event, title: [...(short === '' ? [] : [lineOf(short)]), ...done].join('; '), titleBy: 'record' };
}

const lineOf = (text: string): string => harmlessLine(text.replace(/(?<=^|\s)#+\s+/g, ''), maxTitleLength);

/** The user interrupted the agent before it did anything, and said it in another way. */
const isTakenBack = (steps: SessionStep[], at: number): boolean =>
  steps[at + 1]?.text !== undefined && isTelling(ownSentences(steps[at + 1]?.text ?? '').join(' '));

/** Shorter ones, such as "go on", do not say what to do. */
export const isTelling = (sentence: string): boolean => /\S\s+\S+\s+\S|\p{Script=Han}{4}/u.test(sentence);

const planName = (heading: string): string => heading.replace(/^#+\s*/, '').replace(/^plan\s*[:–-]\s*/i, '');

const elements = /<([a-z][\w-]*)(?:\s[^>]*)?>[\s\S]*?<\/\1>/g;
const commandName = /^\/[\w:.-]+(?=\s|$)/;
/** JSON, listings and the output of terminals. */
const pastedLine = /^\s*(?:[[{}\]<>$❯│├└─✓✗⎿]|"[^"]*"\s*:|\d{4}-\d\d-\d\d|[-+@]{2,})|\s\|\s.*\s\|(?:\s|$)/;

/** Sentences without the name of a command, markup and lines that nobody types. */
export const ownSentences = (text: string): string[] =>
  typedSentences(
    text
      .slice(0, maxPromptLength)
      .replace(commandName, '')
      .replace(elements, '\n')
      .split('\n')
      .filter((line) => !pastedLine.test(line))
      .join('\n'),
  );

/** What a list says about a session. `note` is the text of its summary note. */
export function describeSession(session: SessionEvidence, note = ''): AgentSession {
  const { beginning, lastCommands, lastPromptAt, lastAnswerAt, lastToolAt, ...rest } = session;
  const steps = firstSlices(beginning).flatMap(({ kind, origin, text, trust, isPlan }): SessionStep[] => {
    if (kind !== 'prompt') return [{}];
    const isRequest = isPlan || (isFromOutside(origin) && !text.startsWith(dialogStart));
    return isRequest ? [{ text, isTyped: trust >= 2, isPlan }] : [];
  });
  const runs = runsOf(lastCommands);
  const end = endingOf(session, runs);
  const summary = summaryLines(note).join('\n');
  const written = modelTitle(note);
  const { title, titleBy } =
    written === ''
      ? sessionTitle(steps, rest.files, lastTestResults(runs))
      : { title: written, titleBy: 'agent' as const };
  return {
    ...rest,
    title,
    titleBy,
    ...(end === undefined ? {} : { end }),
    ...(summary === '' ? {} : { summary }),
  };
}

const firstSlices = (slices: SessionSlice[]): SessionSlice[] =>
  slices.filter(({ event }, at) => slices[at - 1]?.event !== event);

/** Reads back what `recall/chunks.ts` writes about a command. One without an exit code neither failed nor passed. */
export function runsOf(
  slices: Pick<SessionSlice, 'event' | 'text' | 'at'>[],
): (CommandRun & { at: number })[] {
  return [...Map.groupBy(slices, ({ event }) => event)].flatMap(([event, own]) => {
    const text = own.map((slice) => slice.text).join('\n');
    const [, failed, exit, command = ''] = /^(failed(, exit \d+)?\n)?\$ (.*)/.exec(text) ?? [];
    const output = text.slice(text.indexOf('\n$ ') + 3 + command.length);
    if (command === '' || (failed !== undefined && exit === undefined)) return [];
    return [{ event, command, ok: failed === undefined, output, at: own[0]?.at ?? 0 }];
  });
}

/**
 * Failing: the last check failed and no command of its program passed after it, or the last command of all failed.
 * Stopped: the agent's last answer is older than its last use of a tool or than the last prompt. Of a session without
 * answers nothing is known: not every agent reports them.
 */
function endingOf(
  { answers, lastPromptAt, lastAnswerAt, lastToolAt }: SessionEvidence,
  runs: CommandRun[],
): SessionEnding | undefined {
  const results = runs.map((run) => testResults(run).at(-1));
  const at = results.findLastIndex((result) => result !== undefined);
  const [program = ''] = results[at]?.command.split(' ') ?? [];
  const isCured = runs.slice(at + 1).some(({ ok, command }) => ok && command.split(/\s+/).includes(program));
  const last = runs.at(-1);
  if (results[at]?.result === 'failed' && !isCured) return 'failing';
  if (at < runs.length - 1 && last?.ok === false && !onlyInspects(last.command)) return 'failing';
  if (answers === 0) return undefined;
  return Math.max(lastPromptAt, lastToolAt) > lastAnswerAt ? 'stopped' : 'finished';
}
