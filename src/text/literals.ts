import { escapePattern } from './escape-pattern.ts';

/**
 * Literals are the parts of a sentence that must not be invented, because a program would take them at their word:
 * numbers with their units, URLs, code, flags, paths, packages and identifiers. They are recognised by their form; what
 * a plain word names is a question of meaning.
 */

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

/** Numbers with their units: "25 seconds" has the number "25" and the unit "s". */
function amountsIn(text: string) {
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

/** The text without its amounts: "the timeout is 30 seconds" and "the timeout is 2 minutes" are the same then. */
export const withoutAmounts = (text: string): string =>
  text.replace(amount, (_all, _digits, _gap, word = '') =>
    word === '' || units.has(word.toLowerCase()) ? '#' : `# ${word}`,
  );

/**
 * The first literal of a wording that its evidence does not have. A number may stand in the evidence without its unit if
 * the unit stands elsewhere: "limit of 10 MB", then "make it 25".
 */
export function inventedLiteral(wording: string, evidence: string): string | undefined {
  const known = plain(evidence).replace(/`/g, '');
  const urls = (wording.match(url) ?? []).map((found) => found.replace(/[.,;:!?)\]'"]+$/, ''));
  const withoutUrls = wording.replace(url, ' , ');
  const spans = [...withoutUrls.matchAll(/`([^`]+)`/g)].map(([, code]) => (code ?? '').trim());
  const prose = withoutUrls.replace(/`[^`]+`/g, ' , ');
  const names = (prose.match(token) ?? []).filter(
    (name) => codeLike.test(name) && !/^[\d.,:]+\p{L}*$/u.test(name),
  );
  return (
    [...urls, ...spans, ...(prose.match(flag) ?? []), ...names].find((one) => !occurs(one, known)) ??
    inventedAmount(prose, known)
  );
}

const plain = (text: string): string =>
  text.replace(/[‘’ʼ]/g, "'").replace(/[“”„]/g, '"').replace(/\s+/g, ' ').toLowerCase();

/** Whether a value occurs as a whole: "lodash" does not occur in "lodash-es", nor "a.io" in "a.io.example". */
function occurs(value: string, text: string): boolean {
  const wanted = plain(value).replace(/^\.\//, '').trim();
  // People type "opt in" for "opt-in", and the other way round.
  const pattern = escapePattern(wanted).replace(/(?<=\p{L})-(?=\p{L})/gu, '[- ]?');
  return new RegExp(
    `(?<![\\p{L}\\p{N}_@/.~-])(?:\\./)?${pattern}(?![\\p{L}\\p{N}_@/-]|\\.[\\p{L}\\p{N}])`,
    'u',
  ).test(text);
}

const url = /(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+/gi;
const flag = /(?<=^|\s)--?[a-z][\w-]*/gi;
const token = /(?:~?\/)?[@\p{L}\p{N}_$.][\p{L}\p{N}_$@/.\\-]*[\p{L}\p{N}_$]/gu;
const codeLike =
  /[/_@\\$]|\p{L}\.[\p{L}\p{N}]|\p{N}\.\p{L}|\p{Ll}\p{Lu}|\p{L}\p{N}|^\.|\p{Ll}-[\p{Ll}\p{N}]/u;

function inventedAmount(prose: string, known: string): string | undefined {
  const given = amountsIn(known);
  const givenUnits = new Set(given.map(({ unit }) => unit));
  const isUnitNamed = (unit: string): boolean =>
    givenUnits.has(unit) ||
    [...units].some(([name, canonical]) => canonical === unit && name.length > 1 && occurs(name, known));
  return amountsIn(prose).find(
    ({ number, unit }) =>
      !given.some(
        (one) =>
          one.number === number &&
          (unit === undefined || one.unit === unit || (one.unit === undefined && isUnitNamed(unit))),
      ),
  )?.text;
}
