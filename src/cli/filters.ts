import { installableAgents } from '../agents/settings.ts';
import { AppError } from '../base/errors.ts';
import { trustNames } from '../domain/event.ts';
import { defaultLimit, maxWordingLength, maxWordings } from '../recall/hit.ts';
import { filterKinds } from '../recall/parse-filter.ts';
import { type Options, type ParsedArgs, stringOf } from './command.ts';

export const filterUsage =
  '[--kind K] [--file F] [--folder F] [--topic T] [--concept C] [--agent A] [--session S] [--branch B] [--since T] [--until T] [--trust WHO] [--in notes|prompts|observations|sessions|all]';

export const filterOptions = {
  kind: { about: `Only of these kinds, separated by commas: ${filterKinds.join(', ')}.`, value: 'KIND' },
  file: { about: 'Only about this file; the end of its path is enough.', value: 'FILE' },
  folder: { about: 'Only about this folder.', value: 'FOLDER' },
  topic: { about: 'Only notes whose topic contains this.', value: 'TOPIC' },
  concept: { about: 'Only with this concept.', value: 'CONCEPT' },
  agent: { about: `Only from this agent: ${installableAgents.join(', ')}.`, value: 'AGENT' },
  session: { about: 'Only of this agent session.', value: 'SESSION' },
  branch: { about: 'Only from this branch.', value: 'BRANCH' },
  since: { about: 'Only after this time: a date, or 3d, 12h.', value: 'TIME' },
  until: { about: 'Only before this time: a date, or 3d, 12h.', value: 'TIME' },
  trust: {
    about: 'Only what you wrote, or also what you approved or said, or what agents wrote.',
    value: 'WHO',
    choices: trustNames.toReversed(),
  },
  in: {
    about:
      'What to search or list. `backstory notes` and `backstory sessions` stand for `recall --in` with it.',
    value: 'PART',
    choices: ['notes', 'prompts', 'observations', 'sessions', 'all'],
  },
} as const satisfies Options;

type FilterTexts = Record<keyof typeof filterOptions, string | undefined>;

export const filterTexts = (args: ParsedArgs): FilterTexts =>
  Object.fromEntries(Object.keys(filterOptions).map((name) => [name, stringOf(args, name)])) as FilterTexts;

export const wordingsOption = {
  or: { multiple: true, about: 'The same question in other words; repeat it for more.', value: 'WORDING' },
} as const satisfies Options;

export function wordingsOf(args: ParsedArgs): string[] {
  const wordings = (args.values.or as string[] | undefined) ?? [];
  if (wordings.length <= maxWordings && wordings.every(({ length }) => length <= maxWordingLength))
    return wordings;
  throw new AppError(
    'INVALID_ARGUMENT',
    `--or takes at most ${maxWordings} wordings of at most ${maxWordingLength} characters`,
    { hint: '--or "a few words"' },
  );
}

export function wholeNumber(args: ParsedArgs, name: string): number | undefined {
  const text = stringOf(args, name);
  if (text === undefined || /^\d{1,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new AppError('INVALID_ARGUMENT', `${name} must be a whole number, not ${text}`, {
    hint: `--${name} 20`,
  });
}

export const pagingOf = (args: ParsedArgs): { limit: number; offset: number } => ({
  limit: wholeNumber(args, 'limit') ?? defaultLimit,
  offset: wholeNumber(args, 'offset') ?? 0,
});
