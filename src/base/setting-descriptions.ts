import type { Config, ConfigKey } from './config.ts';
import { AppError } from './errors.ts';

/** The meaning and allowed values of each setting, for `backstory config` and the reference. */
interface ConfigRow<K extends ConfigKey> {
  key: K;
  meaning: string;
  parse(text: string): Config[K] | undefined;
}

const oneOf =
  <T extends string>(...allowed: T[]) =>
  (text: string): T | undefined =>
    allowed.find((value) => value === text);

const row = <K extends ConfigKey>(entry: ConfigRow<K>): ConfigRow<K> => entry;

const writers =
  /^(?:off|(?:claude|codex|cursor|gemini)(?::[\w.:/-]{1,200})?|(?:ollama|openai|anthropic):[\w.:/-]{1,200})$/;
const pricePattern = /^\d{1,4}(?:\.\d{1,6})?\/\d{1,4}(?:\.\d{1,6})?$/;
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
    key: 'pausedUntil',
    meaning: 'Nothing is captured until this time (ISO-8601); set by `backstory capture pause`.',
    parse: (text) => (text === '' || !Number.isNaN(Date.parse(text)) ? text : undefined),
  }),
  row({
    key: 'prelude',
    meaning: 'Whether new agent sessions receive the prelude.',
    parse: oneOf('on', 'off'),
  }),
  row({
    key: 'reminders',
    meaning:
      'Whether an agent that did not save what a prompt may have settled is reminded with the next prompt, at most once in five turns.',
    parse: oneOf('on', 'off'),
  }),
  row({
    key: 'firstPrompt',
    meaning:
      'Whether the first prompt of a session is answered with what the memory says about it, at most 600 tokens; and whether subagents are told your rules and what concerns their task.',
    parse: oneOf('on', 'off'),
  }),
  row({
    key: 'rules',
    meaning:
      'Whether an agent is told, before a tool call, that the call goes against a rule of yours, once for each rule and session; and whether rules marked with `backstory enforce` are enforced.',
    parse: oneOf('on', 'off'),
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
    meaning:
      'Embedding model for search by meaning: "built-in", "off", "ollama:MODEL" or "openai:MODEL". "openai" sends your text to `embedUrl`.',
    parse: (text) => (/^(?:built-in|off|(?:ollama|openai):\S.{0,500})$/.test(text) ? text : undefined),
  }),
  row({
    key: 'embedUrl',
    meaning: 'URL of the embedding model, if not the default. The API key is read from BACKSTORY_EMBED_KEY.',
    parse: (text) => (text === '' || URL.canParse(text) ? text : undefined),
  }),
  row({
    key: 'write',
    meaning:
      'Model that may write notes: "off", or the choice made with `backstory models use`: "claude", "codex", "cursor" or "gemini", optionally with ":MODEL"; "ollama:MODEL", "openai:MODEL" or "anthropic:MODEL". All except Ollama send redacted text of your sessions to the provider.',
    parse: (text) => (writers.test(text) ? text : undefined),
  }),
  row({
    key: 'writeUrl',
    meaning: 'URL of the writing model, if not the default.',
    parse: (text) => (text === '' || URL.canParse(text) ? text : undefined),
  }),
  row({
    key: 'writeProgram',
    meaning: "Path of the writing model's command-line program, if it has one; empty means search the PATH.",
    parse: (text) => text,
  }),
  row({
    key: 'writeKey',
    meaning:
      'Name of the environment variable with the API key of the writing model. The key itself is never stored.',
    parse: (text) => (/^(?:[A-Za-z_]\w{0,99})?$/.test(text) ? text : undefined),
  }),
  row({
    key: 'writePrice',
    meaning:
      'Price of the writing model as "IN/OUT", in dollars per million input and output tokens; empty means 5/25, and 0 for Ollama.',
    parse: (text) => (text === '' || pricePattern.test(text) ? text : undefined),
  }),
  row({
    key: 'writeSince',
    meaning:
      'Sessions that ended before this time (ISO-8601) are never sent to the writing model; set by `backstory models use`.',
    parse: (text) => (text === '' || !Number.isNaN(Date.parse(text)) ? text : undefined),
  }),
  row({
    key: 'writeSeconds',
    meaning: 'Time limit for one call of the writing model, in seconds, 1 to 90.',
    parse: (text) => (/^(?:[1-9]|[1-8]\d|90)$/.test(text) ? Number(text) : undefined),
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

/** Returns the row of a setting; throws if there is none with this name. */
export function checkKey(key: string): (typeof configTable)[number] {
  const entry = configTable.find((candidate) => candidate.key === key);
  if (entry !== undefined) return entry;
  throw new AppError('INVALID_ARGUMENT', `unknown setting: ${key}`, { hint: 'backstory config' });
}

export function parseConfigValue(key: string, text: string): { key: ConfigKey; value: Config[ConfigKey] } {
  const entry = checkKey(key);
  const value = entry.parse(text);
  if (value === undefined) {
    throw new AppError('INVALID_ARGUMENT', `invalid value for ${key}: ${text}. ${entry.meaning}`, {
      hint: 'backstory config',
    });
  }
  return { key: entry.key, value };
}
