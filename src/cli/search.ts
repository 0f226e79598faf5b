import { AppError } from '../base/errors.ts';
import type { ContentAnswer } from '../code/search.ts';
import { type QuestionAnswer, questionHeads } from '../pack/code-question.ts';
import { createPastWork } from '../pack/past-work.ts';
import { type SearchMode, searchCode, searchModes } from '../pack/search-code.ts';
import { plural } from '../text/plural.ts';
import type { App, Command, ParsedArgs } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { pagingOf } from './paging.ts';

const timeoutMs = 60_000;

export const searchCommand: Command = {
  name: 'search',
  usage:
    'search TEXT [--ask | --literal | --regex] [--ignore-case] [--word] [--multiline] [--path GLOB] [--lang L] [--limit N] [--offset N]',
  summary: 'Search the code of this checkout for a text, or with a question in plain words.',
  group: 'Code',
  options: {
    ask: { type: 'boolean' },
    literal: { type: 'boolean' },
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
      const found = await searchCode(
        { code, pastWork: createPastWork(code.root) },
        {
          text,
          mode: modeOf(args),
          ignoreCase: isSet(args, 'ignore-case'),
          wholeWord: isSet(args, 'word'),
          multiline: isSet(args, 'multiline'),
          path: stringOf(args, 'path'),
          language: stringOf(args, 'lang'),
          ...pagingOf(args, 'backstory search TEXT'),
          deadlineMs: timeoutMs,
        },
      );
      // Like grep: exit code 1 means no match.
      const isEmpty = found.kind === 'lines' ? found.answer.lineCount === 0 : found.answer.match !== 'good';
      return {
        value: found.answer,
        text: found.kind === 'lines' ? toText(found.answer, app) : questionText(found.answer, app),
        exitCode: isEmpty ? 1 : 0,
        isVerbatim: true,
      };
    } finally {
      await code.close();
    }
  },
};

function modeOf(args: ParsedArgs): SearchMode | undefined {
  const chosen = searchModes.filter((mode) => isSet(args, mode));
  if (chosen.length <= 1) return chosen[0];
  throw new AppError('INVALID_QUERY', `--${chosen.join(' and --')} exclude each other`, {
    hint: `backstory search --${chosen[0]} TEXT`,
  });
}

function questionText({ match, results, nextOffset }: QuestionAnswer, { style }: App): string {
  const found = results.map(({ path, from, to, reasons, lines }) =>
    [
      `${style.bold(`${path}:${from}-${to}`)}  ${style.dim(reasons.map((reason) => reason.replaceAll('_', ' ')).join(', '))}`,
      ...lines.map((line, at) => `${style.good(String(from + at).padStart(6))}  ${line}`),
    ].join('\n'),
  );
  const more = nextOffset === undefined ? [] : [style.dim(`More with --offset ${nextOffset}`)];
  return [style.dim(questionHeads[match]), ...found, ...more].join('\n');
}

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
