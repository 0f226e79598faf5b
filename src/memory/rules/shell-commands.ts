/** One program call of a command line. */
export interface ShellCommand {
  /** The program and its arguments, without quotes. */
  words: string[];
  /** Files that redirections write. */
  writes: string[];
  /** The text that the program reads: a here-document, a here-string, or what `echo` before a pipe prints. */
  input: string;
}

const maxNesting = 3;
const token =
  /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|(#)|(<<-?(?!<))\s*(['"]?)([\w.-]+)\6|(\d*(?:>>?\|?|&>>?)(?!&))|(<<<)|(\d*[<>]&[\d-]|<)|(&&|\|\|?|;|\n|&|[(){}](?=\s|$|;|\))|^\s*[({])|(\$\(|`)|([ \t\r]+)|([^'"\\;\n|<>`& \t\r()$#]+|[\s\S])/g;

/**
 * Splits a command line into program calls: quotes, `&&`, pipes, redirections, here-documents, substitutions and
 * `bash -c`. It does not expand variables. A line that no shell would accept gives whatever could be read.
 */
export function shellCommands(line: string, depth = 0): ShellCommand[] {
  const all: ShellCommand[] = [];
  const nested: string[] = [];
  let now: ShellCommand = { words: [], writes: [], input: '' };
  let word: string | undefined;
  let target: 'writes' | 'input' | undefined;
  let isPiped = false;
  const printers = new Map<ShellCommand, ShellCommand>();
  const documents: { end: string; of: ShellCommand }[] = [];
  const endWord = () => {
    if (word === undefined) return;
    if (target === 'writes') now.writes.push(word);
    else if (target === 'input') now.input = word;
    else now.words.push(word);
    target = undefined;
    word = undefined;
  };
  const endCommand = (sign: string) => {
    endWord();
    target = undefined;
    const before = all.at(-1);
    if (isPiped && before !== undefined) printers.set(now, before);
    isPiped = sign === '|';
    if (now.words.length + now.writes.length > 0) all.push(now);
    now = { words: [], writes: [], input: '' };
  };
  token.lastIndex = 0;
  for (let found = token.exec(line); found !== null; found = token.exec(line)) {
    const [
      ,
      single,
      double,
      escaped,
      comment,
      document,
      ,
      end,
      write,
      hereString,
      otherRedirect,
      ends,
      open,
      space,
      plain,
    ] = found;
    if (single !== undefined) word = (word ?? '') + single;
    else if (double !== undefined) {
      word = (word ?? '') + double.replace(/\\([\\"$`\n])/g, '$1');
      for (const [, inner = ''] of double.matchAll(/\$\(([^()]*)\)/g)) nested.push(inner);
    } else if (escaped !== undefined) word = escaped === '\n' ? word : (word ?? '') + escaped;
    else if (comment !== undefined) {
      // A `#` inside a word is part of it.
      if (word !== undefined) word += '#';
      else token.lastIndex = endOfLine(line, found.index);
    } else if (document !== undefined) {
      endWord();
      documents.push({ end: end ?? '', of: now });
    } else if (write !== undefined) {
      if (/^\d+$/.test(word ?? '')) word = undefined;
      endWord();
      target = 'writes';
    } else if (hereString !== undefined) {
      endWord();
      target = 'input';
    } else if (otherRedirect !== undefined) endWord();
    else if (open !== undefined) {
      const { inner, next } = substitution(line, found.index + open.length, open);
      nested.push(inner);
      word = `${word ?? ''}$()`;
      token.lastIndex = next;
    } else if (ends !== undefined) {
      endCommand(ends);
      const [first] = documents;
      if (!ends.includes('\n') || first === undefined) continue;
      for (const { end: mark, of } of documents.splice(0)) {
        const rest = line.slice(token.lastIndex);
        const close = new RegExp(`^[\\t ]*${mark.replace(/[.]/g, '\\.')}[\\t ]*$`, 'm').exec(rest);
        of.input = rest.slice(0, close?.index ?? rest.length);
        token.lastIndex += close === null ? rest.length : close.index + close[0].length;
      }
    } else if (space !== undefined) endWord();
    else word = (word ?? '') + plain;
  }
  endCommand('');
  for (const [reader, printer] of printers) reader.input ||= printedBy(printer);
  if (depth >= maxNesting) return all;
  for (const command of all) nested.push(...scriptsIn(command));
  return [...all, ...nested.flatMap((inner) => shellCommands(inner, depth + 1))];
}

function endOfLine(line: string, from: number): number {
  const end = line.indexOf('\n', from);
  return end === -1 ? line.length : end;
}

const printedBy = ({ words, input }: ShellCommand): string =>
  /^(?:echo|printf)$/.test(words[0] ?? '')
    ? words.slice(1).join(' ').replaceAll('\\n', '\n')
    : words[0] === 'cat'
      ? input
      : '';

/** Finds the end of `$(…)` or of a backquoted command. */
function substitution(line: string, from: number, open: string): { inner: string; next: number } {
  if (open === '`') {
    const close = line.indexOf('`', from);
    const end = close === -1 ? line.length : close;
    return { inner: line.slice(from, end), next: end + 1 };
  }
  let level = 1;
  let at = from;
  for (; at < line.length && level > 0; at++) {
    if (line[at] === '(') level++;
    else if (line[at] === ')') level--;
  }
  return { inner: line.slice(from, level === 0 ? at - 1 : at), next: at };
}

/** The script of `bash -c SCRIPT` or `eval SCRIPT`, or what a shell without a script reads. */
function scriptsIn({ words, input }: ShellCommand): string[] {
  if (words[0] === 'eval') return [words.slice(1).join(' ')];
  const at = words.slice(0, 4).findIndex((word) => /(?:^|\/)(?:ba|z|da)?sh$/.test(word));
  if (at === -1) return [];
  const option = words.findIndex((word, index) => index > at && /^-\w*c$/.test(word));
  if (option !== -1) return words.slice(option + 1, option + 2);
  return words.slice(at + 1).every((word) => word.startsWith('-')) ? [input] : [];
}

/** A program with its arguments. */
export interface Invocation {
  program: string;
  args: string[];
  /** The programs that run it, such as `npx`. */
  behind: string[];
}

const baseName = (path: string): string => path.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd|ps1)$/i, '');

/** Words before a command in a condition or a loop. */
const keyword = /^(?:then|do|else|elif|if|while|until|!|\{|\()$/;
const assignment = /^[A-Za-z_]\w*\+?=/;
/** Programs that run the program in their arguments, with the options that take a value. */
const wrappers: Record<string, RegExp> = {
  sudo: /^-[ugCDhpRrTt]$/,
  doas: /^-[uC]$/,
  env: /^-[uCS]$/,
  time: /^-[fo]$/,
  nohup: /^$/,
  nice: /^-n$/,
  ionice: /^-[cnp]$/,
  timeout: /^-[ks]$/,
  command: /^$/,
  exec: /^-a$/,
  builtin: /^$/,
  xargs: /^-[IinPdLs]$/,
  stdbuf: /^-[ioe]$/,
  watch: /^-n$/,
  npx: /^(?:-p|--package)$/,
  bunx: /^(?:-p|--package)$/,
  pnpx: /^$/,
  corepack: /^$/,
  uvx: /^--(?:from|with)$/,
  pipx: /^$/,
};
/** Subcommands that run a program. */
const runners: Record<string, RegExp> = {
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx|run)$/,
  bun: /^x$/,
  uv: /^(?:run|tool)$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  pdm: /^run$/,
  hatch: /^run$/,
  rye: /^run$/,
  bundle: /^exec$/,
  conda: /^run$/,
  dotenv: /^(?:--|run)$/,
  pipx: /^run$/,
};
const valueOptions: Record<string, RegExp> = {
  git: /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/,
  npm: /^(?:--prefix|-C|-w|--workspace)$/,
  pnpm: /^(?:-C|--dir|--filter|-F)$/,
  yarn: /^--cwd$/,
  docker: /^(?:--context|-H|--host|-c)$/,
  'docker-compose': /^(?:-f|--file|-p|--project-name)$/,
  kubectl: /^(?:-n|--namespace|--context|--kubeconfig)$/,
  make: /^(?:-C|-f)$/,
  cargo: /^--manifest-path$/,
  terraform: /^$/,
};
const interpreter = /^(?:python[\d.]*|py|node|php|ruby|bash|sh|zsh)$/;
const yarnCommands =
  /^(?:add|install|remove|upgrade|up|init|run|exec|dlx|publish|why|info|list|config|cache|workspaces?|link|version|set|global|audit|outdated|pack|test|start|build|dev)$/;

/**
 * The programs that a call runs: itself and, for `sudo`, `npx`, `python -m` and the like, the program behind it. Global
 * options before the subcommand are left out, so that `git -C x push` is a `push`.
 */
export function invocationsOf({ words }: ShellCommand): Invocation[] {
  const all: Invocation[] = [];
  let rest = words;
  for (let steps = 0; steps < 6; steps++) {
    const start = rest.findIndex((word) => !assignment.test(word) && !keyword.test(word));
    if (start === -1) break;
    rest = rest.slice(start);
    if (rest[0] === undefined) break;
    const program = baseName(rest[0]);
    const args = withoutGlobalOptions(program, rest.slice(1));
    all.push({ program, args, behind: all.map((one) => one.program) });
    const next = behind(program, args, rest.slice(1));
    if (next === undefined || next.length === 0) break;
    rest = next;
  }
  return all;
}

function withoutGlobalOptions(program: string, args: string[]): string[] {
  const takesValue = valueOptions[program];
  if (takesValue === undefined) return args;
  const options: string[] = [];
  let at = 0;
  while (at < args.length && /^-./.test(args[at] as string)) {
    // `pnpm --filter api test` tests one package.
    if (takesValue.test(args[at] as string)) {
      if (/^(?:--filter|--workspace|-F|-w)$/.test(args[at] as string)) options.push('--filter');
      at += 2;
    } else options.push(args[at++] as string);
  }
  if (at >= args.length) return options;
  const [subcommand = '', ...rest] = args.slice(at);
  // Options keep their place behind the subcommand, where a rule looks for them.
  return [
    subcommand,
    ...options,
    ...(program === 'docker' && subcommand === 'compose'
      ? withoutGlobalOptions('docker-compose', rest)
      : rest),
  ];
}

function behind(program: string, args: string[], raw: string[]): string[] | undefined {
  const wrapper = wrappers[program];
  if (wrapper !== undefined && !(program === 'pipx' && args[0] === 'run')) {
    let at = 0;
    while (at < raw.length) {
      const word = raw[at] as string;
      if (wrapper.test(word)) at += 2;
      else if (/^-/.test(word) || (program === 'env' && assignment.test(word))) at++;
      else if (program === 'timeout' && at === raw.findIndex((one) => /^\d/.test(one))) at++;
      else break;
    }
    return raw.slice(at).map((word, index) => (index === 0 ? word.replace(/(.)@[\w.^~-]+$/, '$1') : word));
  }
  if (program === 'find') {
    const at = raw.findIndex((word) => /^-(?:exec|ok)(?:dir)?$/.test(word));
    return at === -1 ? undefined : raw.slice(at + 1);
  }
  const [first = '', ...others] = args;
  if (runners[program]?.test(first) === true) {
    const at = others.findIndex((word) => !/^-/.test(word) && word !== 'run');
    return at === -1 ? undefined : others.slice(at);
  }
  if (/^python[\d.]*$|^py$/.test(program)) {
    const at = raw.indexOf('-m');
    if (at !== -1 && raw.slice(0, at).every((word) => /^-/.test(word))) return raw.slice(at + 1);
  }
  // A script is the program: `python manage.py migrate`, `php artisan migrate`.
  if (interpreter.test(program) && raw[0] !== undefined && !/^-/.test(raw[0])) return raw;
  if ((program === 'yarn' || program === 'pnpm') && first !== '' && !/^-/.test(first))
    return yarnCommands.test(first) || /^(?:i|rm|un|update|store|import|recursive|create)$/.test(first)
      ? undefined
      : args;
  // `uv pip install` is a call of uv, not of pip.
  return undefined;
}
