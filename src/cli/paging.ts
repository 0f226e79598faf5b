import { defaultLimit } from '../domain/hit.ts';
import type { ParsedArgs } from './command.ts';
import { wholeNumber } from './filters.ts';

export function pagingOf(args: ParsedArgs, example: string): { limit: number; offset: number } {
  return {
    limit: wholeNumber(args, 'limit', example) ?? defaultLimit,
    offset: wholeNumber(args, 'offset', example) ?? 0,
  };
}
