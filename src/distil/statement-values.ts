import { escapePattern } from '../text/escape-pattern.ts';
import type { QuoteEvidence } from './evidence.ts';
import { contentTerms } from './polarity.ts';
import { typedSentences } from './sentences.ts';

/**
 * The parts of a statement that must not be invented: numbers with their units, URLs, commands, flags, package names,
 * paths and symbols. Returns the first that the user neither typed nor accepted. Earlier sessions may vouch for names,
 * and for other values in a sentence about the same matter. The checkout may vouch for single names.
 */
export function inventedValue(
  statement: string,
  { all, earlier, isKnownName }: Pick<QuoteEvidence, 'all' | 'earlier' | 'isKnownName'>,
): string | undefined {
  const matter = new Set(contentTerms(statement).filter((term) => !/^\d/.test(term)));
  const related = earlier
    .flatMap(typedSentences)
    .filter((sentence) => contentTerms(sentence).some((term) => matter.has(term)));
  const typed = unquoted([all, ...related].join('\n'));
  const everywhere = unquoted([all, ...earlier].join('\n'));
  const isTyped = (value: string): boolean => occurs(value, typed);
  const isVouched = (name: string): boolean => occurs(name, everywhere) || isKnownName(name);

  const urls = statement.match(url) ?? [];
  const withoutUrls = statement.replace(url, ' , ');
  const { spans, prose } = codeSpans(withoutUrls);
  return (
    urls.map((found) => found.replace(/[.,;:!?)\]'"]+$/, '')).find((found) => !isTyped(found)) ??
    spans.find((code) => !(/\s/.test(code) ? isTyped(code) : isVouched(code))) ??
    commandsIn(withoutUrls.replace(/`/g, ' ')).find((command) => !isTyped(command)) ??
    inventedNumber(prose, typed) ??
    namesOf(prose).find((name) => !isVouched(name) && !isPlainCompound(name, everywhere))
  );
}

/** The names in a statement for which a checkout may vouch. */
export function namesIn(statement: string): string[] {
  const { spans, prose } = codeSpans(statement.replace(url, ' , '));
  return [...new Set([...spans.filter((code) => !/\s/.test(code)), ...namesOf(prose)])];
}

const codeSpans = (text: string): { spans: string[]; prose: string } => ({
  spans: [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => (code ?? '').trim()),
  prose: text.replace(/`[^`]+`/g, ' , '),
});

const unquoted = (text: string): string => plain(text).replace(/`/g, '');

const plain = (text: string): string =>
  text.replace(/[‘’ʼ]/g, "'").replace(/[“”„]/g, '"').replace(/\s+/g, ' ').toLowerCase();

/** Whether a value occurs as a whole: "lodash" does not occur in "lodash-es", nor "a.io" in "a.io.example". */
function occurs(value: string, typed: string): boolean {
  const wanted = plain(value).replace(/^\.\//, '').trim();
  const pattern = escapePattern(wanted);
  return new RegExp(
    `(?<![\\p{L}\\p{N}_@/.-])(?:\\./)?${pattern}(?![\\p{L}\\p{N}_@/-]|\\.[\\p{L}\\p{N}])`,
    'u',
  ).test(typed);
}

const url = /(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+/gi;

const flag = /(?<=^|\s)--?[a-z][\w-]*/gi;
const program =
  /(?<![\p{L}\p{N}_./-])(?:npm|npx|pnpm|yarn|bun|bunx|deno|pip3?|pipx|uvx?|poetry|cargo|docker|podman|kubectl|helm|terraform|curl|wget|sudo|ssh|scp|rm|chmod|chown|bash|zsh|sh|psql|mysql|redis-cli|apt-get|apt|brew)(?:\s+(?:run|test|ci|exec|dlx|publish|build|compose|apply|delete)(?![\p{L}\p{N}_-])|\s+(?:install|i|add|get|remove|uninstall)\s+\S*[\p{L}\p{N}])?(?![\p{L}\p{N}_])/giu;

const commandsIn = (text: string): string[] => [...(text.match(flag) ?? []), ...(text.match(program) ?? [])];

/** A number with its unit, if it has one: "25 seconds" has the number "25" and the unit "s". */
export interface Amount {
  text: string;
  number: string;
  unit: string | undefined;
}

const units = new Map(
  [
    '% percent pct',
    'b byte bytes',
    'kb kib kilobyte kilobytes',
    'mb mib megabyte megabytes meg megs',
    'gb gib gigabyte gigabytes gig gigs',
    'tb tib terabyte terabytes',
    'ms millisecond milliseconds millis msec',
    's sec secs second seconds',
    'min mins minute minutes',
    'h hr hrs hour hours',
    'd day days',
    'week weeks',
    'month months',
    'year years',
    'px pixel pixels',
    'rem',
    'em',
    'mhz',
    'ghz',
    'fps',
    'rps qps',
    'usd dollar dollars',
    'eur euro euros',
  ].flatMap((line) => line.split(' ').map((unit, _, all) => [unit, all[0] ?? unit] as const)),
);
const numberWords = new Map(
  'two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, at) => [word, String(at + 2)]),
);
const amount = new RegExp(
  `(?<![\\p{L}\\p{N}_.])(\\d+(?:[.,:_]\\d+)*|${[...numberWords.keys()].join('|')})(?:(\\s?)(%|\\p{L}+))?(?![\\p{N}_])`,
  'giu',
);

export function amountsIn(text: string): Amount[] {
  return [...text.matchAll(amount)].map(([all, digits = '', gap, word]) => {
    const unit = units.get((word ?? '').toLowerCase());
    const number =
      numberWords.get(digits.toLowerCase()) ??
      digits
        .replace(/(?<=\d)[,_](?=\d{3}(?!\d))/g, '')
        // A time of day may be typed without a colon.
        .replace(
          /^(\d{1,2}):(\d\d)$/,
          (_, hour: string, minute: string) => `${hour.padStart(2, '0')}${minute}`,
        );
    // Letters that follow without a space are part of the number: "3x", "10k".
    const isJoined = word !== undefined && gap === '' && unit === undefined;
    const shown = unit === undefined && !isJoined ? digits : all.trim();
    return { text: shown, number: isJoined ? `${number}${word}`.toLowerCase() : number, unit };
  });
}

/** A number may be typed without its unit if the user typed the unit elsewhere: "limit of 10 MB", then "make it 25". */
function inventedNumber(statement: string, typed: string): string | undefined {
  const known = amountsIn(typed);
  const knownUnits = new Set(known.map(({ unit }) => unit));
  const isKnown = ({ number, unit }: Amount): boolean =>
    known.some(
      (one) =>
        one.number === number &&
        (unit === undefined ||
          one.unit === unit ||
          (one.unit === undefined && (knownUnits.has(unit) || isUnitTyped(unit, typed)))),
    );
  return amountsIn(statement).find((one) => !isKnown(one))?.text;
}

/**
 * Returns an amount of the statement if the user's sentence has amounts with this unit, but none of the statement's:
 * "the limit is 10 MB" does not rest on "make it 25 MB".
 */
export function conflictingAmount(statement: string, said: string): string | undefined {
  const [stated, typed] = [amountsIn(statement), amountsIn(unquoted(said))].map((all) =>
    all.filter(({ unit }) => unit !== undefined),
  ) as [Amount[], Amount[]];
  return stated.find(
    ({ unit }) =>
      typed.some((one) => one.unit === unit) &&
      !stated.some((one) => typed.some(({ number }) => number === one.number)),
  )?.text;
}

const isUnitTyped = (unit: string, typed: string): boolean =>
  [...units].some(([name, canonical]) => canonical === unit && name.length > 1 && occurs(name, typed));

const token = /[@\p{L}\p{N}_$.][\p{L}\p{N}_$@/.\\-]*[\p{L}\p{N}_$]/gu;
const codeLike = /[/_@\\$]|\p{L}\.[\p{L}\p{N}]|\p{N}\.\p{L}|\p{Ll}\p{Lu}|\p{L}\p{N}|^\.|\p{L}-[\p{L}\p{N}]/u;
const commonAcronyms = new Set(
  'API APIS CI CD CLI CPU CSS CSV DB DNS DOM ENV HTML HTTP HTTPS ID IDS IDE IO IP JS JSON JWT LLM MCP OK ORM OS PDF PR PRS RAM REST SDK SQL SSH TDD TLS TODO TS UI URL URLS UTC UTF UX UUID XML YAML'.split(
    ' ',
  ),
);
const commonPairs = /^(?:and\/or|either\/or|read\/write|yes\/no|true\/false|i\/o|on\/off|e\.g|i\.e)$/i;

const germanWord =
  /(?<!\p{L})(?:der|die|das|den|dem|und|für|nicht|ist|sind|wird|werden|ein|eine|einen|mit|auf|von|wie|weil|kein|keine|bei|zur|zum|im|nur)(?!\p{L})/gu;

/** Identifiers, paths, packages, and proper names such as "Redis" that do not begin a sentence. */
function namesOf(prose: string): string[] {
  // In German every noun has a capital letter.
  const isGerman = new Set(prose.toLowerCase().match(germanWord)).size >= 2;
  return [...prose.matchAll(token)].flatMap((match) => {
    const [name] = match;
    if (/^\$?\d/.test(name) || commonPairs.test(name) || units.has(name.toLowerCase())) return [];
    if (codeLike.test(name)) return [name];
    const isFirst = /(?:^|[.!?:;(\n"'`–—-]\s*)$/u.test(prose.slice(0, match.index));
    if (/^\p{Lu}{2,}s?$/u.test(name)) return commonAcronyms.has(name.toUpperCase()) ? [] : [name];
    return /^\p{Lu}/u.test(name) && !isFirst && !isGerman ? [name] : [];
  });
}

/** A name whose words the user typed in another form: "opt-in" for "opt in", "Retries" for "retry". */
function isPlainCompound(name: string, typed: string): boolean {
  if (!/^\p{L}+(?:[-/]\p{L}+)*$/u.test(name) || /\p{Ll}\p{Lu}/u.test(name)) return false;
  if (englishCompound.test(name)) return true;
  const known = new Set(contentTerms(typed));
  const terms = contentTerms(name.toLowerCase().replace(/[-/]/g, ' '));
  return terms.every((term) => known.has(term));
}

const englishCompound =
  /^(?:non|per|pre|post|self|multi|single|long|short|high|low|well|opt|built|case|all|top|one|two|three|full|hard|cross|up|follow|end|third|back|run)-\p{Ll}+$|^\p{Ll}+-(?:only|based|in|out|by|level|side|wide|free|specific|time|aware|safe|first|like|driven|facing|line|term|to|of|up|off|on|case|sensitive|running|related|and|the)$/u;
