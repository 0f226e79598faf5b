import { AppError } from '../base/errors.ts';
import type { ContentAnswer } from '../code/search.ts';
import { plural } from '../text/plural.ts';
import type { App, Command } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { pagingOf } from './paging.ts';

const timeoutMs = 60_000;

export const searchCommand: Command = {
  name: 'search',
  usage:
    'search TEXT [--regex] [--ignore-case] [--word] [--multiline] [--path GLOB] [--lang L] [--limit N] [--offset N]',
  summary: 'Search the code of this checkout; definitions first.',
  group: 'Code',
  options: {
    regex: { type: 'boolean', short: 'e' },
    'ignore-case': { type: 'boolean', short: 'i' },
    word: { type: 'boolean', short: 'w' },
    multiline: { type: 'boolean', short: 'U' },
    path: { type: 'string', short: 'p' },
    lang: { type: 'string', short: 'l' },
    limit: { type: 'string' },
    offset: { type: 'string' },
  },
  async run(app, args) {
    const text = args.positionals.join(' ');
    if (text === '')
      throw new AppError('INVALID_QUERY', 'no search text given', {
        hint: 'backstory search parseArgs',
      });
    const code = await app.openCode();
    try {
      const answer = await code.content({
        text,
        mode: isSet(args, 'regex') ? 'regex' : 'literal',
        ignoreCase: isSet(args, 'ignore-case'),
        wholeWord: isSet(args, 'word'),
        multiline: isSet(args, 'multiline'),
        path: stringOf(args, 'path'),
        language: stringOf(args, 'lang'),
        ...pagingOf(args, 'backstory search TEXT'),
        deadlineMs: timeoutMs,
      });
      // Like grep: exit code 1 means no match.
      return {
        value: answer,
        text: toText(answer, app),
        exitCode: answer.lineCount === 0 ? 1 : 0,
        isVerbatim: true,
      };
    } finally {
      await code.close();
    }
  },
};

function toText(answer: ContentAnswer, { style }: App): string {
  const files = answer.files.map(({ path, hits }) =>
    [
      style.bold(path),
      ...hits.map(({ line, text }) => `${style.good(String(line).padStart(6))}  ${text.trimEnd()}`),
    ].join('\n'),
  );
  const total = `${answer.isComplete ? '' : 'at least '}${plural(answer.lineCount, 'line')} in ${plural(answer.fileCount, 'file')}`;
  const more = answer.nextOffset === undefined ? '' : `; more with --offset ${answer.nextOffset}`;
  const late = answer.timedOut ? style.bad('\nTimed out after a minute. Narrow the search with --path.') : '';
  const hint = answer.state.isIndexed
    ? ''
    : style.dim('\nNo index yet, so every file was read. To build it: backstory reindex code');
  return [...files, style.dim(`${total}${more}`)].join('\n') + late + hint;
}
