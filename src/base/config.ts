import { AppError } from './errors.ts';
import { readIfThere } from './files.ts';
import { parseObject } from './json.ts';
import type { HomePaths } from './paths.ts';

/** What agents are told without asking. */
const toldParts = ['prelude', 'prompt', 'rules'] as const;
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
  embed: 'built-in' | 'off';
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

/** The defaults. The descriptions are in `setting-descriptions.ts`, because the hook does not need them. */
export const configDefaults: Config = {
  capture: 'all',
  exclude: [],
  tell: toldParts,
  distil: 'on',
  retentionDays: 0,
  actor: '',
  embed: 'built-in',
  write: 'off',
  dailyTokens: 300_000,
  monthlyTokens: 3_000_000,
  dailyUsd: 2,
  monthlyUsd: 20,
  pausedUntil: '',
  writer: {},
};

export type Overrides = Partial<Config>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isOneOf =
  (...allowed: unknown[]) =>
  (value: unknown): boolean =>
    allowed.includes(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isListOf =
  (isItem: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isItem);

/** What is allowed where the type of the default does not say it. */
const checks: Partial<Record<keyof Config, (value: unknown) => boolean>> = {
  capture: isOneOf('all', 'opted-in', 'on', 'off'),
  exclude: isListOf(isText),
  tell: isListOf(isOneOf(...toldParts)),
  distil: isOneOf('on', 'off'),
  retentionDays: isCount,
  embed: isOneOf('built-in', 'off'),
  dailyTokens: isCount,
  monthlyTokens: isCount,
  pausedUntil: (value) =>
    value === '' || (/^\d{4}-\d\d-\d\d/.test(String(value)) && Date.parse(String(value)) > 0),
  writer: (value) => typeof value === 'object' && value !== null && Object.values(value).every(isText),
};

export const isAllowed = (key: keyof Config, value: unknown): boolean =>
  checks[key]?.(value) ??
  (typeof value === typeof configDefaults[key] && (typeof value !== 'number' || value >= 0));

/**
 * Reads one config.json. It throws if the file or one of its values is broken, because falling back to the defaults
 * would capture everything. The values of `replaced` keys are not checked, so that a command can correct them.
 */
export function readOverrides(path: string, replaced: string[] = []): Overrides {
  const text = readIfThere(path);
  if (text === undefined) return {};
  const overrides = parseObject(text) as Overrides | undefined;
  if (overrides === undefined)
    throw new AppError('CONFIG_UNREADABLE', `${path} is not a JSON object`, {
      hint: `Correct or delete ${path}`,
    });
  for (const key of Object.keys(configDefaults) as (keyof Config)[])
    if (Object.hasOwn(overrides, key) && !replaced.includes(key) && !isAllowed(key, overrides[key]))
      throw new AppError('CONFIG_UNREADABLE', `"${key}" in ${path} has a value that is not allowed`, {
        hint: `Correct or delete "${key}" in ${path}`,
      });
  return overrides;
}

export const projectConfig = (paths: Pick<HomePaths, 'config' | 'project'>, project: string): Config =>
  resolveConfig(readOverrides(paths.config), readOverrides(paths.project(project).config));

/** Project settings override user settings, which override the defaults. `exclude` lists are joined. */
export function resolveConfig(user: Overrides, project: Overrides = {}): Config {
  return {
    ...configDefaults,
    ...user,
    ...project,
    exclude: [...(user.exclude ?? []), ...(project.exclude ?? [])],
  };
}
