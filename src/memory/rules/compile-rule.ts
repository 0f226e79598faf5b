import { codeConstruct } from './code-constructs.ts';
import { type Context, expand, spanMark, withSpans } from './code-spans.ts';
import { commandExamples } from './command-examples.ts';
import { isProgram } from './command-phrases.ts';
import { compileItem, concreteNames, fileVerbs, messageMatchers, unlessHas } from './compile-item.ts';
import { compileReport, firstOf } from './failure-report.ts';
import { inEnglish } from './foreign-prohibitions.ts';
import { aliases, codeLike } from './named-code.ts';
import { englishPrograms, phraseOf } from './named-commands.ts';
import { filesOf, isPathLike } from './named-files.ts';
import { exclusive, importBans, placements } from './place-rules.ts';
import { failedAttempts, type Prohibition, prohibitionsIn } from './prohibitions.ts';
import { removeScope, scoped, scopeOf } from './rule-scope.ts';
import type { Matcher } from './rule-table.ts';

/**
 * Derives matchers from the words of a rule: what it rules out, as commands, packages, paths and code. Returns none if
 * the rule rules nothing out or names nothing concrete; a rule that cannot be compared is left to the prelude. It is
 * better to miss a call than to interrupt one that is in order.
 */
export function compileRule(text: string, isFailure = false): Matcher[] {
  // Each prohibition is compared with the whole text, and a page of text is no rule.
  if (text.length > maxTextLength) return [];
  const { plain, spans } = withSpans(inEnglish(text));
  const context = { spans, text: plain };
  const reported = isFailure
    ? firstOf(failedAttempts(plain), (attempt) => compileProhibition(attempt, context))
    : [];
  const matchers = [
    ...reported,
    ...prohibitionsIn(plain).flatMap((prohibition) => compileProhibition(prohibition, context)),
    ...placements(plain, spans),
    ...importBans(plain, spans),
    ...exclusive(plain, spans),
  ];
  const place = matchers.find(
    (matcher) => matcher.on === 'path' && matcher.change === 'new' && matcher.outside !== undefined,
  );
  const placed = matchers.map((matcher) =>
    // What must not be put elsewhere may be put where it belongs.
    matcher.on === 'path' && matcher.change === 'new' && matcher.outside === undefined && place?.on === 'path'
      ? { ...matcher, outside: place.outside ?? [] }
      : matcher,
  );
  const unique = new Map(placed.map((matcher) => [JSON.stringify(matcher), matcher]));
  return [...unique.values()].slice(0, maxMatchers);
}

const maxTextLength = 800;
const maxMatchers = 24;

const pronoun =
  /^(?:it|them|this|that|those|these|there|here|in (?:there|it|here)|(?:any|some|every)thing(?: (?:in )?there| in it)?|any of (?:it|them|those|these)|changes?(?: there| to (?:it|them))?|)$/i;

function compileProhibition(prohibition: Prohibition, context: Context): Matcher[] {
  const { spans } = context;
  const { verb, before, sentence, isReplaced, isReport } = prohibition;
  const after =
    prohibition.isState === true ? prohibition.after.replace(/^\s*until\b[^,;]*/i, '') : prohibition.after;
  if (isReport === true) return compileReport(prohibition, context);
  const missing = /^\s*without (?:the |an? )?(\S+)/i.exec(after)?.[1] ?? '';
  const omitted = /^--?\w|^[A-Z]{3,}$/.test(expand(missing, spans)) ? expand(missing, spans) : '';
  if (isReplaced !== true && omitted === '' && isUnchecked(after)) return [];
  const isReferring = pronoun.test(prohibition.object);
  const named = isReferring ? antecedent(before, spans) : prohibition.object;
  if (named === '') return isReferring && verb !== 'edit' ? phraseOf(verb, '') : [];
  const clause = ownClause(after).replace(/\b(?:by hand|manually|yourself)(?: or (?:from|in|by) \w+)?/i, '');
  const scope = scopeOf(`${named} ${clause}`, prohibition, context);
  if (scope === undefined) return [];
  const isExisting = /\b(?:existing|already|merged|applied|old)\b/i.test(`${prohibition.object} ${after}`);
  const isNew = /\bnew\b/i.test(prohibition.object);
  const object = removeScope(named)
    .replace(/\((?!\))[^()]*\)?/g, ' ')
    .trim();
  const parenthesis = fileVerbs.has(verb)
    ? (/\(([^()]+)\)/.exec(`${named} ${ownClause(after)}`)?.[1] ?? '')
    : '';
  // A path in parentheses says which files are meant.
  const [kind = '', examples] = object.split(/\s+(?:like|such as|including|for example)\s+/i);
  const hasKind = examples !== undefined && filesOf(kind, spans) !== undefined;
  const items = isPathLike(expand(parenthesis, spans))
    ? [parenthesis]
    : itemsOf(hasKind ? kind : object, fileVerbs.has(verb)).map(removeScope);
  if (scope.isMessage === true) return items.flatMap((item) => messageMatchers(item, context));
  const topic = topicProgram(context);
  let program = topic;
  const given = commandExamples(`${named} ${after}`, sentence, spans).map((matcher) =>
    scoped(matcher, scope),
  );
  if (given.length > 0 && (verb === 'delete' || !fileVerbs.has(verb))) return given;
  const compiled = items.flatMap((item, at) => {
    const isListed = topic !== undefined || at > 0;
    const inItem = { ...context, program, isListed, isExisting, isNew, before, sentence };
    const found = compileItem(item, verb, inItem);
    const matchers =
      found.length > 0 || verb === 'edit'
        ? found
        : concreteNames(item, spans).flatMap((name) => compileItem(name, verb, inItem));
    const [first] = matchers;
    if (first?.on === 'command' && program === undefined && isProgram(first.programs[0] ?? ''))
      [program] = first.programs;
    return matchers.map((matcher) => scoped(unlessHas(matcher, omitted), scope));
  });
  return compiled.length > 0 ? compiled : given;
}

/** A condition that a hook cannot check. "Unless I ask" still rules it out. */
const isUnchecked = (after: string): boolean =>
  (/^\s*(?:when|whenever|if|while|until|after(?! (?:every|each|you))|before)\b/i.test(after) &&
    // "skip hooks when you commit": the action itself says when.
    !/^\s*(?:when|whenever|if|while) you (?:commit|push|merge|rebase)\b/i.test(after) &&
    !/\b(?:i|me|asked?|told|tell|say)\b/i.test(after)) ||
  (/^\s*without\b/i.test(after) &&
    !/\b(?:ask|asking|permission|approval|confirm\w*|my|me|telling|checking with)\b/i.test(after));

/** The words up to the next clause. */
const ownClause = (after: string): string => /^[^,;:]*/.exec(after.replace(/^[,:;]\s*/, ', '))?.[0] ?? '';

const itemsOf = (object: string, areFiles: boolean): string[] =>
  object
    .split(/\s*,\s*(?:(?:or|and|nor)\s+)?|\s+(?:or|and|nor)\s+|(?<=^|\s)(?=\b(?:no|not) )|\s+\/\s+/i)
    .flatMap((part) =>
      !areFiles &&
      /^[a-z]+(?:\/[a-z]+)+$/i.test(part) &&
      part
        .split('/')
        .every(
          (word) =>
            isProgram(word.toLowerCase()) ||
            !/^(?:src|lib|app|apps|test|tests|docs|db|pkg|cmd|internal|packages|next|lodash|date-fns|node|rxjs|firebase|react|vue)$/.test(
              word,
            ),
        )
        ? part.split('/')
        : [part],
    )
    .map((part) =>
      part
        .trim()
        .replace(/^(?:no|not|never)\s+/i, '')
        .replace(/[.!?:]+$/, ''),
    )
    .filter((part) => part !== '')
    .slice(0, 12);

/** "kubectl: read-only for you" is about kubectl. */
function topicProgram({ text, spans }: Context): string | undefined {
  const topic = /^\s*(?:for |about |re )?([^\s:,]{2,30}):/i.exec(text)?.[1] ?? '';
  const name = expand(topic, spans).toLowerCase();
  return isProgram(name) ? name : undefined;
}

const isCodeName = (word: string): boolean => codeLike.test(word) && /^[\w$.:()]+$/.test(word);

/** "nested ternaries are unreadable, don't write them": what the sentence is about, if it has a name in code. */
function subjectOf(before: string): string {
  const [subject = ''] =
    /^[^,;:.!?]+?(?= (?:is|are|was|were|has|have|had|makes?|breaks?|causes?)\b)/i.exec(before) ?? [];
  return codeConstruct(subject.toLowerCase()) === undefined ? '' : subject;
}

/** What "it" or "there" refers to: the last path or name in code before it. */
function antecedent(before: string, spans: Map<string, string>): string {
  const words = before
    .replace(/\b(?:except|apart from|other than|besides)(?: for)? \S+/gi, '')
    .split(/\s+/)
    .map((word) => word.replace(/[,:;!?)]+$|^[(]+/g, ''));
  const path = words.findLast((word) => isPathLike(expand(word, spans).replace(/\.$/, '')));
  const name = (word: string): boolean => {
    const lower = word.replace(/\.$/, '').toLowerCase();
    return (isProgram(lower) && !englishPrograms.has(lower)) || lower in aliases;
  };
  const last =
    path ??
    words.findLast((word) => spanMark.test(word)) ??
    words.findLast(isCodeName) ??
    words.findLast(name);
  return (last ?? subjectOf(before)).replace(/\.$/, '');
}
