import { list, record, text as textOf } from '../base/json.ts';
import { appendValue, type EditedText, parseSettings, removeValue, setValue } from './json-edit.ts';

/** The list of hooks that Claude Code and Codex both keep in JSON: event → groups → handlers. */
export interface HookEvent {
  event: string;
  matcher?: string;
  timeoutSeconds: number;
}

export function addHooks(text: string, file: string, command: string, events: HookEvent[]): EditedText {
  const hooks = record(parseSettings(text, file).hooks);
  let edited: EditedText = { text, undo: [] };
  for (const { event, matcher, timeoutSeconds } of events) {
    const group = {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: 'command', command, timeout: timeoutSeconds }],
    };
    edited = Array.isArray(hooks[event])
      ? appendValue(edited, ['hooks', event], group)
      : setValue(edited, ['hooks', event], [group]);
  }
  return edited;
}

/** What stood there before us, even if empty, and must stay when we go: `hooks`, `hooks.Stop`, `mcpServers`. */
export function containersIn(text: string, file: string): string[] {
  const settings = parseSettings(text, file);
  const hooks =
    'hooks' in settings
      ? ['hooks', ...Object.keys(record(settings.hooks)).map((event) => `hooks.${event}`)]
      : [];
  return [...hooks, ...('mcpServers' in settings ? ['mcpServers'] : [])];
}

/** Takes out our groups, and the lists that are empty without them unless they were there before. */
export function removeHooks(text: string, file: string, command: string, kept: string[]): EditedText {
  let edited: EditedText = { text, undo: [] };
  const hooks = record(parseSettings(text, file).hooks);
  for (const [event, groups] of Object.entries(hooks)) {
    const all = list(groups);
    const ours = all.flatMap((group, at) => (isOurGroup(group, command) ? [at] : []));
    if (ours.length === 0) continue;
    const goes = ours.length === all.length && !kept.includes(`hooks.${event}`);
    if (goes) edited = removeValue(edited, ['hooks', event]);
    else for (const at of ours.reverse()) edited = removeValue(edited, ['hooks', event, at]);
  }
  const left = parseSettings(edited.text, file);
  const isEmptied = Object.keys(record(left.hooks)).length === 0 && Object.keys(hooks).length > 0;
  return isEmptied && !kept.includes('hooks') ? removeValue(edited, ['hooks']) : edited;
}

export function hasHooks(text: string, file: string, command: string, events: HookEvent[]): boolean {
  const hooks = record(parseSettings(text, file).hooks);
  return events.every(({ event }) => list(hooks[event]).some((group) => isOurGroup(group, command)));
}

function isOurGroup(group: unknown, command: string): boolean {
  const handlers = list(record(group).hooks);
  return handlers.length > 0 && handlers.every((handler) => textOf(record(handler).command) === command);
}

/** One server in a JSON map of MCP servers. */
export const addServer = (text: string, file: string, name: string, server: object): EditedText => {
  parseSettings(text, file);
  return setValue({ text, undo: [] }, ['mcpServers', name], server);
};

export function removeServer(text: string, file: string, name: string, kept: string[]): EditedText {
  const servers = record(parseSettings(text, file).mcpServers);
  const edited: EditedText = { text, undo: [] };
  if (!(name in servers)) return edited;
  return Object.keys(servers).length === 1 && !kept.includes('mcpServers')
    ? removeValue(edited, ['mcpServers'])
    : removeValue(edited, ['mcpServers', name]);
}

export const hasServer = (text: string, file: string, name: string): boolean =>
  name in record(parseSettings(text, file).mcpServers);
