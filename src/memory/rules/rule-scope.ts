import { type Context, expand } from './code-spans.ts';
import { fileKind, languageFiles, testFiles } from './file-kinds.ts';
import { globsOf, isPathLike } from './named-files.ts';
import type { Prohibition } from './prohibitions.ts';
import type { Matcher } from './rule-table.ts';

const inTests =
  /^(?:in|for|inside|within) (?:the |our |any |unit |e2e |integration )*(?:tests?|specs?|test (?:files?|code|suites?)|spec files?)\b/i;

const production =
  /^(?:in|for) (?:the |our |any )*(?:production|prod|app|application|non-test|library|src|source) code\b/i;

const ignorable =
  /^(?:in|for|inside|within|on|from|across|throughout) (?:(?:this|our|the|my|any|all|new|your|general|future|each|every|whole|entire|here|of|committed|final|merged|shipped|real|actual|checked-in|client|server|business|shared|such)\s*)*(?:frontend|front-end|backend|back-end|client|server|ui|web|mobile|repos?|repository|projects?|code ?bases?|code|monorepo|package|apps?|general|place|file|files|case|prs?|future|anything|everything|reason|now|work|source|machine|box|computer|laptop|cluster|you|production|changes?|stuff|branch|sessions?|environment|components?|modules?|functions?|crates?|classes|methods?|queries|query|sql|statements?|manifests?|builds?|scripts|templates|libraries|library|postgres|mysql|it|there|here|sure|java|go|rust|python|typescript|javascript)?(?![\w/.-])/i;

interface Scope {
  /** Only files in the root of the checkout. */
  isRoot?: true;
  inside?: string[];
  outside?: string[];
  /** The rule is about commit messages, not files. */
  isMessage?: true;
}

const exceptionPattern =
  /\b(?:except|outside|other than|apart from|besides|but (?:it's |it is )?(?:ok|okay|fine|allowed)|but(?= \S+\/)|unless (?:it's|it is|you're|you are))(?: for| in| inside| of| within| under| from)*\s+(?:the |our )?((?:[^,.;]|\.(?=\w))+)/gi;
/** Other words for an exception. They may be in a sentence of their own. */
const exceptions: RegExp[] = [
  /\bexceptions? (?:is|are|:)\s+(?:the |our )?((?:[^,.;]|\.(?=\w))+)/gi,
  /(?:^|[,.;–—-]\s+|\bthe )([\w./@*-]+(?: (?:module|package|folder|directory|service|crate|app))?) (?:is|are) (?:the |an |our )?(?:only )?exceptions?\b/gi,
  /\bonly (?:in |inside |within |under )?(?:the )?(\S+?),? (?:may|can|is allowed|are allowed|it's (?:ok|okay|fine|allowed)|is (?:ok|okay|fine)|that's (?:ok|okay|fine))\b/gi,
  /\b(?:in|inside|within|under) (?:the )?(\S+?),? (?:there )?(?:it's|it is|that's|is) (?:ok|okay|fine|allowed)\b/gi,
  /(?:^|[,.;]\s+)(\S+) (?:is|are) (?:ok|okay|fine)\b/gi,
];

/** The files for which a rule makes an exception. */
function exceptionsIn(text: string, spans: Map<string, string>): string[] {
  const plain = text.replace(/\bits (?=ok\b|okay\b|fine\b|allowed\b)/gi, "it's ");
  return [exceptionPattern, ...exceptions].flatMap((pattern) =>
    [...plain.matchAll(pattern)].flatMap(([, words = '']) => placeOf(words, spans) ?? []),
  );
}

const preposition = /\b(?:in|inside|within|under|below|for|from|on|across|throughout)\s+(?=\S)/gi;

/**
 * Where a rule applies. Undefined if it names a place that cannot be told by a path: then nothing is matched, because
 * elsewhere the call is in order.
 */
export function scopeOf(
  words: string,
  { sentence, before }: Prohibition,
  { spans, text }: Context,
): Scope | undefined {
  const scope: Scope = {};
  const topic = languageFiles(/^\s*(?:in )?([\w#+]+):/i.exec(text)?.[1] ?? '');
  const outside = exceptionsIn(text, spans);
  if (outside.length > 0) scope.outside = outside;
  const [exception] = sentence.matchAll(exceptionPattern);
  const rest = exception === undefined ? words : words.replace(exception[0], ' ');
  if (/\bcommit messages?\b|\bin commits?\b|\bcommit titles?\b/i.test(`${before.slice(-80)} ${rest}`))
    return { ...scope, isMessage: true };
  const leading = /^\s*(?:in|inside|within|under|for)\s+(?:the |our )?([^,]{2,50}),/i.exec(sentence);
  for (const at of [...rest.matchAll(preposition)].map(({ index }) => index)) {
    const place = rest.slice(at);
    if (production.test(place)) {
      scope.outside = [...(scope.outside ?? []), ...testFiles];
      continue;
    }
    if (/^(?:in|at|into) (?:the )?(?:repo(?:sitory)? |project )?(?:root|top level)\b/i.test(place)) {
      scope.isRoot = true;
      continue;
    }
    if (inTests.test(place)) {
      scope.inside = testFiles;
      continue;
    }
    const what = place
      .replace(/^\w+\s+(?:the |our |any |all |your )*/i, '')
      .replace(/^[^(]*\((\S+)\).*$/, (all, path: string) => (isPathLike(expand(path, spans)) ? path : all));
    const globs = placeOf(what, spans);
    if (globs !== undefined) scope.inside = [...(scope.inside ?? []), ...globs];
    else if (
      !ignorable.test(place) &&
      /^(?:in|inside|within|under|below)\b/i.test(place) &&
      !isInObject(what)
    )
      return undefined;
  }
  if (scope.inside === undefined && leading !== null && !words.includes(leading[0])) {
    const globs = placeOf(leading[1] ?? '', spans);
    if (globs !== undefined) scope.inside = globs;
  }
  // "Components must not call fetch": the rule is for them.
  const actor =
    /^\s*(?:the |our |all |any )?(\w+s) (?:must|should|may|can|do|shall)(?: not|n't| never) (?:ever )?(?:call|use|import|access|touch|contain|know)\b/i.exec(
      sentence,
    )?.[1];
  if (scope.inside === undefined && actor !== undefined) {
    const globs = placeOf(actor, spans);
    if (globs !== undefined) scope.inside = globs;
  }
  if (scope.inside === undefined && topic !== undefined) scope.inside = topic;
  return scope;
}

/** "in rust", "in css" and such are part of what is named. */
const isInObject = (words: string): boolean => languageFiles(/^[\w#+]+/.exec(words)?.[0] ?? '') !== undefined;

/** The files of a place in words: a path, a language, tests, a folder. */
function placeOf(words: string, spans: Map<string, string>): string[] | undefined {
  const text = words.trim().replace(/[\s,.;:]+$/, '');
  const [word = ''] = text.split(/\s+/);
  const first = expand(word, spans).replace(/[,;:]+$/, '');
  if (isPathLike(first)) return globsOf(first);
  if (/^(?:(?:unit|e2e|integration) )?(?:tests?|specs?|test files?)\b/i.test(text)) return testFiles;
  if (/^scripts?\b/i.test(text)) return globsOf('scripts/');
  const language = languageFiles(first);
  if (language !== undefined) return language;
  const kind = fileKind(text) ?? fileKind(text.split(/\s+/).slice(0, 2).join(' '));
  if (kind !== undefined) return kind;
  const folder =
    /^([\w.-]+) (?:folder|directory|dir|package|module|layer|service|feature|workspace|area|app|crate)s?\b/i.exec(
      text,
    )?.[1];
  if (folder !== undefined && !/^(?:this|that|each|every|whole|same|other|any|one)$/i.test(folder))
    return globsOf(`${folder.toLowerCase()}/`);
  const group =
    /^(?:react |vue |ui |server )?(components?|controllers?|models?|services?|handlers?|routes?|views?|templates?|hooks?|migrations?|domain|helpers?|utils?|libs?|resolvers?|middlewares?|pages?|stories|fixtures)\b/i.exec(
      text,
    )?.[1];
  return group === undefined
    ? undefined
    : [`${group.toLowerCase().replace(/s?$/, 's')}/**`, `${group.toLowerCase()}/**`];
}

export const removeScope = (words: string): string =>
  words
    .replace(
      /\s+(?:in|inside|within|under|below|across|throughout|for|on|against)\s+(?:the |our |any |all |your |this |my )*[^,]*$/i,
      (tail) =>
        // "files in X", "push to X" and "rust" belong to the object.
        /^\s+(?:in|inside|under|within|below)\s/i.test(tail) &&
        /(?:^|\s)(?:(?:any|every|some)thing|everything|files?|stuff|code|tests?|things?|watch)$/i.test(
          words.slice(0, words.length - tail.length),
        )
          ? tail
          : '',
    )
    .trim();

export function scoped(matcher: Matcher, { inside, outside, isRoot }: Scope): Matcher {
  if (matcher.on === 'command') return matcher;
  if (isRoot === true && matcher.on === 'path')
    return { ...matcher, globs: matcher.globs.map((glob) => `/${glob}`) };
  // A place in the rule is narrower than the files in which the thing usually occurs.
  return {
    ...matcher,
    ...(inside === undefined || matcher.on === 'path' ? {} : { inside }),
    ...(outside === undefined ? {} : { outside }),
  };
}
