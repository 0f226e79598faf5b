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
  summary: 'Find lines of code in this checkout; definitions first.',
  group: 'Where is it?',
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
  async run(app, given) {
    const text = given.positionals.join(' ');
    if (text === '')
      throw new AppError('INVALID_QUERY', 'what should be searched for?', {
        hint: 'backstory search parseArgs',
      });
    const code = await app.openCode();
    try {
      const answer = await code.content({
        text,
        mode: isSet(given, 'regex') ? 'regex' : 'literal',
        ignoreCase: isSet(given, 'ignore-case'),
        wholeWord: isSet(given, 'word'),
        multiline: isSet(given, 'multiline'),
        path: stringOf(given, 'path'),
        language: stringOf(given, 'lang'),
        ...pagingOf(given, 'backstory search TEXT'),
        deadlineMs: timeoutMs,
      });
      // As grep says it: 1 means that nothing matched.
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
  const late = answer.timedOut ? style.bad('\nStopped after a minute; narrow it with --path.') : '';
  const hint = answer.state.isIndexed
    ? ''
    : style.dim('\nNo index yet, so every file was read. `backstory reindex code` makes one.');
  return [...files, style.dim(`${total}${more}`)].join('\n') + late + hint;
}
