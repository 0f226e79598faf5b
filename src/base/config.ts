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
  /** 0 keeps everything. */
  retentionDays: number;
  actor: string;
  /** Which model judges the meaning of texts. */
  embed: string;
  embedUrl: string;
  /** Which model may be asked to write notes. */
  write: string;
  writeUrl: string;
  writeProgram: string;
  /** The name of the variable that holds the key; never the key. */
  writeKey: string;
  /** Dollars for a million tokens read, and written. */
  writePrice: string;
  /** Sessions that ended before this time are never sent. */
  writeSince: string;
  writeSeconds: number;
  dailyTokens: number;
  monthlyTokens: number;
  dailyUsd: number;
  monthlyUsd: number;
}

export type ConfigKey = keyof Config;

/** Apart from what they mean, which the hook has no use for: `config-table.ts`. */
export const configDefaults: Config = {
  capture: 'all',
  exclude: [],
  pausedUntil: '',
  prelude: 'on',
  distil: 'on',
  retentionDays: 0,
  actor: '',
  embed: 'built-in',
  embedUrl: '',
  write: 'off',
  writeUrl: '',
  writeProgram: '',
  writeKey: '',
  writePrice: '',
  writeSince: '',
  writeSeconds: 90,
  dailyTokens: 300_000,
  monthlyTokens: 3_000_000,
  dailyUsd: 2,
  monthlyUsd: 20,
};

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

/** The project's word goes before the user's, the user's before the default. */
export function resolveConfig(user: Overrides, project: Overrides = {}): Config {
  return {
    ...configDefaults,
    ...user,
    ...project,
    exclude: [...(user.exclude ?? []), ...(project.exclude ?? [])],
  };
}
