import { isAbsolute } from 'node:path';
import { writtenPath } from '../../base/checkout-file.ts';
import { matchesGlob } from '../../base/glob.ts';
import { pathInCheckout, resolveLocal } from '../../base/path-in-checkout.ts';
import type { FileEdit, ToolCall } from '../../domain/tool-call.ts';
import { printedBy, shellCommands } from '../../text/shell-commands.ts';
import { addsDependency, installedPackages } from './packages.ts';
import {
  callsOf,
  listed,
  type ProgramCall,
  programName,
  type ShellStep,
  shellSteps,
} from './program-calls.ts';
import type { Rule } from './rule-table.ts';

/** Takes time in proportion to the call's length times the matchers. What matches: docs/guides/notes.md. */
export function brokenRules<R extends Pick<Rule, 'match'>>(rules: R[], call: ToolCall): R[] {
  const steps = call.command === '' ? [] : shellSteps(call.command, call.cwd);
  const calls = steps.flatMap((step) => step.calls);
  const edits = [...call.edits, ...steps.flatMap((step) => writtenBy(step, call.root))];
  const hasPath = rules.some(({ match }) => match.path !== undefined);
  const paths = hasPath ? withLinked(call.root, edits) : [];
  const installed = new Set(calls.flatMap(installedPackages));
  return rules.filter(
    ({ match }) =>
      match.command?.some((pattern) => runs(calls, pattern)) === true ||
      match.path?.some((glob) => paths.some((path) => isUnder(path, glob))) === true ||
      match.text?.some((text) => edits.some((edit) => addsText(text, edit))) === true ||
      match.package?.some(
        (name) => installed.has(name.toLowerCase()) || edits.some((edit) => addsDependency(name, edit)),
      ) === true,
  );
}

const maxLinkedPaths = 100;

/** The paths, and those to which links lead from them. */
function withLinked(root: string, edits: FileEdit[]): string[] {
  const paths = [...new Set(edits.map(({ path }) => path))];
  return [...paths, ...paths.slice(0, maxLinkedPaths).flatMap((path) => writtenPath(root, path) ?? [])];
}

export const readPattern = (pattern: string): ProgramCall | undefined =>
  callsOf(shellCommands(pattern)[0]?.words ?? []).at(0);

function runs(calls: ProgramCall[], pattern: string): boolean {
  // Most patterns name other programs, and need not be read.
  const named = calls.filter(({ program }) => pattern.includes(programName(program)));
  const wanted = named.length === 0 ? undefined : readPattern(pattern);
  return wanted !== undefined && named.some((call) => isCallOf(wanted, call));
}

const isCallOf = (wanted: ProgramCall, call: ProgramCall): boolean =>
  isProgram(wanted.program, call.program) &&
  wanted.options.every((option) => hasOption(call.options, option)) &&
  hasWords(wanted, call.words);

/** A pattern with a folder, such as `scripts/deploy.sh`, means that file. */
const isProgram = (wanted: string, program: string): boolean =>
  plainPath(wanted).includes('/')
    ? `/${plainPath(program)}`.endsWith(`/${plainPath(wanted)}`)
    : programName(program) === programName(wanted);

/** Short options may be joined: `-rf` has `-r` and `-f`. Longer ones with one dash, as of `go`, have a name. */
function hasOption(options: string[], wanted: string): boolean {
  const letters = shortOptions(wanted);
  return (
    options.some((option) => option === wanted || option.startsWith(`${wanted}=`)) ||
    (letters.length > 0 &&
      letters.every((letter) => options.some((option) => shortOptions(option).includes(letter))))
  );
}

const shortOptions = (option: string): string[] =>
  /^-[A-Za-z]{1,3}$/.test(option) ? [...option.slice(1)] : [];

/** Programs whose first argument is no subcommand. */
const withoutSubcommand = listed('rm rmdir unlink mv cp touch chmod chown kill pkill curl wget');

/** The words in their order, others between them. The first one, usually a subcommand, must come first. */
function hasWords({ program, words }: ProgramCall, given: string[]): boolean {
  const [first] = words;
  if (first !== undefined && !withoutSubcommand.has(programName(program)) && !isSameWord(given[0], first))
    return false;
  let found = 0;
  for (const word of given) if (isSameWord(word, words[found])) found++;
  return found === words.length;
}

const isSameWord = (word: string | undefined, other: string | undefined): boolean =>
  word !== undefined && other !== undefined && plainPath(word) === plainPath(other);

const plainPath = (path: string): string => path.replaceAll('\\', '/').replace(/^\.\/|(?<=.)\/$/g, '');

/** A glob without a slash means that name in any folder. One of a folder means all files below it. */
function isUnder(path: string, glob: string): boolean {
  const plain = plainPath(glob);
  const rooted = plain.includes('/') ? plain.replace(/^\//, '') : `**/${plain}`;
  return matchesGlob(path, rooted, '') || matchesGlob(path, `${rooted}/**`, '');
}

/** Counts, because an edit often repeats the lines around its change. */
const addsText = (text: string, { added, removed }: FileEdit): boolean =>
  added.includes(text) && added.split(text).length > removed.split(text).length;

/** The files that a command writes or deletes, with the text if the command has it. */
function writtenBy(step: ShellStep, root: string): FileEdit[] {
  const { folder, writes, input, calls } = step;
  const tee = calls.find(({ program }) => programName(program) === 'tee');
  const written = [...writes, ...(tee?.words ?? [])].map((path) => ({
    path,
    added: tee === undefined ? printedBy(step) || input : input,
  }));
  const changed = calls.flatMap(changedBy).map((path) => ({ path, added: '' }));
  return [...written, ...changed].flatMap(({ path, added }) =>
    folder === '' && !isAbsolute(path)
      ? []
      : [{ path: pathInCheckout(resolveLocal(folder, path), root), added, removed: '' }],
  );
}

const changing = listed('rm rmdir unlink mv touch truncate shred');
const copying = listed('cp install ln rsync');

const changingOfGit = listed('rm mv restore');

function changedBy({ program, options, words }: ProgramCall): string[] {
  const name = programName(program);
  if (changing.has(name)) return words;
  if (copying.has(name)) return words.slice(-1);
  if (name === 'git') return changingOfGit.has(words[0] ?? '') ? words.slice(1) : [];
  if (name === 'dd') return words.flatMap((word) => (word.startsWith('of=') ? word.slice(3) : []));
  const isInPlace = options.some((option) => /^(?:-\w*i|--in-place)/.test(option));
  return isInPlace && (name === 'sed' || name === 'perl') ? words : [];
}
