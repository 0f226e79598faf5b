import { AppError } from '../../base/errors.ts';
import { type Match, matchLines } from '../../domain/match.ts';
import { shellCommands } from '../../text/shell-commands.ts';
import { readPattern } from './match-rules.ts';

export const maxMatcherLength = 200;
export const maxMatchers = 20;

/** Throws if a matcher could match nothing, or more than was meant. */
export function checkMatch(match: Match): Match {
  const lines = matchLines(match);
  if (lines.length > maxMatchers) throw invalid(`a note has at most ${maxMatchers} matchers`);
  for (const value of Object.values(match).flat())
    if (value.trim() === '' || value.length > maxMatcherLength)
      throw invalid(`a matcher has 1 to ${maxMatcherLength} characters`);
  for (const command of match.command ?? [])
    if (shellCommands(command).length !== 1 || readPattern(command) === undefined)
      throw invalid(`not one command: ${command}`);
  return match;
}

const invalid = (why: string): AppError =>
  new AppError('INVALID_ARGUMENT', why, { hint: "for example: --command 'git push --force'" });
