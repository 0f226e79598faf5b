import { defaultLimit } from '../domain/hit.ts';
import type { Given } from './command.ts';
import { wholeNumber } from './filters.ts';

export function pagingOf(given: Given, example: string): { limit: number; offset: number } {
  return {
    limit: wholeNumber(given, 'limit', example) ?? defaultLimit,
    offset: wholeNumber(given, 'offset', example) ?? 0,
  };
}
