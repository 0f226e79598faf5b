import { sha256 } from '../base/ids.ts';
import { list, parseObject, record, text } from '../base/json.ts';
import { type EditedText, parseSettings } from './json-edit.ts';
import { appendTable, parseToml, removeTable, tomlString } from './toml-edit.ts';

/**
 * Codex runs a hook only when its settings hold the hash of exactly that hook. A user gives it in the terminal
 * interface with /hooks; writing it for them needs their word, which is `install codex --trust-hooks`.
 */
export type TrustedHooks = Record<string, string>;

/** Events whose matcher Codex does not look at, so that it is not part of what is trusted. */
const withoutMatcher = ['UserPromptSubmit', 'Stop'];

/** Key → hash of every handler of ours in a hooks.json that holds them already. */
export function trustedHooks(hooksText: string, hooksFile: string, command: string): TrustedHooks {
  const trusted: TrustedHooks = {};
  for (const [event, groups] of Object.entries(record(parseSettings(hooksText, hooksFile).hooks))) {
    list(groups).forEach((group, groupAt) => {
      list(record(group).hooks).forEach((value, at) => {
        const handler = record(value);
        if (handler.command !== command) return;
        const matcher = withoutMatcher.includes(event) ? '' : text(record(group).matcher);
        const name = snakeCase(event);
        trusted[`${hooksFile}:${name}:${groupAt}:${at}`] = hashOf(name, matcher, command, handler.timeout);
      });
    });
  }
  return trusted;
}

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at) => (at === 0 ? '' : '_') + letter.toLowerCase());

/** Compact JSON with its keys in order, as Codex writes it to hash it. */
function hashOf(event: string, matcher: string, command: string, timeout: unknown): string {
  const hooks = [{ async: false, command, timeout, type: 'command' }];
  return `sha256:${sha256(JSON.stringify({ event_name: event, hooks, ...(matcher === '' ? {} : { matcher }) }))}`;
}

const headerOf = (key: string): string => `[hooks.state.${tomlString(key)}]`;

const stateOf = (configText: string, file: string): Record<string, unknown> =>
  record(record(parseToml(configText, file).hooks).state);

export function addTrust(configText: string, file: string, trusted: TrustedHooks): EditedText {
  const state = stateOf(configText, file);
  let edited: EditedText = { text: configText, undo: [] };
  for (const [key, hash] of Object.entries(trusted)) {
    if (record(state[key]).trusted_hash === hash) continue;
    if (key in state) edited = removeTable(edited, headerOf(key));
    edited = appendTable(edited, headerOf(key), [`trusted_hash = ${tomlString(hash)}`]);
  }
  return edited;
}

/** Only what still says what we wrote: a hook that was trusted anew since is the user's own word. */
export function removeTrust(configText: string, file: string, trusted: TrustedHooks): EditedText {
  const state = stateOf(configText, file);
  return Object.entries(trusted)
    .filter(([key, hash]) => record(state[key]).trusted_hash === hash)
    .reduce<EditedText>((edited, [key]) => removeTable(edited, headerOf(key)), {
      text: configText,
      undo: [],
    });
}

export const hasTrust = (configText: string, file: string, trusted: TrustedHooks): boolean => {
  const state = stateOf(configText, file);
  return Object.entries(trusted).every(([key, hash]) => record(state[key]).trusted_hash === hash);
};

/** What to say to `codex app-server`, and what it then says of our hooks. */
export const hooksListRequest = (cwd: string, version: string): string =>
  [
    { id: 1, method: 'initialize', params: { clientInfo: { name: 'backstory-doctor', version } } },
    { method: 'initialized' },
    { id: 2, method: 'hooks/list', params: { cwds: [cwd] } },
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join('');

export const hooksListAnswered = /^\{"id":2,/m;

/** Undefined when it did not answer. */
export function trustStates(
  stdout: string,
  command: string,
): { event: string; status: string }[] | undefined {
  const answer = stdout
    .split('\n')
    .map((line) => record(parseObject(line)))
    .find(({ id, result }) => id === 2 && result !== undefined);
  if (answer === undefined) return undefined;
  return list(record(answer.result).data)
    .flatMap((entry) => list(record(entry).hooks).map(record))
    .filter((hook) => hook.command === command)
    .map((hook) => ({ event: text(hook.eventName), status: text(hook.trustStatus) }));
}
