import { sha256 } from '../../base/ids.ts';
import { type Json, list, parseObject, record, text } from '../../base/json.ts';
import { type EditedText, parseSettings } from '../json-edit.ts';
import type { Entries, SettingsEditor } from '../setup.ts';
import { appendTable, parseToml, removeTable, tomlString } from '../toml-edit.ts';

/**
 * Hook keys with their hashes. Codex runs a hook only if its settings contain the hook's hash. Users add it with /hooks
 * in Codex; Backstory writes it only if the user runs `install codex --trust-hooks`.
 */
export type TrustedHooks = Record<string, string>;

/** Codex ignores the matcher of these events and leaves it out of the hash. */
const withoutMatcher = ['UserPromptSubmit', 'Stop'];

/** Computes the key and hash of each Backstory handler in a hooks.json. */
export function trustedHooks(hooksText: string, hooksFile: string, command: string): TrustedHooks {
  const trusted: TrustedHooks = {};
  for (const [event, groups] of Object.entries(record(parseSettings(hooksText, hooksFile).hooks))) {
    list(groups).forEach((group, groupAt) => {
      list(record(group).hooks).forEach((value, at) => {
        const handler = record(value);
        if (handler.command !== command) return;
        const matcher = withoutMatcher.includes(event) ? '' : text(record(group).matcher);
        const name = snakeCase(event);
        trusted[`${hooksFile}:${name}:${groupAt}:${at}`] = hashOf(name, matcher, handler);
      });
    });
  }
  return trusted;
}

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at) => (at === 0 ? '' : '_') + letter.toLowerCase());

/** Codex hashes compact JSON with sorted keys. */
function hashOf(event: string, matcher: string, { async = false, command, timeout }: Json): string {
  const hooks = [{ async, command, timeout, type: 'command' }];
  return `sha256:${sha256(JSON.stringify({ event_name: event, hooks, ...(matcher === '' ? {} : { matcher }) }))}`;
}

const headerOf = (key: string): string => `[hooks.state.${tomlString(key)}]`;

const stateOf = (configText: string, file: string): Record<string, unknown> =>
  record(record(parseToml(configText, file).hooks).state);

function addTrust(configText: string, file: string, trusted: TrustedHooks): EditedText {
  const state = stateOf(configText, file);
  let edited: EditedText = { text: configText, undo: [] };
  for (const [key, hash] of Object.entries(trusted)) {
    if (record(state[key]).trusted_hash === hash) continue;
    if (key in state) edited = removeTable(edited, headerOf(key));
    edited = appendTable(edited, headerOf(key), [`trusted_hash = ${tomlString(hash)}`]);
  }
  return edited;
}

/** Removes only entries that still have our hash. If the hash changed, the user trusted that hook themselves. */
function removeTrust(configText: string, file: string, trusted: TrustedHooks): EditedText {
  const state = stateOf(configText, file);
  return Object.entries(trusted)
    .filter(([key, hash]) => record(state[key]).trusted_hash === hash)
    .reduce<EditedText>((edited, [key]) => removeTable(edited, headerOf(key)), {
      text: configText,
      undo: [],
    });
}

const hasTrust = (configText: string, file: string, trusted: TrustedHooks): boolean => {
  const state = stateOf(configText, file);
  return Object.entries(trusted).every(([key, hash]) => record(state[key]).trusted_hash === hash);
};

export function trustEditor({ trust = {} }: Entries): SettingsEditor {
  return {
    add: (text, file) => addTrust(text, file, trust),
    remove: (text, file) => removeTrust(text, file, trust),
    has: (text, file) => hasTrust(text, file, trust),
    containers: () => [],
  };
}

/** Messages to send to `codex app-server` to ask for its hooks. */
export const hooksListRequest = (cwd: string, version: string): string =>
  [
    { id: 1, method: 'initialize', params: { clientInfo: { name: 'backstory-doctor', version } } },
    { method: 'initialized' },
    { id: 2, method: 'hooks/list', params: { cwds: [cwd] } },
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join('');

export const hooksListResponse = /^\{"id":2,/m;

/** Reads the trust status of our hooks from the output of `codex app-server`; undefined if it sent no response. */
export function trustStates(
  stdout: string,
  command: string,
): { event: string; status: string }[] | undefined {
  const response = stdout
    .split('\n')
    .map((line) => record(parseObject(line)))
    .find(({ id, result }) => id === 2 && result !== undefined);
  if (response === undefined) return undefined;
  return list(record(response.result).data)
    .flatMap((entry) => list(record(entry).hooks).map(record))
    .filter((hook) => hook.command === command)
    .map((hook) => ({ event: text(hook.eventName), status: text(hook.trustStatus) }));
}
