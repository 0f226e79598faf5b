import { AppError } from '../base/errors.ts';
import { type Json, list, record, text as textOf } from '../base/json.ts';
import { appendValue, type EditedText, parseSettings, removeValue, setValue } from './json-edit.ts';

/**
 * A hook event in the JSON settings of Claude Code, Codex or Cursor: event → groups → handlers. Cursor has no groups;
 * its handlers are treated as groups of one.
 */
export interface HookEvent {
  event: string;
  matcher?: string;
  timeoutSeconds?: number;
  /** The agent does not wait for the hook and ignores its output. */
  isAsync?: true;
}

/** Far more than a hook needs, but set because Claude Code's default for SessionEnd is too short. */
const defaultTimeoutSeconds = 10;

/** `flat`: no groups. Timeouts are in seconds, in Gemini CLI in milliseconds. */
export type HookShape = 'grouped' | 'grouped-in-milliseconds' | 'flat';

export function addHooks(
  text: string,
  file: string,
  command: string,
  events: HookEvent[],
  shape: HookShape,
): EditedText {
  const settings = parseSettings(text, file);
  const hooks = objectAt(settings, 'hooks', file);
  let edited: EditedText = { text, undo: [] };
  // Cursor ignores a settings file without a version.
  if (shape === 'flat' && !('version' in settings)) edited = setValue(edited, ['version'], 1);
  for (const { event, matcher, timeoutSeconds = defaultTimeoutSeconds, isAsync } of events) {
    const matching = matcher === undefined ? {} : { matcher };
    const timeout = shape === 'grouped-in-milliseconds' ? timeoutSeconds * 1000 : timeoutSeconds;
    const waiting = isAsync === true ? { async: true } : {};
    const handler = { type: 'command', command, timeout, ...waiting };
    const group = shape === 'flat' ? { ...handler, ...matching } : { ...matching, hooks: [handler] };
    if (event in hooks && !Array.isArray(hooks[event])) throw unexpectedFormat(file, `hooks.${event}`);
    edited =
      event in hooks
        ? appendValue(edited, ['hooks', event], group)
        : setValue(edited, ['hooks', event], [group]);
  }
  return edited;
}

/** Returns the object at a key, empty if the key is missing. Throws if the value is not an object. */
export function objectAt(settings: Json, key: string, file: string): Json {
  const value = settings[key] ?? {};
  if (typeof value !== 'object' || Array.isArray(value) || settings[key] === null)
    throw unexpectedFormat(file, key);
  return record(value);
}

export const unexpectedFormat = (file: string, what: string): AppError =>
  new AppError('CONFIG_UNREADABLE', `${what} in ${file} has an unexpected format, so nothing was changed`, {
    hint: `Correct ${file} and run the command again`,
  });

/**
 * Lists and objects that the settings contain before installation, such as `hooks` and `hooks.Stop`. Uninstalling must
 * keep them, even if they become empty.
 */
export function containersIn(text: string, file: string): string[] {
  const settings = parseSettings(text, file);
  const hooks =
    'hooks' in settings
      ? ['hooks', ...Object.keys(record(settings.hooks)).map((event) => `hooks.${event}`)]
      : [];
  return [...hooks, ...['mcpServers', 'mcp'].filter((map) => map in settings)];
}

/**
 * Removes Backstory's handlers. Groups and lists that become empty are removed too, unless `kept` says that they
 * existed before the installation.
 */
export function removeHooks(text: string, file: string, command: string, kept: string[]): EditedText {
  let edited: EditedText = { text, undo: [] };
  const hooks = record(parseSettings(text, file).hooks);
  for (const [event, groups] of Object.entries(hooks)) {
    const all = list(groups);
    const isOurs = (group: unknown) => isOurGroup(group, command);
    const isRemoved = all.length > 0 && all.every(isOurs) && !kept.includes(`hooks.${event}`);
    if (isRemoved) edited = removeValue(edited, ['hooks', event]);
    else
      for (const [at, group] of [...all.entries()].reverse())
        edited = removeOurs(edited, ['hooks', event, at], group, command);
  }
  const left = parseSettings(edited.text, file);
  const isEmptied = Object.keys(record(left.hooks)).length === 0 && Object.keys(hooks).length > 0;
  return isEmptied && !kept.includes('hooks') ? removeValue(edited, ['hooks']) : edited;
}

/** Removes Backstory's handlers from one group. If the user added no others, the whole group is removed. */
function removeOurs(
  edited: EditedText,
  path: (string | number)[],
  group: unknown,
  command: string,
): EditedText {
  if (isOurGroup(group, command)) return removeValue(edited, path);
  return [...list(record(group).hooks).entries()]
    .reverse()
    .filter(([, handler]) => isOurHandler(handler, command))
    .reduce((left, [at]) => removeValue(left, [...path, 'hooks', at]), edited);
}

/** Whether every event has our handler. One that makes the agent wait for nothing does not count. */
export function hasHooks(text: string, file: string, command: string, events: HookEvent[]): boolean {
  const hooks = record(parseSettings(text, file).hooks);
  return events.every(({ event, isAsync = false }) =>
    handlersOf(hooks[event]).some(
      (handler) => isOurHandler(handler, command) && (record(handler).async === true) === isAsync,
    ),
  );
}

const handlersOf = (groups: unknown): unknown[] => list(groups).flatMap(handlersIn);

const handlersIn = (group: unknown): unknown[] =>
  'hooks' in record(group) ? list(record(group).hooks) : [group];

const isOurHandler = (handler: unknown, command: string): boolean =>
  textOf(record(handler).command) === command;

function isOurGroup(group: unknown, command: string): boolean {
  const handlers = handlersIn(group);
  return handlers.length > 0 && handlers.every((handler) => isOurHandler(handler, command));
}
