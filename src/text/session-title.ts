import type { SessionEnding, SessionSlice } from '../domain/agent-session.ts';
import { dialogStart, isFromOutside, type SessionName, type Typist, typistOf } from '../domain/event.ts';
import type { AgentSession } from '../wire/answers/memory.ts';
import { harmlessLine } from './fence.ts';
import { typedText } from './prompt-blocks.ts';
import { editedNames } from './safe-name.ts';
import { modelTitle, summaryLines } from './session-account.ts';
import { commitsMade } from './session-end.ts';
import {
  type CommandRun,
  lastTestResults,
  onlyInspects,
  type TestResult,
  testResults,
} from './test-result.ts';
import { queryTerms } from './words.ts';

const maxTitleLength = 160;
const maxPromptLength = 4_000;
const maxFiles = 3;

/** A session as the index has it, with what its title and its end are decided from. */
export interface SessionEvidence
  extends Omit<AgentSession, 'title' | 'titleBy' | 'end' | 'summary' | 'pullRequests'> {
  /** Time of the last event of each kind; 0 if there is none. */
  lastPromptAt: number;
  lastAnswerAt: number;
  lastToolAt: number;
  /** Slices of its first events. */
  beginning: SessionSlice[];
  /** Slices of its last commands, oldest first. */
  lastCommands: SessionSlice[];
  /** Slices of its commands that name a commit or a pull request, oldest first. */
  publishing: SessionSlice[];
  /** What its transcript calls it, oldest first. */
  names: SessionName[];
}

type SessionTitle = Pick<AgentSession, 'title' | 'titleBy'>;

/** A prompt of a session. */
export interface SessionRequest {
  event?: string;
  text: string;
  /** Absent for what no person is known to have typed. */
  typist?: Typist;
  isPlan?: boolean;
}

/** What a session, or a turn of it, can be named after. */
export interface NamedWork {
  names?: SessionName[];
  /** Titles of the pull requests and first lines of the commits that it made, oldest first. */
  published?: string[];
  prompts: SessionRequest[];
  files?: string[];
  tests?: TestResult[];
}

/**
 * The name of a session, the same on every surface: what its transcript calls it, what it published, the first prompt
 * that says something, or what was done.
 */
export function sessionTitle({ names = [], published = [], prompts, files = [], tests = [] }: NamedWork) {
  const asked = firstRequest(prompts);
  const { event = '' } = asked ?? prompts[0] ?? {};
  const named = (['rename', 'agent'] as const).flatMap(
    (giver) => names.findLast(({ by }) => by === giver)?.title ?? [],
  );
  const [own] = [...named, ...published];
  if (own !== undefined) {
    // "GitHub issue analysis" is also the name of others.
    const [made = ''] = contentIn(own) < contentIn(published[0] ?? '') ? published : [];
    const title = lineOf([own, made].filter(Boolean).join(' · '));
    return { event, title, titleBy: 'agent' as const, ...(made === '' ? {} : { name: lineOf(own) }) };
  }
  const edited = files.map((file) => file.split('/').at(-1) ?? file);
  const done = [
    ...(edited.length === 0 ? [] : [`edited ${editedNames(edited, maxFiles)}`]),
    ...(tests.length === 0 ? [] : [`tests ${tests.at(-1)?.result}`]),
  ];
  if (asked === undefined) return { event, title: done.join('; '), titleBy: 'record' as const };
  const { title, titleBy } = requestTitle(asked);
  const words = wordsOf(asked);
  if (standsAlone(words) || (says(words) && done.length === 0)) return { event, title, titleBy };
  return { event, title: [title.replace(/[.。]$/, ''), ...done].join('; '), titleBy: 'record' as const };
}

/** The first prompt that says something or, if none does, the one that says most. */
function firstRequest(prompts: SessionRequest[]): SessionRequest | undefined {
  const typed = prompts.filter((prompt) => wordsOf(prompt) !== '');
  const most = Math.max(...typed.map((prompt) => contentIn(wordsOf(prompt))));
  return (
    typed.find((prompt) => standsAlone(wordsOf(prompt))) ??
    typed.find((one) => contentIn(wordsOf(one)) === most)
  );
}

/** A plan is named as one, because its words are the agent's. What follows a heading is a document. */
export function requestTitle(request: SessionRequest): SessionTitle {
  const words = wordsOf(request);
  const heading = /^#+[ \t]+(?:plan[ \t]*[:–-][ \t]*)?(.+)/im.exec(words);
  if (request.isPlan === true) return { title: lineOf(`Plan: ${heading?.[1] ?? words}`), titleBy: 'agent' };
  const title = heading === null ? words : `${words.slice(0, heading.index)} ${heading[1]}`;
  const { typist = 'agent' } = request;
  return {
    title: lineOf(title),
    titleBy: heading !== null ? 'agent' : typist === 'person' ? 'user' : typist,
  };
}

const lineOf = (text: string): string => harmlessLine(text, maxTitleLength);

const commandName = /^\/[\w:.-]+(?=\s|$)/;

/** What a person typed of a prompt, without the name of a command. All of a plan counts: the agent wrote it. */
export const wordsOf = ({ text, isPlan = false }: Pick<SessionRequest, 'text' | 'isPlan'>): string => {
  const said = text.slice(0, maxPromptLength).replace(commandName, '').trim();
  return isPlan ? said : typedText({ text: said });
};

/** Shorter ones, such as "go on", do not say what to do. */
export const says = (words: string): boolean => contentIn(words) > 1;

/** With fewer words that carry a meaning, a prompt such as "yes, delete them" needs what it answers. */
const minContent = 3;

export const standsAlone = (words: string): boolean => contentIn(words) >= minContent;

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

/**
 * The number of words that carry a meaning. Japanese and Chinese have no spaces: there two characters count as a word,
 * and Hiragana, which has the endings of words and politeness, as nothing.
 */
function contentIn(words: string): number {
  const pairs = words.match(/[\p{Script=Han}\p{Script=Katakana}ー]{2}/gu) ?? [];
  const { terms, isCommon } = queryTerms(words.replace(eastAsian, ' '));
  return (isCommon ? 0 : terms.length) + pairs.length;
}

/** What a list says about a session. `note` is the text of its summary note. */
export function describeSession(session: SessionEvidence, note = ''): AgentSession {
  const { beginning, lastCommands, publishing, names, lastPromptAt, lastAnswerAt, lastToolAt, ...rest } =
    session;
  const prompts = firstSlices(beginning)
    .filter(
      ({ kind, origin, text, isPlan }) =>
        kind === 'prompt' && (isPlan || (isFromOutside(origin) && !text.startsWith(dialogStart))),
    )
    .map(({ event, text, trust, origin, isPlan }) => ({
      event,
      text,
      typist: typistOf({ trust, origin }),
      isPlan,
    }));
  const runs = runsOf(lastCommands);
  const end = endingOf(session, runs);
  const summary = summaryLines(note).join('\n');
  const written = modelTitle(note);
  const published = runsOf(publishing).flatMap(publishedBy);
  const pullRequests = [...new Set(names.flatMap(({ by, url }) => (by === 'pull-request' && url) || []))];
  const titled = sessionTitle({
    names: [...(written === '' ? [] : [{ title: written, by: 'agent' as const }]), ...names],
    ...{ published, prompts, files: rest.files, tests: lastTestResults(runs) },
  });
  const { event: _, ...title } = titled;
  return {
    ...rest,
    ...title,
    ...(pullRequests.length === 0 ? {} : { pullRequests }),
    ...(end === undefined ? {} : { end }),
    ...(summary === '' ? {} : { summary }),
  };
}

/** The title of a pull request that a command opened, or else the first lines of the commits that it made. */
function publishedBy(run: CommandRun): string[] {
  const [, title = ''] = (run.ok && openedRequest.exec(run.command)) || [];
  return title === '' ? commitsMade(run).map(({ subject }) => subject) : [title];
}

const openedRequest =
  /\b(?:gh pr|glab mr) create\b[^\n]*? (?:--title|-t)[= ]+(?:"((?:[^"\\]|\\.)+)"|'([^']+)')/;

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
