import type { CodeSearch } from '../code/code-search.ts';
import { coverageText } from '../code/coverage-text.ts';
import type { SymbolSearch } from '../code/definition.ts';
import { linesOf, outlineEntries } from '../code/outline-entries.ts';
import { plural } from '../text/plural.ts';
import { type App, type Outcome, type ParsedArgs, stringOf } from './command.ts';
import { pagingOf } from './filters.ts';

export type Search = (code: CodeSearch, text: string, args: ParsedArgs, app: App) => Promise<Outcome>;

const timeoutMs = 60_000;

/** Like grep: exit code 1 means that nothing was found. */
const listed = (value: unknown, lines: string[], total: string, { style }: App): Outcome => ({
  value,
  text: [...lines, style.dim(total)].join('\n'),
  exitCode: lines.length === 0 ? 1 : 0,
});

const moreText = ({ nextOffset }: { nextOffset?: number | undefined }): string =>
  nextOffset === undefined ? '' : `; more with --offset ${nextOffset}`;

export const findFiles: Search = async (code, query, args, app) => {
  const answer = await code.files({ query, ...pagingOf(args) });
  const isFuzzy = answer.files.some(({ reason }) => reason === 'fuzzy_path_match');
  const total = `${plural(answer.total, 'file')}${isFuzzy ? ' (fuzzy match)' : ''}${moreText(answer)}`;
  const lines = answer.files.map(({ path }) => path);
  return listed(answer, lines, total, app);
};

export const outlineFile: Search = async (code, path, _args, app) => {
  const { state: _, ...answer } = await code.outline({ path, deadlineMs: timeoutMs });
  const entries = outlineEntries(answer.symbols, 'all');
  const width = Math.max(0, ...entries.map((entry) => linesOf(entry).length));
  const lines = entries.map((entry) => {
    const place = app.style.good(linesOf(entry).padStart(width));
    return `${place}  ${'  '.repeat(entry.depth)}${entry.signature}`;
  });
  const how =
    answer.how === 'parsed' ? '' : '; no parser for this language: lines that look like definitions';
  const total = `${answer.path}: ${plural(answer.lineCount, 'line')}, ${plural(entries.length, 'symbol')}${how}`;
  return listed(answer, lines, total, app);
};

const symbolSearchOf = (name: string, args: ParsedArgs): SymbolSearch => ({
  name,
  path: stringOf(args, 'path'),
  ...pagingOf(args),
  deadlineMs: timeoutMs,
});

export const findDefinitions: Search = async (code, name, args, app) => {
  const { bold, dim } = app.style;
  const answer = await code.definitions(symbolSearchOf(name, args));
  const folded = answer.isFolded ? ' (case-insensitive match)' : '';
  const total = `${plural(answer.total, 'definition')}${folded}${moreText(answer)}. ${coverageText(answer)}.`;
  const lines = answer.definitions.map(({ path, line, kind, container, signature, isGuess }) => {
    const where = container === '' ? '' : ` in ${container}`;
    const guess = isGuess ? ', guessed from the line' : '';
    return `${bold(`${path}:${line}`)}  ${dim(`${kind}${where}${guess}`)}\n  ${signature}`;
  });
  return listed(answer, lines, total, app);
};

export const findReferences: Search = async (code, name, args, app) => {
  const { bold, dim, good } = app.style;
  const answer = await code.references(symbolSearchOf(name, args));
  const files = answer.files.map(({ path, references }) =>
    [
      bold(path),
      ...references.map(({ line, role, within, text }) => {
        const place = within === '' ? '' : dim(`  in ${within}`);
        return `${good(String(line).padStart(6))}  ${dim(role.padEnd(10))}  ${text.trim()}${place}`;
      }),
    ].join('\n'),
  );
  const skipped = answer.skipped === 0 ? '' : `, ${answer.skipped} in comments and strings omitted`;
  const total = `${answer.isComplete ? '' : 'at least '}${plural(answer.total, 'use')}${skipped}${moreText(answer)}`;
  return listed(answer, files, `${total}. ${coverageText(answer)}.`, app);
};
