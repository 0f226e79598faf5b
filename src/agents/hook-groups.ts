import { AppError } from '../base/errors.ts';
import { type Json, list, record, text as textOf } from '../base/json.ts';
import { appendValue, type EditedText, parseSettings, removeValue, setValue } from './json-edit.ts';

/**
 * The lists of hooks that Claude Code, Codex and Cursor keep in JSON: event → groups → handlers. Cursor's have
 * no groups; there a handler stands for a group that holds it alone.
 */
export interface HookEvent {
  event: string;
  matcher?: string;
  timeoutSeconds: number;
}

export type HookShape = 'grouped' | 'flat';

export function addHooks(
  text: string,
  file: string,
  command: string,
  events: HookEvent[],
  shape: HookShape,
): EditedText {
  const settings = parseSettings(text, file);
  const hooks = mapIn(settings, 'hooks', file);
  let edited: EditedText = { text, undo: [] };
  // Cursor reads no file without it.
  if (shape === 'flat' && !('version' in settings)) edited = setValue(edited, ['version'], 1);
  for (const { event, matcher, timeoutSeconds } of events) {
    const matching = matcher === undefined ? {} : { matcher };
    const handler = { type: 'command', command, timeout: timeoutSeconds };
    const group = shape === 'flat' ? { ...handler, ...matching } : { ...matching, hooks: [handler] };
    if (event in hooks && !Array.isArray(hooks[event])) throw unknownShape(file, `hooks.${event}`);
    edited =
      event in hooks
        ? appendValue(edited, ['hooks', event], group)
        : setValue(edited, ['hooks', event], [group]);
  }
  return edited;
}

/** A map that is missing is empty; anything else in its place is not ours to replace. */
export function mapIn(settings: Json, key: string, file: string): Json {
  const value = settings[key] ?? {};
  if (typeof value !== 'object' || Array.isArray(value) || settings[key] === null)
    throw unknownShape(file, key);
  return record(value);
}

const unknownShape = (file: string, what: string): AppError =>
  new AppError('CONFIG_UNREADABLE', `${what} in ${file} has a shape we do not know, so nothing was changed`, {
    hint: `Correct ${file} and run the command again`,
  });

/** What stood there before us, even if empty, and must stay when we go: `hooks`, `hooks.Stop`, `mcpServers`. */
export function containersIn(text: string, file: string): string[] {
  const settings = parseSettings(text, file);
  const hooks =
    'hooks' in settings
      ? ['hooks', ...Object.keys(record(settings.hooks)).map((event) => `hooks.${event}`)]
      : [];
  return [...hooks, ...['mcpServers', 'mcp'].filter((map) => map in settings)];
}

/** Takes out our handlers, and the groups and lists that are empty without them unless they were there before. */
export function removeHooks(text: string, file: string, command: string, kept: string[]): EditedText {
  let edited: EditedText = { text, undo: [] };
  const hooks = record(parseSettings(text, file).hooks);
  for (const [event, groups] of Object.entries(hooks)) {
    const all = list(groups);
    const isOurs = (group: unknown) => isOurGroup(group, command);
    const goes = all.length > 0 && all.every(isOurs) && !kept.includes(`hooks.${event}`);
    if (goes) edited = removeValue(edited, ['hooks', event]);
    else
      for (const [at, group] of [...all.entries()].reverse())
        edited = removeOurs(edited, ['hooks', event, at], group, command);
  }
  const left = parseSettings(edited.text, file);
  const isEmptied = Object.keys(record(left.hooks)).length === 0 && Object.keys(hooks).length > 0;
  return isEmptied && !kept.includes('hooks') ? removeValue(edited, ['hooks']) : edited;
}

/** The whole group, or only our handlers where somebody put others beside them. */
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

export function hasHooks(text: string, file: string, command: string, events: HookEvent[]): boolean {
  const hooks = record(parseSettings(text, file).hooks);
  return events.every(({ event }) =>
    handlersOf(hooks[event]).some((handler) => isOurHandler(handler, command)),
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
