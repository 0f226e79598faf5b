import { list, record, text as textOf } from '../base/json.ts';
import { appendValue, type EditedText, parseSettings, removeValue, setValue } from './json-edit.ts';

/** What Backstory puts into Claude Code's settings: one hook command for every event, and one MCP server. */
export interface ClaudeEntries {
  hookCommand: string;
  server: { command: string; args: string[] };
}

/** Only what is kept as events or answered; a hook costs a process start, so not one more. */
const hookEvents: { event: string; matcher?: string }[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PostToolUse', matcher: 'Edit|Write|MultiEdit|NotebookEdit|Bash' },
  { event: 'PostToolUseFailure', matcher: 'Bash' },
  { event: 'Stop' },
  { event: 'SubagentStop' },
  { event: 'PreCompact' },
  { event: 'SessionEnd' },
];

/** Far more than a hook needs; it also lifts the short limit Claude Code sets for SessionEnd. */
const hookTimeoutSeconds = 10;

const serverName = 'backstory';

export function addHooks(text: string, file: string, { hookCommand }: ClaudeEntries): EditedText {
  const hooks = record(parseSettings(text, file).hooks);
  let edited: EditedText = { text, undo: [] };
  for (const { event, matcher } of hookEvents) {
    const group = {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: 'command', command: hookCommand, timeout: hookTimeoutSeconds }],
    };
    edited = Array.isArray(hooks[event])
      ? appendValue(edited, ['hooks', event], group)
      : setValue(edited, ['hooks', event], [group]);
  }
  return edited;
}

/** Takes out our groups and the lists that are empty without them; another tool's hooks stay as they are. */
export function removeHooks(text: string, file: string, { hookCommand }: ClaudeEntries): EditedText {
  let edited: EditedText = { text, undo: [] };
  const hooks = record(parseSettings(text, file).hooks);
  for (const [event, groups] of Object.entries(hooks)) {
    const all = list(groups);
    const ours = all.flatMap((group, at) => (isOurGroup(group, hookCommand) ? [at] : []));
    if (ours.length === 0) continue;
    if (ours.length === all.length) edited = removeValue(edited, ['hooks', event]);
    else for (const at of ours.reverse()) edited = removeValue(edited, ['hooks', event, at]);
  }
  const left = parseSettings(edited.text, file);
  const isEmptied =
    'hooks' in left && Object.keys(record(left.hooks)).length === 0 && Object.keys(hooks).length > 0;
  return isEmptied ? removeValue(edited, ['hooks']) : edited;
}

function isOurGroup(group: unknown, command: string): boolean {
  const handlers = list(record(group).hooks);
  return handlers.length > 0 && handlers.every((handler) => textOf(record(handler).command) === command);
}

export const hasHooks = (text: string, file: string, { hookCommand }: ClaudeEntries): boolean => {
  const hooks = record(parseSettings(text, file).hooks);
  return hookEvents.every(({ event }) => list(hooks[event]).some((group) => isOurGroup(group, hookCommand)));
};

export function addServer(text: string, file: string, { server }: ClaudeEntries): EditedText {
  parseSettings(text, file);
  return setValue({ text, undo: [] }, ['mcpServers', serverName], { type: 'stdio', ...server });
}

export function removeServer(text: string, file: string): EditedText {
  const servers = record(parseSettings(text, file).mcpServers);
  const edited: EditedText = { text, undo: [] };
  if (!(serverName in servers)) return edited;
  return Object.keys(servers).length === 1
    ? removeValue(edited, ['mcpServers'])
    : removeValue(edited, ['mcpServers', serverName]);
}

export const hasServer = (text: string, file: string): boolean =>
  serverName in record(parseSettings(text, file).mcpServers);
