import { AppError } from './errors.ts';
import { readIfThere } from './files.ts';

/** What agents are told without asking. */
export const toldParts = ['prelude', 'prompt', 'rules', 'reminders'] as const;
export type ToldPart = (typeof toldParts)[number];

/** The settings a user can override. `backstory config` shows the source of each value. */
export interface Settings {
  /** Globally "all" or "opted-in"; in a project "on" or "off". */
  capture: 'all' | 'opted-in' | 'on' | 'off';
  exclude: string[];
  tell: readonly ToldPart[];
  distil: 'on' | 'off';
  /** The events of a month are deleted this many days after the month ended; 0 keeps everything. */
  retentionDays: number;
  actor: string;
  /** The embedding model. */
  embed: string;
  embedUrl: string;
  /** The model that may write notes. */
  write: string;
  dailyTokens: number;
  monthlyTokens: number;
  dailyUsd: number;
  monthlyUsd: number;
}

/** What `backstory models use` stores with the choice of a model. */
export interface WriterOptions {
  url?: string;
  program?: string;
  /** The name of the environment variable with the API key, never the key. */
  key?: string;
  /** Dollars per million input and output tokens, as "IN/OUT". */
  price?: string;
  /** Sessions that ended before this time are never sent to the model. */
  since?: string;
}

/** The content of a config.json: the settings, and what commands store. Only overrides are stored. */
export interface Config extends Settings {
  /** ISO time until which nothing is captured, or "" when not paused. Set by `backstory capture pause`. */
  pausedUntil: string;
  writer: WriterOptions;
}

/**
 * The default of each setting. The descriptions are in `setting-descriptions.ts`, because the hook does not need
 * them.
 */
export const configDefaults: Config = {
  capture: 'all',
  exclude: [],
  tell: toldParts,
  distil: 'on',
  retentionDays: 0,
  actor: '',
  embed: 'built-in',
  embedUrl: '',
  write: 'off',
  dailyTokens: 300_000,
  monthlyTokens: 3_000_000,
  dailyUsd: 2,
  monthlyUsd: 20,
  pausedUntil: '',
  writer: {},
};

export type Overrides = Partial<Config>;

/**
 * Reads one config.json. It throws if the file is broken, because falling back to the defaults would capture
 * everything.
 */
export function readOverrides(path: string): Overrides {
  const text = readIfThere(path);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Overrides;
  } catch {
    // Not valid JSON: throw the same error as for JSON that is not an object.
  }
  throw new AppError('CONFIG_UNREADABLE', `${path} is not a JSON object`, {
    hint: `Correct or delete ${path}`,
  });
}

/** Project settings override user settings, which override the defaults. `exclude` lists are joined. */
export function resolveConfig(user: Overrides, project: Overrides = {}): Config {
  return {
    ...configDefaults,
    ...user,
    ...project,
    exclude: [...(user.exclude ?? []), ...(project.exclude ?? [])],
  };
}
