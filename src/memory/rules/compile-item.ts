import { escapePattern } from '../../text/escape-pattern.ts';
import { codeConstruct } from './code-constructs.ts';
import { type Context, expand, spanMark } from './code-spans.ts';
import { fileKind } from './file-kinds.ts';
import { codeLike, libraryPrograms, nameMatchers, nameOf, packageMatchers, symbolOf } from './named-code.ts';
import {
  commandsOf,
  type ItemContext,
  inheritedCommand,
  phraseOf,
  withPreference,
} from './named-commands.ts';
import { filesOf, globsOf, isPathLike, quantifiers } from './named-files.ts';
import type { Matcher, PathMatcher } from './rule-table.ts';

export const fileVerbs = new Set(['edit', 'create', 'delete', 'commit', 'read']);

export function compileItem(item: string, verb: string, context: ItemContext): Matcher[] {
  const { spans } = context;
  const words = expand(item, spans);
  const bare = item.replace(quantifiers, '').trim();
  const plain = expand(bare, spans);
  const lower = plain.toLowerCase();
  if (plain === '' || plain.length > 120) return [];
  const isCode = spanMark.test(bare);
  if (fileVerbs.has(verb) || (verb === 'add' && /\b(?:to|in|into|under)\s+\S+\/|\bfiles?\b/i.test(words))) {
    const files = fileMatchers(item, verb, context);
    if (files.length > 0) return files;
    if (verb === 'edit' || verb === 'read') return [];
  }
  if (context.isListed && verb !== 'import') {
    const inherited = inheritedCommand(plain, context);
    if (inherited !== undefined) return [inherited];
  }
  if (verb === 'ban') {
    const files = fileMatchers(item, 'edit', context);
    return files.length > 0 ? files : compileItem(item, 'use', context);
  }
  const naming = fileNaming(lower, context);
  if (naming !== undefined) return [naming];
  if (verb !== 'import') {
    const said = words.toLowerCase().replace(/^(?:the|our|any|a|an|your|my) /, '');
    const phrase = [said, lower].flatMap((one) => [
      ...phraseOf(verb, one),
      ...(verb === '' ? [] : phraseOf('', one)),
    ]);
    if (phrase.length > 0) return withPreference(phrase, context);
  }
  const isAnyUse = verb === 'use' || verb === 'write' || verb === '';
  const file = isAnyUse && !context.isNew ? undefined : newFiles(lower);
  if (file !== undefined) return [{ on: 'path', globs: file, change: 'new' }];
  const construct =
    codeConstruct(lower) ?? codeConstruct(words.toLowerCase().replace(/^(?:an?|the|any) /, ''));
  if (construct !== undefined) return [construct, ...(lower === 'jquery' ? packageMatchers('jquery') : [])];
  const image = /^(\w[\w.:/-]*?)(?:-based)? (?:(?:base|docker|container) )*images?$/i.exec(plain)?.[1];
  if (image !== undefined) return imageMatchers(image.toLowerCase());
  const sql = plain.replace(
    / (?:something|anything|stuff|things|statements?|queries|commands?|tables?)$/i,
    '',
  );
  if (/^[A-Z]{3,}(?: [A-Z]{2,}){0,3}$/.test(sql) && sqlVerb.test(sql)) return sqlMatchers(sql, context);
  const called = /^([\w$.]+) (?:calls?|queries|usages?)$/i.exec(plain)?.[1];
  if (called !== undefined && verb !== 'run')
    return [{ on: 'text', pattern: `(?<![\\w$])${escapePattern(called)}\\s*[.(]` }];
  const operator = /^([!?&|=+*<>:~^%-]{2,3})(?: operators?| assertions?)?$/.exec(plain)?.[1];
  if (operator !== undefined) return [{ on: 'text', pattern: escapePattern(operator) }];
  if (isDependency(context) && nameOf(plain) !== undefined) return packageMatchers(lower);
  const declared = /^(?:func|fn|def|function|class|struct|trait|interface) [\w$]+(?:\(\))?$/.exec(plain)?.[0];
  if (declared !== undefined) return [symbolOf(declared, false)];
  const rival = plainRival(lower, context);
  if (rival !== undefined) return [rival];
  const isCall = verb === 'call' && /^[\w$]+(?:\.[\w$]+)+$|^\w+_\w+$/.test(plain);
  if (isCall) return [symbolOf(plain, true)];
  const commands = verb === 'import' ? [] : commandsOf(plain, lower, verb, isCode, context);
  if (commands.length > 0)
    return [
      ...withPreference(commands, context),
      ...(libraryPrograms.has(lower) ? packageMatchers(lower) : []),
    ];
  if (verb === 'commit' || verb === 'delete') return [];
  if (isPathLike(plain) && /\b(?:go|goes|belongs?|lives?|put|placed?|created?)\b/i.test(context.sentence))
    return [{ on: 'path', globs: globsOf(plain), change: 'new' }];
  if (verb === '' && !isCode && !codeLike.test(plain)) return [];
  const name = nameOf(plain);
  if (name === undefined)
    return isCode && /\W/.test(plain) && plain.length < 60 ? [symbolOf(plain, false)] : [];
  return nameMatchers(
    context.isReport === true ? { ...name, head: name.head || 'library' } : name,
    verb,
    isCode,
    hasPurpose(context),
  );
}

/** "X in the dependency tree" is a package, not the program of that name. */
const isDependency = ({ sentence }: ItemContext): boolean =>
  /\b(?:in|into|from|to|among) (?:the|our|any) dependenc(?:y|ies)(?: tree| list| graph)?\b|\bas a(?: \w+)? dep(?:endency)?\b/i.test(
    sentence,
  );

/** "always timestamptz and never plain timestamp": a word of the same family as a better one is a name in code. */
function plainRival(lower: string, { text }: ItemContext): Matcher | undefined {
  const better = /\balways (?:use )?([\w-]+)/i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (!/^[a-z_]{4,}$/.test(lower) || better === lower || !better.startsWith(lower)) return undefined;
  const isSql = /\b(?:sql|postgres\w*|mysql|sqlite|database|schema|migrations?)\b/i.test(text);
  return {
    on: 'text',
    pattern: `(?<![\\w$])(?:${escapePattern(lower)}|${escapePattern(lower.toUpperCase())})(?![\\w$])(?!\\s+(?:with|WITH)\\b)`,
    ...(isSql ? { inside: ['*.sql', 'migrations/**', 'migrate/**'] } : {}),
  };
}

/** "useEffect for data fetching": only its use counts, not its import. */
const hasPurpose = ({ sentence }: ItemContext): boolean => /\bfor \w/i.test(sentence);

const sqlVerb =
  /^(?:CREATE|ALTER|DROP|DELETE|UPDATE|INSERT|SELECT|TRUNCATE|LOCK|GRANT|VACUUM|REINDEX|CASCADE|UNION|DISTINCT|HAVING|NATURAL)\b/;

const sqlClients = ['psql', 'mysql', 'mariadb', 'sqlite3', 'sqlcmd', 'duckdb', 'clickhouse-client'];

/** In code and in the argument of a client. If the rule names the variable of a database, only there. */
function sqlMatchers(words: string, { text }: ItemContext): Matcher[] {
  const pattern = anyCase(words);
  const variable = /\$\w{3,}/.exec(text)?.[0];
  const client: Matcher = { on: 'command', programs: sqlClients, pattern };
  return variable === undefined ? [{ on: 'text', pattern }, client] : [{ ...client, args: [[variable]] }];
}

/** SQL is written in either case. */
const anyCase = (words: string): string =>
  `\\b${words
    .split(/\s+/)
    .map((word) => `(?:${escapePattern(word)}|${escapePattern(word.toLowerCase())})`)
    .join('\\s+')}\\b`;

export const imageMatchers = (name: string): Matcher[] => [
  { on: 'text', pattern: `^\\s*(?:FROM|image:)\\s+\\S*${escapePattern(name)}`, inAllFiles: true },
  {
    on: 'command',
    programs: ['docker', 'podman'],
    words: [['pull', 'run', 'build']],
    pattern: escapePattern(name),
  },
];

const nameStyles: [RegExp, string][] = [
  [/^camel-? ?case\b/, '^[a-z0-9]+[A-Z]'],
  [/^pascal-? ?case\b/, '^[A-Z][a-z0-9]'],
  [/^snake[-_ ]?case\b|^underscores?\b/, '^[a-zA-Z0-9]+_'],
  [/^kebab-? ?case\b|^(?:dashes|hyphens)\b/, '^[a-zA-Z0-9]+-'],
  [/^(?:spaces|blanks)\b/, ' '],
];

/** "kebab-case file names, never camelCase" */
function fileNaming(lower: string, { text }: ItemContext): PathMatcher | undefined {
  const name = nameStyles.find(([style]) => style.test(lower))?.[1];
  return name === undefined || !/\bfile ?names?\b|\bfiles?\b|\bcomponents? names?\b/i.test(text)
    ? undefined
    : { on: 'path', globs: ['**'], change: 'new', name };
}

/** "new markdown files" */
const newFiles = (lower: string): string[] | undefined =>
  /\bfiles?$|\breadmes?$/.test(lower) ? fileKind(lower) : undefined;

function fileMatchers(
  item: string,
  verb: string,
  { spans, isExisting, isNew, sentence }: ItemContext,
): PathMatcher[] {
  const change =
    verb === 'create' || verb === 'add' || (isNew && verb === 'edit')
      ? 'new'
      : verb === 'edit'
        ? isExisting
          ? 'existing'
          : 'any'
        : (verb as 'delete' | 'commit' | 'read');
  const into =
    /^(.*?)\s*(?<![\w-])(?:in|into|under|inside|to|at|next to|within)\s+(?:the |our )?([^\s].*)$/i.exec(item);
  if (into !== null && (verb === 'create' || verb === 'add' || verb === 'edit')) {
    const place = filesOf(into[2] ?? '', spans);
    const kind = filesOf(into[1] ?? '', spans);
    if (place !== undefined)
      return [
        {
          on: 'path',
          globs: place,
          change,
          ...(kind === undefined || kind === place ? {} : { inside: kind }),
        },
      ];
  }
  const globs = filesOf(item, spans);
  if (globs === undefined) return [];
  const allowed = /\bput (?:it|them|that|those) in (\S+)|\b(?:only|use|edit|change) (\S+\.example)\b/i.exec(
    sentence,
  );
  const outside =
    allowed === null ? undefined : filesOf((allowed[1] ?? allowed[2] ?? '').replace(/[,.;]+$/, ''), spans);
  return [{ on: 'path', globs, change, ...(outside === undefined ? {} : { outside }) }];
}

/** What must not stand in a commit message. */
export function messageMatchers(item: string, { spans }: Context): Matcher[] {
  const words = expand(item.replace(quantifiers, ''), spans).replace(
    /\s+(?:lines?|trailers?|tags?|mentions?|footers?)$/i,
    '',
  );
  const pattern =
    codeConstruct(words.toLowerCase())?.pattern ??
    (words.length > 1 && words.length < 40 ? `(?<![\\w.])${escapePattern(words)}(?!\\w)` : undefined);
  if (pattern === undefined) return [];
  return [
    { on: 'command', programs: ['git'], words: [['commit', 'tag', 'merge']], pattern },
    { on: 'command', programs: ['gh', 'glab'], words: [['pr', 'mr']], pattern },
  ];
}

/** Names in code, options and addresses within longer words. */
export const concreteNames = (words: string, spans: Map<string, string>): string[] =>
  (/\b(?:goes|go|use|uses|should|must|we|you|instead)\b/i.test(words) ? '' : words)
    .split(/\s+/)
    .map((word) => word.replace(/^[("']+|[)"'.,;:!?]+$/g, ''))
    .filter(
      (word) =>
        spanMark.test(word) ||
        /^--?[a-z]/i.test(word) ||
        /^https?:\/\//.test(word) ||
        (codeLike.test(expand(word, spans)) && !isPathLike(word)),
    )
    .slice(0, 3);

/** "CREATE INDEX without CONCURRENTLY", "git pull without --rebase". */
export function unlessHas(matcher: Matcher, word: string): Matcher {
  if (word === '') return matcher;
  if (matcher.on === 'command') return { ...matcher, unlessFlags: [word] };
  return matcher.on === 'text'
    ? {
        ...matcher,
        pattern: `(?:${matcher.pattern})(?![^\\n;]*\\b(?:${escapePattern(word)}|${escapePattern(word.toLowerCase())})\\b)`,
      }
    : matcher;
}
