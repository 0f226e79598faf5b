import type { Match } from '../../domain/match.ts';
import { readPattern } from './match-rules.ts';

/**
 * What a person should know when they name a command: a matcher has no synonyms. A long option often has a short one,
 * and only the program knows which, so its first letter is offered and not assumed.
 */
export function unseenForms({ command = [], path = [] }: Match): string[] {
  const shortened = command.flatMap(withShortOption).filter((form) => !command.includes(form));
  return [
    ...(shortened.length === 0
      ? []
      : [
          `Other spellings are not matched. If one of these means the same, name it, too: ${shortened.map((form) => `--command '${form}'`).join(' ')}`,
        ]),
    ...(command.length === 0
      ? []
      : ['An alias, a script, or another program that does the same is not seen.']),
    ...(path.length === 0 ? [] : ['A script or program that writes the file itself is not seen.']),
  ];
}

/** `git push -f` of `git push --force`. */
function withShortOption(form: string): string[] {
  const long = readPattern(form)?.options.filter((option) => /^--[a-z]/i.test(option)) ?? [];
  return long.flatMap((option) => {
    const short = form.replace(option, option.slice(1, 3));
    return short === form ? [] : [short];
  });
}
