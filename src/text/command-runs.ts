import type { CommandRun } from '../domain/memo.ts';
import { isPlainName } from './safe-name.ts';
import { type ShellCommand, shellCommands } from './shell-commands.ts';

const maxCommandLength = 80;
const maxPlainWords = 4;
const plainWord = /^[a-z][a-z0-9:_+-]{0,23}$/;
const pathWord = /^(?=.*[./])\/{0,2}[\w@.:-]+(?:\/[\w@.:-]+)*\/?$/;
const optionName = /^--?\w{1,20}(?:-\w{1,12}){0,2}$/;
const assignment = /^[A-Z][A-Z0-9_]{0,29}=/;
const shellKeyword =
  /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|time|\{|\}|!|\[\[?)$/;

/**
 * The programs that a command line ran, and whether each passed. A pipe, `;`, `||` and `&` hide the exit status of what
 * stands before them. A command with an argument that is not a plain word, an option or a path is left out, because
 * without the argument it would be another command. `exit` is undefined if nobody waited for the end.
 */
export function commandRuns(line: string, exit: number | undefined): CommandRun[] {
  const commands = shellCommands(line);
  if (commands.some(({ level, words: [first = ''] }) => level > 0 || shellKeyword.test(first))) return [];
  const options = commands[0]?.words[0] === 'set' ? commands[0].words.slice(1).join(' ') : '';
  const isStrict = /^-\w*e/.test(options);
  const lists = splitAfter(commands, ({ operator }) => [';', '\n', '&'].includes(operator) && !isStrict);
  const isPipefail = options.includes('pipefail');
  const setup: { folder?: string; sourced: string[] } = { folder: '', sourced: [] };
  return lists.flatMap((list, at) => {
    const isLast = at === lists.length - 1;
    const pipelines = splitAfter(list, ({ operator }) => operator !== '|');
    const status =
      isLast && !list.some(({ operator }) => operator === '&' || operator === '||') ? exit : undefined;
    const moves = list.filter(({ words: [program] }) => program === 'cd');
    // If several commands could have failed, it is not known which did. A relative folder may not have been there.
    const isOnlyCommand = pipelines.filter(([first]) => !cannotFail.test(first?.words[0] ?? '')).length === 1;
    const mayBlame =
      isOnlyCommand && ((status ?? 0) > 1 || moves.every(({ words: [, path = ''] }) => path.startsWith('/')));
    return pipelines.flatMap((pipeline, place): CommandRun[] => {
      const [first] = pipeline;
      if (first === undefined || list.at(-1)?.operator === '&' || isSetup(first, setup)) return [];
      const { folder, sourced } = setup;
      const command = exactCommand(first);
      const hasRun = status === 0 || place === 0 || isOnlyCommand;
      if (command === undefined || folder === undefined || !hasRun) return [];
      const isSeen = status !== undefined && (pipeline.length === 1 || isPipefail);
      const hasFailed = status !== 0 && mayBlame && isFailure(status ?? 0);
      const outcome = !isSeen || (status !== 0 && !hasFailed) ? 'unknown' : hasFailed ? 'failed' : 'passed';
      return [{ command: [...sourced, command].join(' && '), folder, outcome }];
    });
  });
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
  const plain = own.filter((word) => plainWord.test(word));
  const command = own.join(' ');
  return nested.length === 0 &&
    input === '' &&
    start !== -1 &&
    isExact &&
    !own[start]?.startsWith('-') &&
    command.length <= maxCommandLength &&
    plain.length <= maxPlainWords &&
    isPlainName(plain.join('-').replaceAll(':', '-') || 'x')
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
