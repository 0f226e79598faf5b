import { resolveLocal } from '../base/path-in-checkout.ts';
import { type ShellCommand, shellCommands } from '../text/shell-commands.ts';

/** A range of lines, from 0, end exclusive. A negative `from` counts from the end of the file. */
export interface Slice {
  from: number;
  to: number;
}

/** A file that a shell command reads, according to its command line. The output shows whether it really did. */
export type ClaimedRead =
  | { kind: 'lines'; path: string; slices: Slice[]; isNumbered: boolean }
  /** A search in the file. Only the fact is recorded, not which lines it showed. */
  | { kind: 'searched'; path: string };

export function claimedReads(
  command: string,
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): ClaimedRead[] {
  let folder = cwd;
  return pipelines(platform === 'win32' ? withLiteralBackslashes(command) : command).flatMap(
    ([first = [], ...rest]): ClaimedRead[] => {
      if (first[0] === 'cd' && first[1] !== undefined && rest.length === 0) {
        folder = resolveLocal(folder, first[1]);
        return [];
      }
      const source = readStage(first);
      if (source === undefined) return [];
      const paths = source.files
        .filter((name) => !/[*?[\]{}$]/.test(name))
        .map((name) => resolveLocal(folder, name));
      if (source.isSearch) return paths.map((path) => ({ kind: 'searched', path }));
      const further = rest.map(readStage);
      const isPlain = further.every((stage) => stage?.isSearch === false && stage.files.length === 0);
      if (!isPlain) return paths.map((path) => ({ kind: 'searched', path }));
      const slices = [source, ...further].flatMap((stage) => stage?.slices ?? []);
      const isNumbered = source.isNumbered || further.some((stage) => stage?.isNumbered === true);
      return paths.map((path) => ({ kind: 'lines', path, slices, isNumbered }));
    },
  );
}

/** PowerShell and cmd.exe take backslashes as they are, and in Git Bash nobody escapes a letter. */
const withLiteralBackslashes = (command: string): string =>
  command.replaceAll(/\\+(?=[\p{L}\p{N}_.@-])/gu, (run) => run + run);

interface Stage {
  files: string[];
  slices: Slice[];
  isNumbered: boolean;
  isSearch: boolean;
}

/** Parses one program of a pipeline; undefined if the program is not supported. */
function readStage([program = '', ...words]: string[]): Stage | undefined {
  const name = program.slice(program.lastIndexOf('/') + 1).toLowerCase();
  const flags = words.filter((word) => /^-./.test(word));
  const named = words.filter((word) => !/^-./.test(word) && word !== '-');
  const stage = (files: string[], slices: Slice[] = [], isNumbered = false): Stage => ({
    files,
    slices,
    isNumbered,
    isSearch: false,
  });
  switch (name) {
    case 'cat':
      return flags.every((flag) => /^-[nb]$/.test(flag)) ? stage(named, [], flags.length > 0) : undefined;
    case 'get-content':
    case 'gc':
    case 'type':
      return flags.every((flag) => /^-(?:path|literalpath|raw)$/i.test(flag)) ? stage(named) : undefined;
    case 'nl':
      return stage(named, [], true);
    case 'head':
    case 'tail': {
      const { count, rest } = countOf(words);
      if (count === undefined) return undefined;
      const isFrom = count.startsWith('+');
      const lines = Math.abs(Number(count));
      if (name === 'head')
        return isFrom || count.startsWith('-') ? undefined : stage(rest, [{ from: 0, to: lines }]);
      const from = isFrom ? Math.max(0, lines - 1) : -lines;
      return stage(rest, [{ from, to: Number.POSITIVE_INFINITY }]);
    }
    case 'sed': {
      const [script = '', ...files] = named;
      const range = /^(\d+)(?:,(\d+|\$))?p;?$/.exec(script.replaceAll(' ', ''));
      return range !== null && flags.length === 1 && flags[0] === '-n'
        ? stage(files, [sliceOf(range[1], range[2] ?? range[1])])
        : undefined;
    }
    case 'awk': {
      const [script = '', ...files] = named;
      const range = /^F?NR>=(\d+)&&F?NR<=(\d+)(?:\{print(?:\$0)?;?\})?$/.exec(script.replaceAll(' ', ''));
      return range === null || flags.length > 0 ? undefined : stage(files, [sliceOf(range[1], range[2])]);
    }
    case 'rg':
    case 'grep':
      return { files: named.slice(1), slices: [], isNumbered: false, isSearch: true };
    default:
      return undefined;
  }
}

const sliceOf = (first: string | undefined, last: string | undefined): Slice => ({
  from: Number(first) - 1,
  to: last === '$' ? Number.POSITIVE_INFINITY : Number(last),
});

/** Reads `-n 20`, `-n20`, `-20` or `--lines=20`; 10 by default, undefined for other units such as bytes. */
function countOf(words: string[]): { count: string | undefined; rest: string[] } {
  let count: string | undefined = '10';
  const rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const option = /^(?:-n|--lines=|-)([+-]?\d+)$/.exec(word)?.[1];
    if (option !== undefined) count = option;
    else if (word === '-n' || word === '--lines') count = /^[+-]?\d+$/.exec(words[++at] ?? '')?.[0];
    else if (/^-./.test(word) && word !== '-q') count = undefined;
    else if (word !== '-' && word !== '-q') rest.push(word);
  }
  return { count, rest };
}

/** Splits a command line into pipelines of programs. Pipelines with redirections or substitutions are left out. */
function pipelines(command: string): string[][][] {
  const all: ShellCommand[][] = [[]];
  for (const one of shellCommands(command)) {
    all.at(-1)?.push(one);
    if (one.operator !== '|') all.push([]);
  }
  return all
    .filter((pipeline) => pipeline.length > 0 && pipeline.every(isPlain))
    .map((pipeline) => pipeline.map(({ words }) => words));
}

const isPlain = ({ level, nested, writes, input }: ShellCommand): boolean =>
  level === 0 && nested.length === 0 && input === '' && writes.every((file) => file === '/dev/null');
