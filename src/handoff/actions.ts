import { isCallSession } from '../domain/agent-session.ts';
import { type EventEnvelope, promptText } from '../domain/event.ts';
import type { Action } from '../domain/snapshot.ts';
import type { WorkSession } from '../domain/work-session.ts';
import type { EventLog } from '../store/events/event-log.ts';
import { testWords } from '../text/runner-lines.ts';
import { type Ledger, sessionAt } from './ledger.ts';

const maxTextLength = 600;
const maxCommandLength = 300;
/** Test runners print up to about twenty lines of details and totals below the name of a failed test. */
export const maxOutputLines = 24;
const maxOutputLineLength = 200;

/** The newest events of the work session, oldest first, without duplicates and superseded events. */
export function eventsOf(
  log: EventLog,
  ledger: Ledger,
  session: WorkSession,
  newest = Number.POSITIVE_INFINITY,
): { events: EventEnvelope[]; isWhole: boolean } {
  const events = new Map<string, EventEnvelope>();
  const superseded = new Set<string>();
  const end = log.end();
  for (const { file, from, to } of session.spans) {
    // Only `file` is to be read. Reading of all other log files starts at their ends, which skips them.
    for (const record of log.read({ ...end, [file]: from })) {
      if (record.file !== file || record.offset >= to) break;
      if (record.entry.kind !== 'event') continue;
      const { event } = record.entry;
      if (sessionAt(ledger, event.agentSession, Date.parse(event.at) || 0) !== session.id) continue;
      if ('supersedes' in event.body) for (const id of event.body.supersedes ?? []) superseded.add(id);
      if (!events.has(event.id)) events.set(event.id, event);
    }
  }
  const all = [...events.values()]
    .filter(({ id }) => !superseded.has(id))
    .sort((a, b) => compare(a.at, b.at) || a.seq - b.seq || compare(a.id, b.id));
  return { events: all.slice(-newest), isWhole: all.length <= newest };
}

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function actionsOf(events: EventEnvelope[]): Action[] {
  // Only the output of a command's last run is kept.
  const lastRuns = new Map(
    events.flatMap((event) => (event.kind === 'command' ? [[event.body.command, event]] : [])),
  );
  const isLastRun = (event: EventEnvelope): boolean =>
    event.kind === 'command' && lastRuns.get(event.body.command) === event;
  return events.filter(isAction).flatMap((event) => actionOf(event, isLastRun(event)) ?? []);
}

export const countActions = (events: EventEnvelope[]): number => events.filter(isAction).length;

function isAction({ kind, body, agentSession }: EventEnvelope): boolean {
  // Prompts and answers of subagents are not part of the conversation with the user.
  if (kind === 'prompt' || kind === 'answer') return !('subagent' in body) || body.subagent === undefined;
  if (kind === 'served')
    return body.search !== undefined || (isCallSession(agentSession) && !isBookkeeping(body.tool));
  return ['edit', 'command', 'read', 'tool', 'compaction'].includes(kind);
}

const isBookkeeping = (tool: string): boolean => /^(?:session|memo)_/.test(tool);

function actionOf(event: EventEnvelope, isLastRun: boolean): Action | undefined {
  const { id, at, agent, trust } = event;
  const common = { id, at, agent, trust };
  switch (event.kind) {
    case 'prompt':
      return { ...common, kind: 'prompt', text: cut(promptText(event.body), maxTextLength) };
    case 'answer':
      return { ...common, kind: 'answer', text: withoutMiddle(event.body.text) };
    case 'edit': {
      const { path, hunks, created } = event.body;
      const count = (side: 'added' | 'removed') => hunks.reduce((sum, hunk) => sum + hunk[side].length, 0);
      const lines = { added: count('added'), removed: count('removed') };
      return { ...common, kind: 'edit', path, ...lines, ...(created === true ? { created } : {}) };
    }
    case 'command': {
      const { command, ok, exit, output } = event.body;
      return {
        ...common,
        kind: 'command',
        command: cut(command, maxCommandLength),
        ok,
        ...(exit === undefined ? {} : { exit }),
        ...(ok || output === undefined || !isLastRun ? {} : { output: failureOutput(output) }),
      };
    }
    case 'read':
      return { ...common, kind: 'read', path: event.body.path, tokens: event.body.tokens };
    case 'served': {
      const { tool, search } = event.body;
      if (search === undefined) return { ...common, kind: 'tool', tool, ok: true };
      const { id: searchId, query, mode, path } = search;
      const narrowed = { ...(mode === undefined ? {} : { mode }), ...(path === undefined ? {} : { path }) };
      const text = cut(query, maxTextLength);
      return { ...common, kind: 'search', tool, text, search: searchId, ...narrowed };
    }
    case 'tool':
      return { ...common, kind: 'tool', tool: event.body.tool, ok: event.body.ok };
    case 'compaction':
      return { ...common, kind: 'compaction' };
    default:
      return undefined;
  }
}

const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 1)}…`.toWellFormed();

/** An answer says first what was done, and last what the agent asks. */
const withoutMiddle = (text: string): string =>
  text.length <= maxTextLength
    ? text
    : `${cut(text, (2 * maxTextLength) / 3)}\n${text.slice(1 - maxTextLength / 3).toWellFormed()}`;

const stackFrame = /^\s+at\s|\bnode:\S+:\d+\)?$|^\s*\^+\s*$/;

/** The last lines of a failed program's output, in which it names what failed. */
const failureOutput = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line.trim() !== '' && !stackFrame.test(line))
    .slice(-maxOutputLines)
    .map((line) => cut(line.trimEnd(), maxOutputLineLength))
    .join('\n');

export interface CommandState {
  command: string;
  at: string;
  ok: boolean;
  exit: number | undefined;
  output: string;
  isTest: boolean;
  hasFailed: boolean;
}

/** Newest first. Read-only commands are left out, because a search without matches is not a failure. */
export function commandStates(actions: Action[]): CommandState[] {
  const states = new Map<string, CommandState>();
  for (const { kind, command = '', at, ok = true, exit, output = '' } of actions) {
    if (kind !== 'command') continue;
    const key = command.replace(/\s+/g, ' ').trim();
    const isTest = testWords.test(key);
    if (key === '' || (!isTest && isReadOnly(key))) continue;
    const hasFailed = states.get(key)?.hasFailed === true || !ok;
    states.delete(key);
    states.set(key, { command: key, at, ok, exit, output, isTest, hasFailed });
  }
  return [...states.values()].reverse();
}

const readOnlyCommand =
  /^(?:cd|grep|rg|ag|ls|cat|find|fd|head|tail|sed -n|wc|which|type|stat|file|pwd|echo|printf|tree|diff|less|git (?:status|log|diff|show|grep|branch|rev-parse))\b/;

const isReadOnly = (command: string): boolean =>
  command.split(/&&|\|\||[;|]/).every((part) => readOnlyCommand.test(part.trim()));
