import { configDefaults, isAllowed, readOverrides, resolveConfig, type Settings } from './config.ts';
import { AppError } from './errors.ts';

/** The meaning of each setting, for `backstory config` and the reference. */
const meanings: Record<keyof Settings, string> = {
  capture:
    'Which projects are captured: "all", or "opted-in" for those where `backstory capture on` ran. In a project: "on" or "off".',
  exclude: 'Globs, comma-separated. Folders that match are never captured, and files that match are skipped.',
  tell: 'What agents are told without asking, comma-separated, or "off": "prelude" (at the start of a session), "prompt" (what the first prompt names, and your rules for subagents), "rules" (before a tool call that you named with `backstory enforce`, and whether it is denied).',
  distil: 'Whether notes are extracted from sessions on this machine, without a model.',
  retentionDays: 'Delete the events of a month this many days after the month ended; 0 keeps everything.',
  actor: 'Author name of your events and notes; empty means your login name.',
  embed: 'Embedding model for search by meaning: "built-in" or "off".',
  write:
    'Model that may write notes: "off", or the choice made with `backstory models use`: "claude", "codex", "cursor" or "gemini", optionally with ":MODEL"; "ollama:MODEL", "openai:MODEL" or "anthropic:MODEL". All except Ollama send redacted text of your sessions to the provider.',
  dailyTokens:
    'Token cap per day (UTC): a call that could exceed it is not made. Only the user setting counts, not that of a project.',
  monthlyTokens: 'Token cap per month (UTC).',
  dailyUsd: 'Cost cap per day (UTC) in dollars: a call that could exceed it is not made.',
  monthlyUsd: 'Cost cap per month (UTC) in dollars.',
};

export const configTable = (Object.entries(meanings) as [keyof Settings, string][]).map(([key, meaning]) => ({
  key,
  meaning,
}));

export function checkKey(key: string): (typeof configTable)[number] {
  const entry = configTable.find((candidate) => candidate.key === key);
  if (entry !== undefined) return entry;
  throw new AppError('INVALID_ARGUMENT', `unknown setting: ${key}`, { hint: 'backstory config' });
}

const writers =
  /^(?:off|(?:claude|codex|cursor|gemini)(?::[\w.:/-]{1,200})?|(?:ollama|openai|anthropic):[\w.:/-]{1,200})$/;

/** Reads a value as a user types it. It must be one that the file may have. */
export function parseConfigValue(name: string, text: string): unknown {
  const { key, meaning } = checkKey(name);
  const value = typedValue(key, text);
  if (isAllowed(key, value) && (key !== 'write' || writers.test(text))) return value;
  throw new AppError('INVALID_ARGUMENT', `invalid value for ${key}: ${text}. ${meaning}`, {
    hint: 'backstory config',
  });
}

function typedValue(key: keyof Settings, text: string): unknown {
  if (key === 'actor') return text.slice(0, 100);
  if (typeof configDefaults[key] === 'number')
    return /^\d{1,12}(?:\.\d{1,4})?$/.test(text) ? Number(text) : text;
  if (!Array.isArray(configDefaults[key])) return text;
  const parts = text.split(',').map((part) => part.trim());
  return key === 'tell' && text === 'off' ? [] : parts.filter((part) => part !== '');
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
