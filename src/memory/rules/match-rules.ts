import { matchesGlob } from '../../base/glob.ts';
import type { FileEdit, ToolCall } from '../../domain/tool-call.ts';
import { escapePattern } from '../../text/escape-pattern.ts';
import type {
  CommandMatcher,
  Matcher,
  PackageMatcher,
  PathMatcher,
  Rule,
  TextMatcher,
} from './rule-table.ts';
import { type Invocation, invocationsOf, type ShellCommand, shellCommands } from './shell-commands.ts';

/** The rules that a tool call goes against. */
export function brokenRules<R extends Pick<Rule, 'matchers'>>(rules: R[], call: ToolCall): R[] {
  const action = actionOf(call);
  return rules.filter(({ matchers }) => matchers.some((matcher) => matches(matcher, action)));
}

/** What a command does with a file that it names. */
type Touch = 'create' | 'modify' | 'delete' | 'name' | 'add' | 'folder';

/** A tool call, parsed once for all rules. */
interface Action {
  invocations: Invocation[];
  edits: FileEdit[];
  /** Files that commands change, read or delete. */
  touched: { path: string; how: Touch }[];
}

function actionOf({ command, edits }: ToolCall): Action {
  const commands = command === '' ? [] : inFolders(shellCommands(command));
  const written = commands.flatMap(writtenBy);
  return {
    invocations: commands.flatMap(invocationsOf),
    edits: [...edits, ...written],
    touched: commands.flatMap(touchedBy),
  };
}

/** Paths after `cd DIR` are below that folder. */
function inFolders(commands: ShellCommand[]): PlacedCommand[] {
  let folder = '';
  return commands.map((command) => {
    const placed = { ...command, folder };
    const [program, target = ''] = command.words;
    if (program === 'cd' || program === 'pushd')
      folder = /^[\w@][^$]*$/.test(target) ? joined(folder, target) : '';
    // Every path gets the folder in front of it, so its length must be bounded.
    if (folder.length > maxFolderLength) folder = '';
    return placed;
  });
}

const maxFolderLength = 200;

interface PlacedCommand extends ShellCommand {
  /** Where it runs, below the folder of the call; empty if it is that folder or unknown. */
  folder: string;
}

const joined = (folder: string, path: string): string =>
  folder === '' || /^[/~$]/.test(path) ? path : `${folder.replace(/\/$/, '')}/${path}`;

/** A here-document or an `echo` with a redirection writes a file, as an edit would. */
function writtenBy({ words, writes, input, folder }: PlacedCommand): FileEdit[] {
  const isTee = words[0] === 'tee' || words[1] === 'tee';
  const added =
    input !== '' ? input : /^(?:echo|printf)$/.test(words[0] ?? '') ? words.slice(1).join(' ') : '';
  const paths = isTee ? words.filter((word) => !/^-|^(?:sudo|tee)$/.test(word)) : writes;
  return paths
    .filter((path) => !path.startsWith('/dev/'))
    .map((path) => ({ path: joined(folder, plainPath(path)), added, removed: '', isNew: true }));
}

const plainPath = (path: string): string => path.replace(/\\/g, '/').replace(/^(?:\.\/)+/, '');

function touchedBy(command: PlacedCommand): Action['touched'] {
  return invocationsOf(command).flatMap(({ program, args }) => {
    const names = args
      .filter((word) => !word.startsWith('-'))
      .map((word) => joined(command.folder, plainPath(word)));
    const verb = args.find((word) => !word.startsWith('-'));
    const all = names.map((path) => ({ path, how: 'name' as const }));
    const as = (paths: string[], how: Touch) => paths.map((path) => ({ path, how }));
    switch (program) {
      case 'rm':
      case 'unlink':
      case 'rmdir':
        return as(names, 'delete');
      case 'mv':
        return [...as(names.slice(0, -1), 'delete'), ...as(names.slice(-1), 'create')];
      case 'cp':
        return [...all.slice(0, -1), ...as(names.slice(-1), 'create')];
      case 'touch':
        return as(names, 'create');
      case 'truncate':
        return as(names, 'modify');
      case 'mkdir':
        return as(names, 'folder');
      case 'sed':
      case 'perl':
        return args.some((word) => /^-\w*i/.test(word) || word.startsWith('--in-place'))
          ? as(names.slice(1), 'modify')
          : all;
      case 'prettier':
      case 'eslint':
      case 'biome':
      case 'stylelint':
      case 'ruff':
      case 'gofmt':
      case 'black':
      case 'isort':
      case 'rustfmt':
        return /^(?:black|isort|rustfmt)$/.test(program) ||
          args.some((word) => /^(?:--write|-w|--fix|format)$/.test(word))
          ? as(names, 'modify')
          : all;
      case 'git':
        if (verb === 'add' || verb === 'commit') return as(names.slice(1), 'add');
        return verb === 'rm' ? as(names.slice(1), 'delete') : all.slice(1);
      // The arguments of these programs are text, not files.
      case 'echo':
      case 'printf':
        return [];
      case 'grep':
      case 'rg':
        return all.slice(1);
      default:
        return all;
    }
  });
}

function matches(matcher: Matcher, action: Action): boolean {
  switch (matcher.on) {
    case 'command':
      return action.invocations.some((invocation) => matchesCommand(matcher, invocation));
    case 'path':
      return matchesPath(matcher, action);
    case 'text':
      return action.edits.some((edit) => isInScope(matcher, edit.path) && addsText(matcher, edit));
    case 'package':
      return (
        action.invocations.some((invocation) => installs(matcher, invocation)) ||
        action.edits.some((edit) => isInScope(matcher, edit.path) && addsImport(matcher, edit))
      );
  }
}

/** A file or folder, where the name of a package could stand: `pip install -r requirements.txt`. */
const isLocal = /^\.{0,2}\/|^\.$|\.(?:txt|whl|tgz|toml)$/;
const onlyAsks = /^(?:--version|-v|-V|--help|-h|help|version)$/;

function matchesCommand(matcher: CommandMatcher, { program, args, behind }: Invocation): boolean {
  const { programs, words = [], flags = [], args: wanted = [], operands, pattern, except = [] } = matcher;
  if (!programs.includes('*') && !programs.includes(program)) return false;
  if (matcher.unlessBehind?.some((name) => behind.includes(name)) === true) return false;
  // `npm --version` uses nothing.
  if (words.length + flags.length === 0 && args.length === 1 && onlyAsks.test(args[0] as string))
    return false;
  const names = args.filter((word) => !word.startsWith('-'));
  if (words.some((alternatives, at) => !alternatives.includes(names[at] ?? ''))) return false;
  if (flags.some((alternatives) => !alternatives.some((flag) => hasFlag(args, flag)))) return false;
  const rest = names.slice(words.length);
  if (wanted.some((alternatives) => !rest.some((word) => alternatives.some((one) => isArgument(word, one)))))
    return false;
  if (operands !== undefined && (operands === 'some') !== rest.some((word) => !isLocal.test(word)))
    return false;
  if (matcher.unlessFlags?.some((flag) => hasFlag(args, flag)) === true) return false;
  if (except.some((word) => rest.some((one) => one === word || one.startsWith(`${word}@`)))) return false;
  return pattern === undefined || args.some((word) => new RegExp(pattern, 'iu').test(word));
}

/** `origin/main`, `HEAD:main` and `+main` are about `main`. */
const isArgument = (word: string, wanted: string): boolean =>
  plainPath(word) === wanted || word.replace(/\/$/, '').split(/[:/+]/).at(-1) === wanted;

/** Short options may be joined: `-rf` has `-f`. */
function hasFlag(args: string[], flag: string): boolean {
  if (/^-\w$/.test(flag)) return args.some((word) => /^-\w+$/.test(word) && word.includes(flag[1] as string));
  return args.some((word) => word === flag || word.startsWith(`${flag}=`));
}

/** A glob that begins with a slash matches only in the root of the checkout. */
const isUnder = (path: string, globs: string[]): boolean =>
  globs.some((glob) =>
    glob.startsWith('/')
      ? !path.includes('/') && matchesGlob(path, glob.slice(1), '')
      : matchesGlob(path, glob, '') || matchesGlob(path, `**/${glob}`, ''),
  );

const isInScope = ({ inside, outside }: { inside?: string[]; outside?: string[] }, path: string): boolean =>
  (inside === undefined || isUnder(path, inside)) && (outside === undefined || !isUnder(path, outside));

/** Folders outside every project. */
const temporary = /^\/(?:private\/)?(?:tmp|var|dev|proc)\//;

function matchesPath(matcher: PathMatcher, { edits, touched }: Action): boolean {
  const { globs, change } = matcher;
  const isNamed = (path: string): boolean =>
    matcher.name === undefined || new RegExp(matcher.name).test(path.replace(/^.*\//, ''));
  const isMeant = (path: string): boolean =>
    !temporary.test(path) && isUnder(path, globs) && isInScope(matcher, path) && isNamed(path);
  const isEdited = edits.some((edit) => {
    if (change === 'commit' || change === 'read' || !isMeant(edit.path)) return false;
    if (change === 'delete' || edit.isDeleted === true)
      return edit.isDeleted === true && (change === 'delete' || change === 'any' || change === 'existing');
    return change === 'any' || (change === 'new') === edit.isNew;
  });
  return (
    isEdited ||
    touched.some(({ path, how }) => {
      if (!isMeant(path)) return false;
      switch (change) {
        case 'read':
          return how === 'name';
        case 'commit':
          return how === 'add';
        case 'delete':
          return how === 'delete';
        case 'new':
          return how === 'create' || how === 'folder';
        case 'existing':
          return how === 'modify' || how === 'delete';
        default:
          return how === 'create' || how === 'modify' || how === 'delete';
      }
    })
  );
}

const notCode = /\.(?:md|mdx|markdown|txt|rst|adoc|lock|log|csv|svg|snap)$/i;
const comment = /^\s*(?:\/\/|\/?\*|#(?![![a-z])|<!--|--\s).*$/gm;

/** Counts, because an edit often repeats the lines around its change. */
function addsText({ pattern, inComments, inAllFiles }: TextMatcher, edit: FileEdit): boolean {
  if (edit.added === '' || (inAllFiles !== true && notCode.test(edit.path))) return false;
  const expression = new RegExp(pattern, 'gmu');
  const count = (text: string): number =>
    (inComments === true ? text : text.replace(comment, '')).match(expression)?.length ?? 0;
  const added = count(edit.added);
  return added > 0 && added > count(edit.removed);
}

const installers: Record<string, RegExp> = {
  npm: /^(?:install|i|add|in)$/,
  pnpm: /^(?:install|i|add)$/,
  yarn: /^(?:add|install)$/,
  bun: /^(?:install|i|add|a)$/,
  deno: /^(?:add|install)$/,
  pip: /^install$/,
  pip3: /^install$/,
  uv: /^(?:add|pip)$/,
  poetry: /^add$/,
  pipenv: /^install$/,
  pdm: /^add$/,
  conda: /^install$/,
  mamba: /^install$/,
  cargo: /^(?:add|install)$/,
  go: /^(?:get|install)$/,
  gem: /^install$/,
  bundle: /^add$/,
  composer: /^require$/,
  dotnet: /^add$/,
  apt: /^install$/,
  'apt-get': /^install$/,
  apk: /^add$/,
  brew: /^install$/,
  flutter: /^pub$/,
  dart: /^pub$/,
};

function installs({ name, version }: PackageMatcher, { program, args }: Invocation): boolean {
  const [first = '', ...rest] = args.filter((word) => !word.startsWith('-'));
  const isMeant = (word: string): boolean =>
    isPackage(word, name) && (version === undefined || hasVersion(word, version));
  return installers[program]?.test(first) === true && rest.some(isMeant);
}

/** "5" is the version of `webpack@5`, `webpack@^5.1` and `django==5.0`. */
const hasVersion = (word: string, version: string): boolean =>
  new RegExp(`(?:.@|[=~<>]=?)[\\^~v]*${escapePattern(version)}(?![\\d])`).test(word);

/** Compares without version and case: `lodash@^4`, `Requests==2.0`, `pkg[extra]`. A scope counts as the package. */
function isPackage(word: string, name: string): boolean {
  const bare = word
    .toLowerCase()
    .replace(/(.)@.*$/, '$1')
    .replace(/[=<>~!^[;].*$/, '');
  return (
    bare === name ||
    bare.startsWith(`@${name}/`) ||
    (!bare.startsWith('@') && bare.endsWith(`/${name}`)) ||
    isTypes(bare, name)
  );
}
const isTypes = (bare: string, name: string): boolean => bare === `@types/${name}`;

/** Tools are told in their settings which packages to use: `environment: 'jsdom'`. */
const configFile = /\.config\.[cm]?[jt]s$|^\.\w+rc\.[cm]?js$/;

/** The forms in which code or a manifest names a package, by the name of the file. */
function addsImport(matcher: PackageMatcher, edit: FileEdit): boolean {
  if (edit.added === '') return false;
  // An import says no version; only a manifest does.
  if (matcher.version !== undefined && !/package\.json$/.test(edit.path)) return false;
  const name = escapePattern(matcher.name);
  const underscored = escapePattern(matcher.name.replaceAll('-', '_'));
  const [file = ''] = /[^/]*$/.exec(edit.path) ?? [];
  const quoted = `['"](?:@${name}/[^'"]*|${name}(?:/[^'"]*)?)['"]`;
  const pattern = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i.test(file)
    ? `(?:\\bfrom|\\bimport|\\brequire\\(|\\bimport\\(${configFile.test(file) ? '|:\\s*\\[?|,' : ''})\\s*${quoted}`
    : /\.pyi?$/i.test(file)
      ? `^\\s*(?:import\\s+(?:[\\w.]+\\s*,\\s*)*|from\\s+)${underscored}\\b`
      : /\.rs$/i.test(file)
        ? `\\b(?:use|extern crate)\\s+${underscored}\\b`
        : /\.go$/i.test(file)
          ? `^\\s*(?:import\\s+)?(?:\\w+\\s+)?"(?:[^"]*/)?${name}(?:/[^"]*)?"`
          : /\.(?:java|kt|scala|cs|php|swift|dart|ex|exs)$/i.test(file)
            ? `^\\s*(?:import|using|use|alias)\\s+(?:static\\s+)?['"]?(?:[\\w.:]+[.:/\\\\])?${underscored}\\b`
            : /\.rb$|^Gemfile/i.test(file)
              ? `\\b(?:gem|require)\\s*\\(?['"]${name}['"/]`
              : /^(?:package|deno|composer|import_map)\\.jsonc?$|^package\.json$/i.test(file)
                ? `"(?:@${name}/[^"]*|${name})"\\s*:\\s*"${matcher.version === undefined ? '' : `[~^>=v]*${escapePattern(matcher.version)}(?!\\d)`}`
                : /requirements.*\.txt$|^Pipfile$/i.test(file)
                  ? `^\\s*${name}\\s*(?:\\[|[=<>~!]=|=|$)`
                  : /\.toml$/i.test(file)
                    ? `^\\s*"?${name}(?:"?\\s*=|[\\[<>=~!])|["']${name}(?:[\\[<>=~! ]|["'])`
                    : /\.html?$/i.test(file)
                      ? `(?:src|href)=["'][^"']*/${name}[@/.-][^"']*["']`
                      : /\.(?:s?css|less)$/i.test(file)
                        ? `@(?:import|use)\\s*(?:url\\()?['"][^'"]*${name}`
                        : undefined;
  if (pattern === undefined) return false;
  const expression = new RegExp(pattern, 'gimu');
  const count = (text: string): number => text.match(expression)?.length ?? 0;
  const added = count(edit.added);
  return added > 0 && added > count(edit.removed);
}
