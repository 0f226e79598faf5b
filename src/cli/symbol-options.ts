import { AppError } from '../base/errors.ts';
import type { SymbolSearch } from '../code/definition.ts';
import { type ParsedArgs, stringOf } from './command.ts';
import { pagingOf } from './paging.ts';

const timeoutMs = 60_000;

export const symbolOptions = {
  path: { type: 'string', short: 'p' },
  lang: { type: 'string', short: 'l' },
  limit: { type: 'string' },
  offset: { type: 'string' },
} as const;

/** Parses the arguments of `definition` and `references`. */
export function symbolSearchOf(args: ParsedArgs, command: string): SymbolSearch {
  const name = args.positionals.join(' ').trim();
  if (name === '')
    throw new AppError('INVALID_QUERY', 'no name given', { hint: `backstory ${command} parseArgs` });
  return {
    name,
    path: stringOf(args, 'path'),
    language: stringOf(args, 'lang'),
    ...pagingOf(args, `backstory ${command} NAME`),
    deadlineMs: timeoutMs,
  };
}
