import { type Context, expand } from './code-spans.ts';
import { commandPhrase, isProgram, literalCommand, rivalsOf } from './command-phrases.ts';
import { extension } from './named-files.ts';
import type { CommandMatcher } from './rule-table.ts';

export interface ItemContext extends Context {
  /** The program that the text is about, for "no apply, no delete". */
  program: string | undefined;
  /** Whether the item may be a subcommand of that program. */
  isListed: boolean;
  isExisting: boolean;
  isNew: boolean;
  /** Whether the text reports what was tried. Then a plain word is a name. */
  isReport?: boolean;
  before: string;
  sentence: string;
}

export const phraseOf = (verb: string, item: string): CommandMatcher[] =>
  commandPhrase(`${verb} ${item}`.trim().toLowerCase());

export const commonWords = new Set(
  'test time date set file env print type yes at more who link wait open start split join cut sort install echo anything everything something nothing it them code stuff things one ones me you us tests files changes comments words names tool tools command commands option options system version old new same other work way ways style styles format default manual hand space spaces tab function functions method variable variables string strings number numbers object objects array arrays list type types value values state data'.split(
    ' ',
  ),
);

/** Commands that the words give literally, or name by their program. */
export function commandsOf(
  plain: string,
  lower: string,
  verb: string,
  isCode: boolean,
  context: ItemContext,
): CommandMatcher[] {
  const cleaned = plain
    .replace(/\s+(?:commands?|cli|calls?|scripts?|binary|directly|itself|here)$/i, '')
    .replace(/^(?:commands? (?:like|such as) )/i, '');
  const [purpose = '', ...words] = splitPurpose(cleaned);
  const tokens = words[0]?.split(/\s+/) ?? [];
  const [first = ''] = tokens;
  const program = first.toLowerCase();
  if (/^-{1,2}\w/.test(first)) {
    const [, subcommand] =
      /\b(?:on|to|with|for|in) (?:the )?(?:git )?(commit|push|merge|rebase|add|install|test|build)s?\b/i.exec(
        context.sentence,
      ) ?? [];
    const named =
      programBefore(context) ??
      (/^(?:commit|push|merge|rebase)$/i.test(subcommand ?? '') ? 'git' : undefined);
    // A short option means something else in every command.
    if (/^-\w$/.test(first) && subcommand === undefined) return [];
    const matcher = literalCommand([
      named ?? '*',
      ...(subcommand === undefined || named === undefined ? [] : [subcommand.toLowerCase()]),
      ...tokens.slice(0, 1),
    ]);
    return matcher === undefined ? [] : [matcher];
  }
  const rest = tokens.slice(1);
  const isLiteral = rest.every((word) => /^-|^[\w@./:*$<>{}[\]=~^+-]+$/.test(word)) && rest.length < 6;
  if (isProgram(program) && (tokens.length === 1 || (isLiteral && (isCode || isCommandLike(rest))))) {
    if (commonWords.has(program) && !isCode) return [];
    const matcher = literalCommand([program, ...rest]);
    if (matcher === undefined) return [];
    const narrowed = forPurpose(matcher, purpose);
    return narrowed === undefined ? [] : [bareOnly(narrowed, context)];
  }
  if (
    (verb === 'run' || verb === 'call') &&
    !/[a-z][A-Z]/.test(first) &&
    isLiteral &&
    /^[\w./:-]+$/.test(first) &&
    (isCode || tokens.length === 1 || /[./:]/.test(first)) &&
    !commonWords.has(lower)
  ) {
    const base = first.replace(/^.*\//, '');
    const matcher = literalCommand([base, ...rest]);
    return [...(matcher === undefined ? [] : [matcher]), ...(tokens.length === 1 ? scriptCalls(first) : [])];
  }
  if (isCode && tokens.length > 1 && isLiteral && /^[a-z][\w.-]*$/.test(first)) {
    const matcher = literalCommand([program, ...rest]);
    return matcher === undefined ? [] : [matcher];
  }
  return [];
}

/** A subcommand of the program named before: "mix ecto.reset or ecto.drop", "kubectl: no apply". */
export function inheritedCommand(plain: string, { program }: ItemContext): CommandMatcher | undefined {
  const tokens = plain.split(/\s+/);
  const [first = ''] = tokens;
  const isCommand = tokens.length <= 4 && /^[a-z][\w:.-]*$/.test(first) && isCommandLike(tokens.slice(1));
  return program === undefined || !isCommand || isProgram(first)
    ? undefined
    : literalCommand([program, ...tokens]);
}

/** `npm run NAME`, `make NAME`, `python NAME`. */
const scriptCalls = (name: string): CommandMatcher[] => [
  { on: 'command', programs: ['npm', 'pnpm', 'yarn', 'bun'], words: [['run', 'run-script'], [name]] },
  { on: 'command', programs: ['pnpm', 'yarn', 'bun', 'make', 'just', 'task', 'rake'], words: [[name]] },
  ...(extension.test(name)
    ? [
        {
          on: 'command' as const,
          programs: ['python', 'python3', 'node', 'bash', 'sh', 'ruby', 'php', 'tsx', 'bun', 'deno'],
          args: [[name.replace(/^.*\//, '')]],
        },
      ]
    : []),
];

/** Whether the words after a program are a subcommand or options, and no prose: "git push", not "git history is …". */
const isCommandLike = (rest: string[]): boolean =>
  rest.every((word) =>
    /^-|[./:@*]|^(?:install|i|add|remove|uninstall|run|test|build|start|dev|exec|publish|update|upgrade|audit|fix|ci|init|login|link|push|pull|commit|merge|rebase|reset|stash|checkout|switch|clean|branch|tag|fetch|clone|restore|revert|cherry-pick|worktree|bisect|gc|filter-branch|blame|rm|mv|compose|up|down|prune|volume|system|image|container|network|apply|delete|edit|create|get|describe|scale|rollout|patch|replace|destroy|plan|import|state|taint|workspace|migrate|db|seed|generate|deploy|nuget|package|ef|database|drop|mod|tidy|vet|fmt|lint|check|bench|doc|nextest|clippy|require|global|server|console|s|c|g|main|master|origin|all|node_modules|dist|lock|cache|store|force|pr|release|repo|issue|workflow|secret|upload|sync|freeze|pip|tool|python|shell|env|activate|dlx|create|serve|watch|preview|up|stop|restart|enable|disable|kill|cp|ls|ssh|config|set|unset)$/.test(
      word,
    ),
  );

/** "npm for installs": the program, and what it is used for. */
function splitPurpose(words: string): [string, string] {
  const found = /^(.*?)\s+for\s+(.+)$/i.exec(words);
  return found === null ? ['', words] : [found[2] as string, found[1] as string];
}

function forPurpose(matcher: CommandMatcher, purpose: string): CommandMatcher | undefined {
  if (purpose === '' || /^(?:any|every)thing|^this|^us\b|^me\b/i.test(purpose)) return matcher;
  if (/install|packages?|dep(?:s|endenc)/i.test(purpose))
    return { ...matcher, words: [['install', 'i', 'add', 'ci']] };
  return matcher;
}

/** Programs that run others in an environment of the project. */
const environments = ['poetry', 'uv', 'pipenv', 'pdm', 'hatch', 'rye', 'conda', 'bundle', 'docker', 'nix'];

/** "bare python", "pip directly": behind `poetry run` it is in order. */
function bareOnly(matcher: CommandMatcher, { text, sentence }: ItemContext): CommandMatcher {
  const isBare = /\b(?:bare|directly|plain|raw|naked|system|yourself|on its own|by itself)\b/i.test(sentence);
  const named = environments.filter((name) => new RegExp(`\\b${name} (?:run|exec)\\b`, 'i').test(text));
  return isBare || named.length > 0 ? { ...matcher, unlessBehind: environments } : matcher;
}

/** The program that a sentence names before an option: "git commit … never with --no-verify". */
function programBefore({ before, program }: ItemContext): string | undefined {
  return (
    program ??
    before
      .toLowerCase()
      .split(/[^\w.-]+/)
      .findLast((word) => isProgram(word) && !commonWords.has(word))
  );
}

/** Installing the preferred tool with the unwanted one is in order: `npm install -g pnpm`. */
export function withPreference(matchers: CommandMatcher[], { text, spans }: ItemContext): CommandMatcher[] {
  const own = new Set(matchers.flatMap(({ programs }) => programs));
  const others = [
    ...new Set(
      expand(text, spans)
        .toLowerCase()
        .split(/[^\w.-]+/),
    ),
  ].filter((word) => isProgram(word) && !own.has(word) && !commonWords.has(word));
  if (others.length === 0) return matchers;
  return matchers.map((matcher) =>
    rivalsOf(matcher.programs[0] ?? '').length > 0 ? { ...matcher, except: others } : matcher,
  );
}

/** Programs whose names are common words. */
export const englishPrograms = new Set(
  'tree find make go next fly service code screen watch head tail less cut expo render kind task just act bat just forever service render rush expo time test set file'.split(
    ' ',
  ),
);
