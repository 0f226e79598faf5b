import { AppError } from '../base/errors.ts';
import type { SymbolSearch } from '../code/definition.ts';
import { type Given, stringOf } from './command.ts';
import { pagingOf } from './paging.ts';

const timeoutMs = 60_000;

export const symbolOptions = {
  path: { type: 'string', short: 'p' },
  lang: { type: 'string', short: 'l' },
  limit: { type: 'string' },
  offset: { type: 'string' },
} as const;

/** What `definition` and `references` are asked, each about a name. */
export function symbolQuestion(given: Given, command: string): SymbolSearch {
  const name = given.positionals.join(' ').trim();
  if (name === '')
    throw new AppError('INVALID_QUERY', 'of which name?', { hint: `backstory ${command} parseArgs` });
  return {
    name,
    path: stringOf(given, 'path'),
    language: stringOf(given, 'lang'),
    ...pagingOf(given, `backstory ${command} NAME`),
    deadlineMs: timeoutMs,
  };
}
