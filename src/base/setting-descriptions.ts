import { readOverrides, resolveConfig, type Settings, toldParts } from './config.ts';
import { AppError } from './errors.ts';

/** The meaning and allowed values of each setting, for `backstory config` and the reference. */
interface ConfigRow<K extends keyof Settings> {
  key: K;
  meaning: string;
  parse(text: string): Settings[K] | undefined;
}

const oneOf =
  <T extends string>(...allowed: T[]) =>
  (text: string): T | undefined =>
    allowed.find((value) => value === text);

const row = <K extends keyof Settings>(entry: ConfigRow<K>): ConfigRow<K> => entry;

const writers =
  /^(?:off|(?:claude|codex|cursor|gemini)(?::[\w.:/-]{1,200})?|(?:ollama|openai|anthropic):[\w.:/-]{1,200})$/;
const wholeNumber = (text: string): number | undefined =>
  /^\d{1,12}$/.test(text) ? Number(text) : undefined;
const amount = (text: string): number | undefined =>
  /^\d{1,6}(?:\.\d{1,4})?$/.test(text) ? Number(text) : undefined;

export const configTable = [
  row({
    key: 'capture',
    meaning:
      'Which projects are captured: "all", or "opted-in" for those where `backstory capture on` ran. In a project: "on" or "off".',
    parse: oneOf('all', 'opted-in', 'on', 'off'),
  }),
  row({
    key: 'exclude',
    meaning:
      'Globs, comma-separated. Folders that match are never captured, and files that match are skipped.',
    parse: (text) =>
      text
        .split(',')
        .map((glob) => glob.trim())
        .filter((glob) => glob !== ''),
  }),
  row({
    key: 'tell',
    meaning:
      'What agents are told without asking, comma-separated, or "off": "prelude" (at the start of a session), "prompt" (what the memory says about the first prompt, and your rules for subagents), "rules" (before a tool call that you named with `backstory enforce`, and whether it is denied).',
    parse: (text) => {
      const parts = text === 'off' ? [] : text.split(',').map((part) => part.trim());
      const known = toldParts.filter((part) => parts.includes(part));
      return known.length === parts.length ? known : undefined;
    },
  }),
  row({
    key: 'distil',
    meaning: 'Whether notes are extracted from sessions on this machine, without a model.',
    parse: oneOf('on', 'off'),
  }),
  row({
    key: 'retentionDays',
    meaning: 'Delete the events of a month this many days after the month ended; 0 keeps everything.',
    parse: (text) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined),
  }),
  row({
    key: 'actor',
    meaning: 'Author name of your events and notes; empty means your login name.',
    parse: (text) => text.slice(0, 100),
  }),
  row({
    key: 'embed',
    meaning: 'Embedding model for search by meaning: "built-in" or "off".',
    parse: oneOf('built-in', 'off'),
  }),
  row({
    key: 'write',
    meaning:
      'Model that may write notes: "off", or the choice made with `backstory models use`: "claude", "codex", "cursor" or "gemini", optionally with ":MODEL"; "ollama:MODEL", "openai:MODEL" or "anthropic:MODEL". All except Ollama send redacted text of your sessions to the provider.',
    parse: (text) => (writers.test(text) ? text : undefined),
  }),
  row({
    key: 'dailyTokens',
    meaning:
      'Token cap per day (UTC): a call that could exceed it is not made. Only the user setting counts, not that of a project.',
    parse: wholeNumber,
  }),
  row({
    key: 'monthlyTokens',
    meaning: 'Token cap per month (UTC).',
    parse: wholeNumber,
  }),
  row({
    key: 'dailyUsd',
    meaning: 'Cost cap per day (UTC) in dollars: a call that could exceed it is not made.',
    parse: amount,
  }),
  row({
    key: 'monthlyUsd',
    meaning: 'Cost cap per month (UTC) in dollars.',
    parse: amount,
  }),
] as const;

export function checkKey(key: string): (typeof configTable)[number] {
  const entry = configTable.find((candidate) => candidate.key === key);
  if (entry !== undefined) return entry;
  throw new AppError('INVALID_ARGUMENT', `unknown setting: ${key}`, { hint: 'backstory config' });
}

export function parseConfigValue(
  key: string,
  text: string,
): {
  key: keyof Settings;
  value: Settings[keyof Settings];
} {
  const entry = checkKey(key);
  const value = entry.parse(text);
  if (value === undefined) {
    throw new AppError('INVALID_ARGUMENT', `invalid value for ${key}: ${text}. ${entry.meaning}`, {
      hint: 'backstory config',
    });
  }
  return { key: entry.key, value };
}

/** Every setting with its value, and which of the two files sets it. */
export function settingsIn(files: { user: string; project?: string }) {
  const user = readOverrides(files.user);
  const project = files.project === undefined ? {} : readOverrides(files.project);
  const resolved = resolveConfig(user, project);
  return configTable.map(({ key, meaning }) => ({
    key,
    value: resolved[key],
    from: key in project ? 'this project' : key in user ? 'your config.json' : 'default',
    meaning,
  }));
}
