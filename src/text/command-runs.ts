import type { CommandRun } from '../domain/memo.ts';
import { isCheckCommand, resultIn, runnerOf } from './runner-lines.ts';
import { isPlainName } from './safe-name.ts';
import { type ShellCommand, shellCommands } from './shell-commands.ts';

const maxCommandLength = 80;
const maxPlainWords = 4;
const plainWord = /^[a-z][a-z0-9:_+-]{0,23}$/;
const pathWord = /^(?=.*[./])\/{0,2}[\w@.:-]+(?:\/[\w@.:-]+)*\/?$/;
const optionName = /^--?\w{1,20}(?:-\w{1,12})?$/;
const maxOptions = 2;
const assignment = /^[A-Z][A-Z0-9_]{0,29}=/;
const shellKeyword =
  /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|time|\{|\}|!|\[\[?)$/;

/** A command of a line, with its outcome. What it pipes its output into is no command of its own. */
export interface RanCommand {
  command: ShellCommand;
  /** Undefined if it cannot be told from the words. */
  folder: string | undefined;
  /** Files that were sourced before. */
  sourced: string[];
  outcome: CommandRun['outcome'];
}

/**
 * The programs that a command line ran, and whether each passed: the only place that decides it. The exit status tells
 * if it must be the program's own; a pipe, `;`, `||` and `&` hide it. Otherwise the output tells: an `echo` that only
 * ran because of the result or prints the status, or the program's own lines. `exit` is undefined if it is not known.
 */
export function ranCommands(line: string, exit: number | undefined, output = ''): RanCommand[] {
  const read = shellCommands(line).map(withoutKeywords);
  // Loops and conditions run a command an unknown number of times, and perhaps not at all.
  const isScript = read.some(({ isConditional, level }) => isConditional || level > 0);
  const commands = read.filter(({ words }) => words.length > 0);
  const plain = output.replace(/\x1b\[[\d;]*m/g, '');
  const options = commands[0]?.words[0] === 'set' ? commands[0].words.slice(1).join(' ') : '';
  const isStrict = /^-\w*e/.test(options);
  const isPipefail = options.includes('pipefail');
  const lists = splitAfter(commands, ({ operator }) => [';', '\n', '&'].includes(operator) && !isStrict);
  const setup: { folder?: string; sourced: string[] } = { folder: '', sourced: [] };
  return lists.flatMap((list, at) => {
    const isLast = at === lists.length - 1;
    const pipelines = splitAfter(list, ({ operator }) => operator !== '|');
    const status =
      isLast && !isScript && !list.some(({ operator }) => operator === '&' || operator === '||')
        ? exit
        : undefined;
    const moves = list.filter(({ words: [program] }) => program === 'cd');
    // If several commands could have failed, it is not known which did. A relative folder may not have been there.
    const isOnlyCommand = pipelines.filter(([first]) => !cannotFail.test(first?.words[0] ?? '')).length === 1;
    const mayBlame =
      isOnlyCommand && ((status ?? 0) > 1 || moves.every(({ words: [, path = ''] }) => path.startsWith('/')));
    const found = pipelines.flatMap((pipeline, place): (RanCommand & { hasRun: boolean })[] => {
      const [command] = pipeline;
      if (command === undefined || list.at(-1)?.operator === '&' || isSetup(command, setup)) return [];
      const isOwn = pipeline.length === 1 || isPipefail;
      const isSeen = status !== undefined && isOwn;
      const hasFailed = status !== 0 && mayBlame && isFailure(status ?? 0);
      const byStatus = !isSeen || (status !== 0 && !hasFailed) ? undefined : hasFailed ? 'failed' : 'passed';
      const next = [...pipelines.slice(place + 1), ...lists.slice(at + 1).map((one) => one.slice(0, 1))];
      const outcome =
        byStatus ??
        echoed(pipeline, next.slice(0, 2), isOwn, plain) ??
        printed(pipeline, plain, commands) ??
        'unknown';
      const hasRun = status === 0 || place === 0 || isOnlyCommand || outcome !== 'unknown';
      const folder = isScript ? undefined : setup.folder;
      return [{ command, folder, sourced: [...setup.sourced], outcome, hasRun }];
    });
    // What stands before `&&` passed if what stands behind it ran, unless a pipe hides that.
    for (const [place, { hasRun, outcome }] of [...found.entries()].reverse()) {
      const before = found[place - 1];
      if (before?.command.operator !== '&&' || !hasRun || outcome === 'unknown') continue;
      if (before.outcome === 'unknown') Object.assign(before, { outcome: 'passed', hasRun: true });
    }
    return found.filter(({ hasRun }) => hasRun);
  });
}

/** The commands of a line as bare words. One with an argument that is no plain word, option or path is left out. */
export function commandRuns(line: string, exit: number | undefined, output = ''): CommandRun[] {
  return ranCommands(line, exit, output).flatMap(({ command, folder, sourced, outcome }): CommandRun[] => {
    const exact = exactCommand(command);
    if (exact === undefined || folder === undefined) return [];
    return [{ command: [...sourced, exact].join(' && '), folder, outcome }];
  });
}

function withoutKeywords(command: ShellCommand): ShellCommand & { isConditional: boolean } {
  const start = command.words.findIndex((word) => !shellKeyword.test(word));
  return {
    ...command,
    words: command.words.slice(Math.max(0, start)),
    isConditional: start !== 0 && command.words.length > 0,
  };
}

/** The result of a command according to an `echo` behind it. */
function echoed(
  pipeline: ShellCommand[],
  next: ShellCommand[][],
  isOwn: boolean,
  output: string,
): CommandRun['outcome'] | undefined {
  const lines = output.split('\n').map((line) => line.trimEnd());
  const operators = [pipeline.at(-1)?.operator, next[0]?.at(-1)?.operator];
  for (const [at, [echo]] of next.entries()) {
    const [program, ...words] = echo?.words ?? [];
    const text = words.join(' ');
    if (program !== 'echo' || text === '' || echo?.writes.length !== 0) return undefined;
    const [before = '', after] = text.split(isOwn ? '$?' : /\$\{PIPESTATUS\[0\]\}/);
    if (at === 0 && after !== undefined) {
      const shown = lines.find((line) => line.startsWith(before) && line.endsWith(after));
      const code = shown?.slice(before.length, shown.length - after.length) ?? '';
      return /^\d+$/.test(code) ? (code === '0' ? 'passed' : 'failed') : undefined;
    }
    if (!isOwn || text.includes('$')) return undefined;
    const operator = operators[at];
    if (lines.includes(text)) return operator === '&&' ? 'passed' : operator === '||' ? 'failed' : undefined;
  }
  return undefined;
}

/**
 * The result of a command according to its own lines in the output. That it passed counts only if the end of its output
 * can be seen, because that is where the failures are.
 */
function printed(
  [command, ...filters]: ShellCommand[],
  output: string,
  all: ShellCommand[],
): CommandRun['outcome'] | undefined {
  const words = command?.words ?? [];
  const runner = runnerOf(words);
  if (runner === undefined && !isCheckCommand(words)) return undefined;
  const result = resultIn(output, runner);
  const others = all.filter(
    (one) => one !== command && (isCheckCommand(one.words) || runnerOf(one.words) !== undefined),
  );
  const isShared = others.some(({ words: own }) => [undefined, runner].includes(runnerOf(own)));
  if (result === 'failed')
    return isShared || (runner === undefined && others.length > 0) ? undefined : result;
  return result === 'passed' && filters.every((filter) => showsEnd(filter, output)) ? result : undefined;
}

/** Whether the end of what a command prints, or at least its failures, passes through a filter. */
function showsEnd({ words: [program = '', ...words] }: ShellCommand, output: string): boolean {
  if (/^(?:tail|cat|tee)$/.test(program)) return true;
  const count = /\d+/.exec(words.join(' '))?.[0] ?? '10';
  if (program === 'head') return output.trim().split('\n').length < Number(count);
  const isInverted = words.some((word) => /^-\w*v/.test(word));
  return /^[ef]?grep$/.test(program) && /fail|error/i.test(words.join(' ')) !== isInverted;
}

/** Whether the command only prepares the next ones or prints. Notes the folder and the environment for them. */
function isSetup({ words }: ShellCommand, setup: { folder?: string; sourced: string[] }): boolean {
  const [program = '', path = ''] = words;
  if (program === 'cd') {
    const folder = movedTo(setup.folder, words);
    if (folder === undefined) delete setup.folder;
    else setup.folder = folder;
    return true;
  }
  if (program === 'source' || program === '.') {
    if (words.length === 2 && isPlainPath(path)) setup.sourced.push(`source ${path}`);
    else delete setup.folder;
    return true;
  }
  if (program === 'export' || program === 'eval' || program === 'alias') delete setup.folder;
  return /^(?:set|export|eval|alias|echo|printf|true|exit|sleep|wait|pwd)$/.test(program);
}

/** A `cd` can, which is looked at separately. */
const cannotFail = /^(?:cd|set|echo|printf|true|sleep)$/;

/** Codes from 124 on report a timeout or a signal, except for programs that cannot be run or found. */
const isFailure = (exit: number): boolean => exit < 124 || exit === 126 || exit === 127;

const isAbsolute = (path: string): boolean => path.startsWith('/');
function splitAfter<T>(all: T[], isEnd: (one: T) => boolean): T[][] {
  const parts: T[][] = [[]];
  for (const one of all) {
    parts.at(-1)?.push(one);
    if (isEnd(one)) parts.push([]);
  }
  return parts.filter(({ length }) => length > 0);
}

/** Undefined if the folder cannot be told from the words. */
function movedTo(folder: string | undefined, [, target = '', ...more]: string[]): string | undefined {
  const path = target.replace(/^(?:\.\/)+|\/+$/g, '');
  if (more.length > 0 || !/^\/?[\w@.+/-]+$/.test(path) || path.split('/').includes('..')) return undefined;
  if (path === '.') return folder;
  if (isAbsolute(path) || folder === '') return path;
  return folder === undefined ? undefined : `${folder}/${path}`;
}

function exactCommand({ words, nested, input }: ShellCommand): string | undefined {
  const own = withoutTimeout(words);
  const start = own.findIndex((word) => !assignment.test(word));
  const isExact = own.every((word, at) =>
    at < start ? isShortValue(word.replace(assignment, '')) : isPlainArgument(word),
  );
  const options = own.filter((word) => word.startsWith('-') && word !== '--');
  const plain = own.filter((word) => plainWord.test(word));
  // Options are words too, and several of them could be a sentence.
  const names = [...plain, ...options.map((word) => word.replace(/^-+|=.*/g, ''))];
  const command = own.join(' ');
  return nested.length === 0 &&
    input === '' &&
    start !== -1 &&
    isExact &&
    !own[start]?.startsWith('-') &&
    command.length <= maxCommandLength &&
    plain.length <= maxPlainWords &&
    options.length <= maxOptions &&
    isPlainName(names.join('-').replaceAll(':', '-') || 'x')
    ? command
    : undefined;
}

function withoutTimeout(words: string[]): string[] {
  const at = words[0] === 'timeout' ? words.findIndex((word) => /^\d+[smh]?$/.test(word)) : -1;
  return at === -1 ? words : words.slice(at + 1);
}

/** Several words in one value could be a sentence. */
const isShortValue = (word: string): boolean => /^[a-z0-9]{1,12}$/i.test(word) || isPlainPath(word);
const isPlainValue = (word: string): boolean =>
  /^\d{1,6}$/.test(word) || plainWord.test(word) || isPlainPath(word);
const isPlainPath = (word: string): boolean =>
  pathWord.test(word) && isPlainName(word.replace(/^\/+|\/$/g, '').replaceAll(':', '-'));

function isPlainArgument(word: string): boolean {
  const [, name, value] = /^(-[^=]*)(?:=(.*))?$/.exec(word) ?? [];
  if (name === undefined) return isPlainValue(word);
  return (name === '--' || optionName.test(name)) && (value === undefined || isPlainValue(value));
}
