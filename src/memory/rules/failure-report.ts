import { escapePattern } from '../../text/escape-pattern.ts';
import { type Context, expand } from './code-spans.ts';
import { commandExamples } from './command-examples.ts';
import { isProgram } from './command-phrases.ts';
import { compileItem, concreteNames, imageMatchers, unlessHas } from './compile-item.ts';
import { testFiles } from './file-kinds.ts';
import { codeLike } from './named-code.ts';
import { englishPrograms } from './named-commands.ts';
import { globsOf, isPathLike } from './named-files.ts';
import type { Prohibition } from './prohibitions.ts';
import { scoped } from './rule-scope.ts';
import type { Matcher } from './rule-table.ts';

/** The first result that is not empty. */
export function firstOf<T, R>(values: T[], map: (value: T) => R[]): R[] {
  for (const value of values) {
    const found = map(value);
    if (found.length > 0) return found;
  }
  return [];
}

/** What follows a name in a report. */
const afterName =
  /\s+(?:in|on|for|to|with|around|as|at|from|into|inside|and|because|which|when|once|during|instead|last|again|by)\s|\s+(?=without )|[,(:]/i;

const englishCompound =
  /^(?:long|short|built|end|pre|re|non|multi|cross|in|on|off|set|follow|one|two|server|client|full|hard|soft|real|self|well|high|low|read|write|event|feature|worker)-/;

/** The first thing in a report of a failure that has a name. Where it was tried does not matter. */
export function compileReport({ object, before, sentence }: Prohibition, context: Context): Matcher[] {
  const { spans } = context;
  const inItem = {
    ...context,
    program: undefined,
    isListed: false,
    isExisting: false,
    isNew: false,
    before,
    sentence,
    isReport: true,
  };
  const words = object.replace(/^(?:the|our|a|an|using|use of) /i, '').trim();
  const setting =
    /(?:increas|rais|bump|lower|reduc|chang|sett|tweak|adjust|enabl|disabl)\w* (?:the |our )?(\S+?)(?: value| option| setting| limit)? in (\S+)/i.exec(
      words,
    );
  const settingFile = expand(setting?.[2] ?? '', spans);
  if (setting !== null && isPathLike(settingFile)) {
    const name = escapePattern(expand(setting[1] ?? '', spans));
    return [
      { on: 'text', pattern: `(?<!\\w)${name}(?!\\w)`, inside: globsOf(settingFile), inAllFiles: true },
    ];
  }
  const scope = /\bin (?:the |our |any |unit |e2e |integration )*tests?\b/i.test(words)
    ? { inside: testFiles }
    : {};
  const image = /^(\S+)(?: \w+)? as (?:the |our |a )?base\b|^(\S+) base images?\b/i.exec(
    words.replace(/^(?:already )?(?:tried|we tried|i tried) /i, ''),
  );
  if (image !== null) return imageMatchers(expand(image[1] ?? image[2] ?? '', spans).toLowerCase());
  const options = commandExamples(words, sentence, spans);
  if (options.length > 0) return options;
  const both =
    /^(\S+) with (\S+)/i
      .exec(words)
      ?.slice(1)
      .map((word) => expand(word, spans)) ?? [];
  if (both.length === 2 && both.every((word) => codeLike.test(word) && !isPathLike(word)))
    return [{ on: 'text', pattern: both.map(escapePattern).join('[^\\n]*') }];
  const [short = ''] = words.split(afterName);
  const missing = /^\s*without (\S+)/i.exec(words.slice(short.length))?.[1] ?? '';
  const each = words.split(/\s+/).map((word) => word.replace(/[.,;:!?()]+$/, ''));
  const means = /^\w+ing\b/i.test(words)
    ? (/\b(?:with|using|via|through) (\S+)/i.exec(words)?.[1] ?? '')
    : '';
  const names = [
    ...concreteNames(words, spans),
    ...each.filter((word) => /^[a-z]\w*-\w[\w-]*$/.test(word) && !englishCompound.test(word)),
    ...(means === '' ? [] : [means]),
    ...(short.trim().split(/\s+/).length <= 3 ? [short.trim()] : []),
    ...each.filter((word) => isProgram(word.toLowerCase()) && !englishPrograms.has(word.toLowerCase())),
  ];
  return firstOf(names, (name) => compileItem(name, 'use', inItem)).map((matcher) =>
    scoped(unlessHas(matcher, /^--?\w|^[A-Z]{3,}$/.test(missing) ? missing : ''), scope),
  );
}
