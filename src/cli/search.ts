import { AppError } from '../base/errors.ts';
import type { ContentAnswer } from '../code/search.ts';
import { type QuestionAnswer, questionHeads } from '../pack/code-question.ts';
import { createPastWork } from '../pack/past-changes.ts';
import { type SearchMode, searchCode, searchModes } from '../pack/search-code.ts';
import { plural } from '../text/plural.ts';
import type { App, Command, ParsedArgs } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { pagingOf, wordingsOf, wordingsOption } from './filters.ts';
import { findDefinitions, findFiles, findReferences, outlineFile, type Search } from './search-symbols.ts';
import { findForTask } from './search-task.ts';

const timeoutMs = 60_000;

const searches: Record<string, Search> = {
  files: findFiles,
  outline: outlineFile,
  definition: findDefinitions,
  references: findReferences,
  task: findForTask,
};

export const searchCommand: Command = {
  name: 'search',
  usage:
    'search TEXT [--ask | --literal | --regex] [--or WORDING]… [--ignore-case] [--word] | --files PART | --outline FILE | --definition NAME | --references NAME | --task GOAL [--review] [--budget TOKENS] [--changed PATH]…; [--path GLOB] [--limit N] [--offset N]',
  summary: 'Search the code of this checkout: a text, a question, a file, a symbol, or the files for a task.',
  group: 'Code',
  options: {
    ask: { about: 'The text is a question, or names what to find.' },
    ...wordingsOption,
    literal: { about: 'The text is exactly what to find.' },
    regex: { short: 'e', about: 'The text is a regular expression.' },
    'ignore-case': { short: 'i', about: 'Ignore case.' },
    word: { short: 'w', about: 'Match whole words only.' },
    path: { short: 'p', about: 'Only in paths that contain this text or match this glob.', value: 'GLOB' },
    files: { about: 'Find files by parts of their path, or by a glob.' },
    outline: { about: 'Show the symbols that a file defines.' },
    definition: { about: 'Show where a name is defined: NAME, Class.method, pkg.Func or mod::f.' },
    references: { about: 'Show where a name is used.' },
    task: { about: 'Find the files to start a task with, also from similar past work.' },
    review: { about: 'With --task: files for a review, not for fixing a bug.' },
    budget: { about: 'With --task: maximum number of tokens.', value: 'TOKENS' },
    changed: { multiple: true, about: 'With --task: treat this file as changed, too.', value: 'PATH' },
    limit: { about: 'Maximum number of results.', value: 'N' },
    offset: { about: 'Number of results to skip.', value: 'N' },
  },
  async run(app, args) {
    const typed = args.positionals.join(' ');
    const [search, ...others] = modesOf(args);
    const find = searches[search ?? ''];
    // Spaces around a text to search for may matter.
    const text = find === undefined ? typed : typed.trim();
    if (text === '')
      throw new AppError('INVALID_QUERY', 'nothing to search for given', {
        hint: `backstory search ${search === undefined ? '' : `--${search} `}${examples[search ?? ''] ?? 'parseArgs'}`,
      });
    const clash = others[0] ?? (mayHaveWordings(search) || wordingsOf(args).length === 0 ? undefined : 'or');
    if (clash !== undefined)
      throw new AppError('INVALID_QUERY', `--${search} and --${clash} exclude each other`, {
        hint: `backstory search --${search} ${examples[search ?? ''] ?? 'TEXT'}`,
      });
    const code = await app.openCode();
    try {
      return await (find ?? findText)(code, text, args, app);
    } finally {
      await code.close();
    }
  },
};

const modesOf = (args: ParsedArgs): string[] =>
  [...Object.keys(searches), ...searchModes].filter((mode) => isSet(args, mode));

const mayHaveWordings = (search: string | undefined): boolean =>
  search === undefined || search === 'ask' || search === 'task';

const examples: Record<string, string> = {
  files: 'router auth',
  outline: 'src/main.ts',
  task: '"fix auth panic for service accounts"',
};

const findText: Search = async (code, text, args, app) => {
  const found = await searchCode(
    { code, pastWork: createPastWork(code.root) },
    {
      text,
      wordings: wordingsOf(args),
      mode: searchModes.find((mode): mode is SearchMode => isSet(args, mode)),
      ignoreCase: isSet(args, 'ignore-case'),
      wholeWord: isSet(args, 'word'),
      path: stringOf(args, 'path'),
      ...pagingOf(args),
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
};

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
    : style.dim('\nNo index yet, so every file was read. To build it: backstory doctor --reindex code');
  return [...files, style.dim(`${total}${more}`)].join('\n') + late + hint;
}
