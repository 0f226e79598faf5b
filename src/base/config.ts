import { AppError } from './errors.ts';
import { readIfThere } from './files.ts';

/** What a user may override. Only overrides are stored; `backstory config` shows where each value is from. */
export interface Config {
  /** Globally "all" or "opted-in"; in a project "on" or "off". */
  capture: 'all' | 'opted-in' | 'on' | 'off';
  exclude: string[];
  /** ISO time until which nothing is captured, or "" when not paused. */
  pausedUntil: string;
  prelude: 'on' | 'off';
  distil: 'on' | 'off';
  /** 0 never. */
  consolidateEvery: number;
  /** 0 keeps everything. */
  retentionDays: number;
  actor: string;
  /** Which model judges the meaning of texts. */
  embed: string;
  embedUrl: string;
}

export type ConfigKey = keyof Config;

interface ConfigRow<K extends ConfigKey> {
  key: K;
  default: Config[K];
  meaning: string;
  parse(text: string): Config[K] | undefined;
}

const oneOf =
  <T extends string>(...allowed: T[]) =>
  (text: string): T | undefined =>
    allowed.find((value) => value === text);

const row = <K extends ConfigKey>(entry: ConfigRow<K>): ConfigRow<K> => entry;

export const configTable = [
  row({
    key: 'capture',
    default: 'all',
    meaning:
      'Which projects are captured: "all", or "opted-in" for those where `backstory init` ran. In a project: "on" or "off".',
    parse: oneOf('all', 'opted-in', 'on', 'off'),
  }),
  row({
    key: 'exclude',
    default: [],
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
    default: '',
    meaning: 'Nothing is captured until this time (ISO-8601); set by `backstory pause`.',
    parse: (text) => (text === '' || !Number.isNaN(Date.parse(text)) ? text : undefined),
  }),
  row({
    key: 'prelude',
    default: 'on',
    meaning: 'Whether a new agent session is given the prelude.',
    parse: oneOf('on', 'off'),
  }),
  row({
    key: 'distil',
    default: 'on',
    meaning: 'Whether notes are drawn from what was said and done, without any model.',
    parse: oneOf('on', 'off'),
  }),
  row({
    key: 'consolidateEvery',
    default: 10,
    meaning: 'After so many agent sessions, notes of one theme are brought together; 0 never.',
    parse: (text) => (/^\d{1,4}$/.test(text) ? Number(text) : undefined),
  }),
  row({
    key: 'retentionDays',
    default: 0,
    meaning: 'Events of months that ended longer ago than this many days are deleted; 0 keeps everything.',
    parse: (text) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined),
  }),
  row({
    key: 'actor',
    default: '',
    meaning: 'The name your events and notes carry; empty means the name you log in with.',
    parse: (text) => text.slice(0, 100),
  }),
  row({
    key: 'embed',
    default: 'built-in',
    meaning:
      'The model that finds what means the same in other words: "built-in", "off", "onnx:FOLDER", "ollama:MODEL" or "openai:MODEL". The last sends your texts to `embedUrl`.',
    parse: (text) => (/^(?:built-in|off|(?:onnx|ollama|openai):\S.{0,500})$/.test(text) ? text : undefined),
  }),
  row({
    key: 'embedUrl',
    default: '',
    meaning:
      'Where that model answers, when not in its usual place. A key for it is taken from BACKSTORY_EMBED_KEY.',
    parse: (text) => (text === '' || URL.canParse(text) ? text : undefined),
  }),
] as const;

export type Overrides = Partial<Config>;

/** Reads one config.json. A broken file must not silently become "capture everything", so it throws. */
export function readOverrides(path: string): Overrides {
  const text = readIfThere(path);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Overrides;
  } catch {
    // Falls through to the one error below.
  }
  throw new AppError('CONFIG_UNREADABLE', `${path} is not a JSON object`, {
    hint: `Correct or delete ${path}`,
  });
}

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

/** The project's word goes before the user's, the user's before the default. */
export function resolveConfig(user: Overrides, project: Overrides = {}): Config {
  const defaults = Object.fromEntries(
    configTable.map((entry) => [entry.key, entry.default]),
  ) as unknown as Config;
  return { ...defaults, ...user, ...project, exclude: [...(user.exclude ?? []), ...(project.exclude ?? [])] };
}
