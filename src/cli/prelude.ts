import { setTimeout } from 'node:timers/promises';
import { projectConfig } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { drain } from '../memory/drain.ts';
import { unreadSessions } from '../memory/notes/distil-sessions.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import type { PreludeLine } from '../memory/prelude/prelude-file.ts';
import { toldNow } from '../memory/prelude/told-now.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { answerPrompt } from '../memory/prompt-context/answer-prompt.ts';
import { muteLineNow } from '../memory/refresh-prelude.ts';
import { bytesAfter } from '../store/events/event-log.ts';
import { plural } from '../text/plural.ts';
import { estimateTokens } from '../text/tokens.ts';
import { type App, type Command, isSet, type Outcome, stringOf } from './command.ts';
import { unreadLine } from './status.ts';

export const preludeCommand: Command = {
  name: 'prelude',
  usage: 'prelude [--prompt TEXT] [--why] | --mute ID',
  summary:
    'Print the context that the next agent session gets, or that its first prompt brings; --why explains each line.',
  group: 'Memory',
  options: {
    prompt: {
      about: 'Print what a session that begins with this prompt is told in addition.',
      value: 'TEXT',
    },
    why: { about: 'Show why each line is included.' },
    mute: {
      about: 'Keep a line that tells no note out of what sessions are told, or tell it again.',
      value: 'ID',
    },
  },
  needsPerson: ({ values }) => (values.mute === undefined ? undefined : 'Muting a line'),
  async run(app, args) {
    const place = app.place();
    const parts = app.open(place.project);
    const before = await countUnread(parts);
    // One session may still be running. More take a while.
    if (before > 1)
      app.printError(`Searching ${plural(before, 'session')} for statements. This can take a minute.`);
    await drainSoon({ ...parts, callerRoot: place.root });
    const prompt = stringOf(args, 'prompt');
    if (prompt !== undefined) return showAnswer(app, prompt, isSet(args, 'why'));
    const wanted = stringOf(args, 'mute');
    if (wanted !== undefined) return mute(app, wanted);
    const unread = unreadLine(before === 0 ? 0 : await countUnread(parts));
    const shown = toldNow(parts, place.name, place);
    const { text, tokens, lines } = shown.told;
    // Another process may have rendered the prelude (the context for new sessions) for another checkout of the project.
    const other = shown.comparedWith === place.root ? undefined : shown.comparedWith;
    const value = { ...shown.told, ...(other === undefined ? {} : { comparedWith: other }) };
    if (text === '') return { value, text: ['Empty: this project has no memory yet.', ...unread].join('\n') };
    const why = isSet(args, 'why')
      ? [...reasonsOf(app, lines), ...reasonsOf(app, shown.muted, 'muted. ')]
      : [];
    const size = app.style.dim(`about ${tokens} tokens, ${text.length} characters`);
    const elsewhere =
      other === undefined ? [] : [`Compared with the code in ${other}, not with this checkout.`];
    // Printed verbatim, because wrapping lines would change the text that the agent gets.
    return { value, text: [text, '', size, ...unread, ...elsewhere, ...why].join('\n'), isVerbatim: true };
  },
};

const maxWaits = 20;
const waitMs = 250;

/** Another process may be writing, such as the MCP server that has just saved a note. Then the prelude is old. */
async function drainSoon(parts: OpenProject): Promise<void> {
  for (let waits = 0; !(await drain(parts)).ran && waits < maxWaits; waits++) {
    if (bytesAfter({}, parts.log.end()) === 0) return;
    await setTimeout(waitMs);
  }
}

const reasonsOf = (
  { style }: App,
  lines: Pick<PreludeLine, 'text' | 'reason' | 'line'>[],
  state = '',
): string[] =>
  lines.flatMap(({ text, reason, line }) => [
    '',
    text,
    `  ${style.dim(`${state}because: ${reason}`)}`,
    ...(line === undefined ? [] : [`  ${style.dim(muteCommand(line))}`]),
  ]);

const shownIdLength = 8;
const muteCommand = (line: string): string => `backstory prelude --mute ${line.slice(0, shownIdLength)}`;

async function mute(app: App, id: string): Promise<Outcome> {
  const place = app.rememberPlace();
  const parts = app.open(place.project);
  const { told, muted } = toldNow(parts, place.name, place);
  const found = [...told.lines, ...muted].filter(({ line }) => line?.startsWith(id));
  const [line = ''] = found.map((one) => one.line);
  if (line === '' || found.some((one) => one.line !== line))
    throw new AppError('NOT_FOUND', `no line of the prelude without a note has the id ${id}`, {
      hint: 'backstory prelude --why',
    });
  const isMuted = told.lines.some((one) => one.line === line);
  await muteLineNow(parts, notePartsOf(parts, app.context(place)), line, isMuted);
  const text = isMuted ? `Muted. To tell it again: ${muteCommand(line)}` : 'Told again.';
  return { value: { line, isMuted }, text };
}

/** What the hook would answer to the first prompt of a session, with the settings of this project. */
async function showAnswer(app: App, prompt: string, isExplained: boolean): Promise<Outcome> {
  const place = app.place();
  const config = projectConfig(app.paths, place.project);
  const { answer, lines, silence } = config.tell.includes('prompt')
    ? await answerPrompt(prompt, { place, agentSession: '' }, { ...app, config, recall: app.recallForPrompt })
    : { answer: '', lines: [], silence: 'the setting `tell` leaves out prompts' };
  const tokens = answer === '' ? 0 : estimateTokens(answer);
  const value = { text: answer, tokens, lines, ...(silence === undefined ? {} : { silence }) };
  if (answer === '') return { value, text: `Nothing: ${silence}.` };
  const why = isExplained ? reasonsOf(app, lines) : [];
  const size = app.style.dim(`about ${tokens} tokens, ${answer.length} characters`);
  return { value, text: [answer, '', size, ...why].join('\n'), isVerbatim: true };
}

async function countUnread({ access }: OpenProject): Promise<number> {
  const reading = access.forReading();
  const unread = reading === undefined ? [] : await unreadSessions(reading.index);
  await reading?.close();
  return unread.length;
}
