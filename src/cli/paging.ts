import { AppError } from '../base/errors.ts';
import { defaultLimit } from '../domain/hit.ts';
import { type Given, stringOf } from './command.ts';

export function pagingOf(given: Given, example: string): { limit: number; offset: number } {
  return {
    limit: wholeNumber(given, 'limit', example) ?? defaultLimit,
    offset: wholeNumber(given, 'offset', example) ?? 0,
  };
}

function wholeNumber(given: Given, name: string, example: string): number | undefined {
  const text = stringOf(given, name);
  if (text === undefined || /^\d{1,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new AppError('INVALID_ARGUMENT', `${name} must be a whole number, not ${text}`, {
    hint: `${example} --${name} 20`,
  });
}
