import { isAbsolute } from 'node:path';
import { resolveLocal } from '../../base/path-in-checkout.ts';
import { type ShellCommand, shellCommands } from '../../text/shell-commands.ts';

export interface ProgramCall {
  /** As the command line has it, with folders. */
  program: string;
  /** An option that is known to take a value has it behind a `=`. */
  options: string[];
  words: string[];
}

export interface ShellStep extends ShellCommand {
  /** The program, and those that it runs: `sudo npx jest` runs `sudo`, `npx` and `jest`. */
  calls: ProgramCall[];
  /** Where it runs; empty if that is unknown. */
  folder: string;
}

export const listed = (text: string): Set<string> => new Set(text.split(' '));

const maxNesting = 3;
const maxWrappers = 6;
/** Every path gets the folder in front of it, so its length must be bounded. */
const maxFolderLength = 500;

/** The commands of a command line, also those in substitutions and in scripts that a shell is given. */
export function shellSteps(line: string, cwd: string, depth = 0): ShellStep[] {
  const folders = [cwd];
  return shellCommands(line).flatMap((command) => {
    while (folders.length <= command.level) folders.push(folders.at(-1) ?? '');
    folders.length = command.level + 1;
    const folder = folders[command.level] ?? '';
    const calls = callsOf(command.words);
    const [first] = calls;
    if (first?.program === 'cd' || first?.program === 'pushd')
      folders[command.level] = movedTo(folder, first.words[0] ?? '');
    const scripts = depth < maxNesting ? [...command.nested, ...scriptsOf(command, calls)] : [];
    return [
      { ...command, calls, folder },
      ...scripts.flatMap((script) => shellSteps(script, folder, depth + 1)),
    ];
  });
}

function movedTo(folder: string, target: string): string {
  if (target === '' || /^[-~]|[$*?]/.test(target) || (folder === '' && !isAbsolute(target))) return '';
  const moved = resolveLocal(folder, target);
  return moved.length > Math.max(maxFolderLength, folder.length) ? '' : moved;
}

const readsScript = listed('sh bash zsh dash ksh fish eval script su flock');

/** The script of `bash -c SCRIPT` or `eval SCRIPT`, or the text that a shell without a script reads. */
function scriptsOf({ words, input }: ShellCommand, calls: ProgramCall[]): string[] {
  const shell = calls.find(({ program }) => readsScript.has(programName(program)));
  if (shell === undefined) return [];
  if (shell.program === 'eval') return [shell.words.join(' ')];
  if (shell.options.some((option) => /^-\w*c$/.test(option))) {
    const at = words.findIndex((word) => /^-\w*c$/.test(word));
    return words.slice(at + 1, at + 2);
  }
  return shell.words.length === 0 ? [input] : [];
}

export const programName = (path: string): string =>
  path.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd|ps1)$/i, '');

/** Words before a command in a condition or a loop. */
const keywords = listed('then do else elif if while until ! {');
const assignment = /^[A-Za-z_]\w*\+?=/;
/** Programs that run the program in their arguments, with their options that take a value. */
const wrappers: Record<string, Set<string>> = {
  sudo: listed('-u -g -C -D -h -p -R -r -T -t'),
  doas: listed('-u -C'),
  env: listed('-u -C -S'),
  time: listed('-f -o'),
  nohup: listed(''),
  setsid: listed(''),
  chronic: listed(''),
  unbuffer: listed(''),
  busybox: listed(''),
  strace: listed('-a -b -e -E -I -o -O -p -P -s -S -u -X'),
  taskset: listed(''),
  flock: listed('-w -E'),
  parallel: listed('-j -a -S'),
  nice: listed('-n'),
  ionice: listed('-c -n -p'),
  timeout: listed('-k -s'),
  command: listed(''),
  exec: listed('-a'),
  builtin: listed(''),
  xargs: listed('-a -I -i -n -P -d -L -s'),
  stdbuf: listed('-i -o -e'),
  watch: listed('-n'),
  npx: listed('-p --package'),
  bunx: listed('-p --package'),
  pnpx: listed(''),
  corepack: listed(''),
  uvx: listed('--from --with'),
};
/** Wrappers with a word of their own before the program, such as a duration or a file. */
const withOperand = listed('timeout taskset flock');
/** Subcommands that run a program. */
const runners: Record<string, Set<string>> = {
  npm: listed('exec x'),
  pnpm: listed('exec dlx run'),
  yarn: listed('exec dlx run'),
  bun: listed('x run'),
  uv: listed('run tool'),
  poetry: listed('run'),
  pipenv: listed('run'),
  pdm: listed('run'),
  hatch: listed('run'),
  rye: listed('run'),
  bundle: listed('exec'),
  conda: listed('run'),
  pipx: listed('run'),
};
/** Options that take a value and may stand before the subcommand. */
const valueOptions: Record<string, Set<string>> = {
  git: listed('-C -c --git-dir --work-tree --namespace'),
  npm: listed('--prefix -C -w --workspace'),
  pnpm: listed('-C --dir --filter -F'),
  yarn: listed('--cwd'),
  docker: listed('--context -H --host -c -f --file -p --project-name'),
  'docker-compose': listed('-f --file -p --project-name'),
  kubectl: listed('-n --namespace --context --kubeconfig'),
  helm: listed('-n --namespace --kube-context'),
  make: listed('-C -f'),
  cargo: listed('--manifest-path'),
};
const interpreter = /^(?:python[\d.]*|py|node|php|ruby|(?:ba|z|da|k)?sh)$/;

/** The program that some words call, and those that it runs in turn. */
export function callsOf(words: string[]): ProgramCall[] {
  const calls: ProgramCall[] = [];
  let rest: string[] | undefined = words;
  while (rest !== undefined && calls.length < maxWrappers) {
    const at = rest.findIndex((word) => !assignment.test(word) && !keywords.has(word));
    const program = rest[at];
    if (program === undefined) break;
    const args: string[] = rest.slice(at + 1);
    const call = { program, ...argumentsOf(programName(program), args) };
    calls.push(call);
    rest = runBy(programName(program), call.words, args);
  }
  return calls;
}

function argumentsOf(program: string, args: string[]): Pick<ProgramCall, 'options' | 'words'> {
  const options: string[] = [];
  const words: string[] = [];
  const dashes = args.indexOf('--');
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const next = args[at + 1] ?? '-';
    if (at === dashes) continue;
    if (!/^-./.test(arg) || (dashes !== -1 && at > dashes)) words.push(arg);
    else if (valueOptions[program]?.has(arg) === true && !next.startsWith('-')) {
      options.push(`${arg}=${next}`);
      at++;
    } else options.push(arg);
  }
  return { options, words };
}

/** The words of the program that another one runs. */
function runBy(program: string, words: string[], args: string[]): string[] | undefined {
  const takesValue = wrappers[program];
  if (takesValue !== undefined) {
    let at = 0;
    while (at < args.length) {
      const arg = args[at] as string;
      if (takesValue.has(arg)) at += 2;
      else if (arg.startsWith('-') || assignment.test(arg)) at++;
      else break;
    }
    if (withOperand.has(program)) at++;
    // `npx jest@29` and `corepack npm@10 install`
    return args.slice(at).map((arg, index) => (index === 0 ? arg.replace(/(.)@[\w.^~-]+$/, '$1') : arg));
  }
  const after = (index: number): string[] | undefined => (index === -1 ? undefined : args.slice(index + 1));
  if (program === 'find') return after(args.findIndex((arg) => /^-(?:exec|ok)(?:dir)?$/.test(arg)));
  const [first = ''] = words;
  if (runners[program]?.has(first) === true) {
    const others = args.slice(args.indexOf(first) + 1);
    const at = others.findIndex((arg) => !arg.startsWith('-') && arg !== 'run');
    return at === -1 ? undefined : others.slice(at);
  }
  if (/^(?:python[\d.]*|py)$/.test(program) && args[0] === '-m') return args.slice(1);
  // A script is the program: `python manage.py migrate`.
  if (interpreter.test(program) && args[0] === first && first !== '') return args;
  // `pnpm vitest` runs it, as `pnpm exec vitest` does. `pnpm add x` then seems to run `add`, which no rule names.
  if ((program === 'yarn' || program === 'pnpm') && args[0] === first && first !== '') return args;
  return undefined;
}
