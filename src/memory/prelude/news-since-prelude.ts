import { localTime } from '../../base/clock.ts';
import type { EventEnvelope } from '../../domain/event.ts';
import { bytesAfter, type EventLog, type LogPosition } from '../../store/events/event-log.ts';
import { harmlessLine } from '../../text/fence.ts';
import { surelyTyped } from '../../text/prompt-blocks.ts';
import { editedName } from '../../text/safe-name.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { hasUnexplainedWord } from '../redact/random-word.ts';
import { sinceMaxChars, sinceMaxTokens } from './prelude-file.ts';

const tailBytes = 64 * 1024;
const maxPrompts = 4;
const maxFiles = 8;

/** Limits the news for a resumed or forked session to what other sessions did after its last answer. */
export interface OtherSessions {
  thanSession: string;
  /** Time of that answer in milliseconds since 1970; undefined if the agent did not report it. */
  after?: number;
}

/**
 * Describes the events after a position of the log, from at most its last 64 KB: prompts of the user and names of
 * edited files. Text of agents and tools is never quoted.
 */
export function newsSince(log: EventLog, position: LogPosition, others?: OtherSessions): string[] {
  // A resumed session also needs its own last event, whatever its kind.
  const all = readEnd(log, position, others === undefined ? isPromptOrEdit : undefined);
  const events = others === undefined ? all : fromOthers(all, others);
  const superseded = new Set(
    events.flatMap(({ body }) => ('supersedes' in body ? (body.supersedes ?? []) : [])),
  );
  const live = [...new Map(events.map((event) => [event.id, event])).values()].filter(
    ({ id }) => !superseded.has(id),
  );
  const prompts = live
    .filter(isOwnPrompt)
    .map(({ at, body }) => ({ at, text: surelyTyped(body).join(' ') }))
    .filter(({ text }) => text !== '' && !hasUnexplainedWord(text))
    .slice(-maxPrompts);
  const typed = prompts.map(({ text }) => text).join('\n');
  const files = [
    ...new Set(
      live.filter((event) => event.kind === 'edit').map((event) => editedName(event.body.path, typed)),
    ),
  ];
  return withinBudget([
    ...prompts.map(({ at, text }) => `${localTime(at)} you asked: ${harmlessLine(text, 160)}`),
    ...(files.length === 0 ? [] : [`edited ${files.slice(-maxFiles).join(', ')}`]),
  ]);
}

/** Keeps the newest lines. */
function withinBudget(lines: string[]): string[] {
  const kept = [...lines];
  const size = () => kept.join('\n- ');
  while (size().length > sinceMaxChars || estimateTokens(size()) > sinceMaxTokens) kept.shift();
  return kept;
}

function fromOthers(events: EventEnvelope[], { thanSession, after }: OtherSessions): EventEnvelope[] {
  const own = events.findLastIndex(
    ({ agentSession, kind }) => agentSession === thanSession && kind !== 'session',
  );
  const later =
    after === undefined ? events.slice(own + 1) : events.filter(({ at }) => Date.parse(at) > after);
  return later.filter(({ agentSession }) => agentSession !== thanSession);
}

const isOwnPrompt = (event: EventEnvelope): event is Extract<EventEnvelope, { kind: 'prompt' }> =>
  event.kind === 'prompt' && event.trust >= 2 && !event.body.asked?.question;

/** Lines of other kinds are skipped undecoded, because checksums take most of the time. */
const isPromptOrEdit = (line: Buffer): boolean =>
  line.includes('"kind":"prompt"') || line.includes('"kind":"edit"');

function readEnd(
  log: EventLog,
  position: LogPosition,
  isWanted: ((line: Buffer) => boolean) | undefined,
): EventEnvelope[] {
  const end = log.end();
  const from: LogPosition = {};
  let budget = tailBytes;
  // Newest file first. Reading may begin in the middle of a line, which is then skipped as damaged.
  for (const file of Object.keys(end).sort().reverse()) {
    const size = end[file] as number;
    from[file] = Math.max(position[file] ?? 0, size - budget);
    budget -= size - (from[file] as number);
  }
  if (bytesAfter(from, end) === 0) return [];
  return [...log.read(from, isWanted)].flatMap(({ entry }) => (entry.kind === 'event' ? [entry.event] : []));
}
