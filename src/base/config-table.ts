import type { Config, ConfigKey } from './config.ts';
import { AppError } from './errors.ts';

/** What each setting means and which values it takes: for `backstory config` and the reference. */
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
      'Which projects are captured: "all", or "opted-in" for those where `backstory init` ran. In a project: "on" or "off".',
    parse: oneOf('all', 'opted-in', 'on', 'off'),
  }),
  row({
    key: 'exclude',
    meaning:
      'Globs, comma-separated. A folder that matches is never captured; a file that matches is left out.',
    parse: (text) =>
      text
        .split(',')
        .map((glob) => glob.trim())
        .filter((glob) => glob !== ''),
  }),
  row({
    key: 'pausedUntil',
    meaning: 'Nothing is captured until this time (ISO-8601); set by `backstory pause`.',
    parse: (text) => (text === '' || !Number.isNaN(Date.parse(text)) ? text : undefined),
  }),
  row({
    key: 'prelude',
    meaning: 'Whether a new agent session is given the prelude.',
    parse: oneOf('on', 'off'),
  }),
  row({
    key: 'distil',
    meaning: 'Whether notes are drawn from what was said and done, without any model.',
    parse: oneOf('on', 'off'),
  }),
  row({
    key: 'consolidateEvery',
    meaning: 'After so many agent sessions, notes of one theme are brought together; 0 never.',
    parse: (text) => (/^\d{1,4}$/.test(text) ? Number(text) : undefined),
  }),
  row({
    key: 'retentionDays',
    meaning: 'Events of months that ended longer ago than this many days are deleted; 0 keeps everything.',
    parse: (text) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined),
  }),
  row({
    key: 'actor',
    meaning: 'The name your events and notes carry; empty means the name you log in with.',
    parse: (text) => text.slice(0, 100),
  }),
  row({
    key: 'embed',
    meaning:
      'The model that finds what means the same in other words: "built-in", "off", "ollama:MODEL" or "openai:MODEL". The last sends your texts to `embedUrl`.',
    parse: (text) => (/^(?:built-in|off|(?:ollama|openai):\S.{0,500})$/.test(text) ? text : undefined),
  }),
  row({
    key: 'embedUrl',
    meaning:
      'Where that model answers, when not in its usual place. A key for it is taken from BACKSTORY_EMBED_KEY.',
    parse: (text) => (text === '' || URL.canParse(text) ? text : undefined),
  }),
  row({
    key: 'write',
    meaning:
      'The model that may write notes: "off", or what `backstory models use` chose: "claude", "codex", "cursor" or "gemini", each with ":MODEL" if you like, "ollama:MODEL", "openai:MODEL" or "anthropic:MODEL". All but Ollama send redacted text of your sessions to their maker.',
    parse: (text) => (writers.test(text) ? text : undefined),
  }),
  row({
    key: 'writeUrl',
    meaning: 'Where that model answers, when not in its usual place.',
    parse: (text) => (text === '' || URL.canParse(text) ? text : undefined),
  }),
  row({
    key: 'writeProgram',
    meaning: "The path of that model's program, where it is one; found on the PATH when empty.",
    parse: (text) => text,
  }),
  row({
    key: 'writeKey',
    meaning:
      'The name of the environment variable that holds the key for it. The key itself is never stored.',
    parse: (text) => (/^(?:[A-Za-z_]\w{0,99})?$/.test(text) ? text : undefined),
  }),
  row({
    key: 'writePrice',
    meaning:
      'What it costs, as "IN/OUT" in dollars for a million tokens read and written; empty means that 5/25 is assumed, and nothing for Ollama.',
    parse: (text) => (text === '' || pricePattern.test(text) ? text : undefined),
  }),
  row({
    key: 'writeSince',
    meaning: 'Sessions that ended before this time (ISO-8601) are never sent; set by `backstory models use`.',
    parse: (text) => (text === '' || !Number.isNaN(Date.parse(text)) ? text : undefined),
  }),
  row({
    key: 'writeSeconds',
    meaning: 'How long one call of that model may take, 1 to 90.',
    parse: (text) => (/^(?:[1-9]|[1-8]\d|90)$/.test(text) ? Number(text) : undefined),
  }),
  row({
    key: 'dailyTokens',
    meaning:
      'No call is begun that could take more tokens than this in a day (UTC). Your own setting alone counts.',
    parse: wholeNumber,
  }),
  row({
    key: 'monthlyTokens',
    meaning: 'The same in a month.',
    parse: wholeNumber,
  }),
  row({
    key: 'dailyUsd',
    meaning: 'No call is begun that could cost more dollars than this in a day (UTC).',
    parse: amount,
  }),
  row({
    key: 'monthlyUsd',
    meaning: 'The same in a month.',
    parse: amount,
  }),
] as const;

/** Throws for a name that no setting has. */
export function checkKey(key: string): (typeof configTable)[number] {
  const entry = configTable.find((candidate) => candidate.key === key);
  if (entry !== undefined) return entry;
  throw new AppError('INVALID_ARGUMENT', `there is no setting called ${key}`, { hint: 'backstory config' });
}

export function parseConfigValue(key: string, text: string): { key: ConfigKey; value: Config[ConfigKey] } {
  const entry = checkKey(key);
  const value = entry.parse(text);
  if (value === undefined) {
    throw new AppError('INVALID_ARGUMENT', `${text} is not a value for ${key}. ${entry.meaning}`, {
      hint: 'backstory config',
    });
  }
  return { key: entry.key, value };
}
