import { largest } from '../base/largest.ts';
import type { Chunk } from '../domain/chunk.ts';
import { type Amount, amountsIn } from '../text/literals.ts';
import { splitIdentifier, stemOfWord, termsOf } from '../text/words.ts';

/** Longer lines are data or minified code. */
const maxLineLength = 300;

/**
 * Returns the number that the code has in place of an amount of a note: `HEARTBEAT_MS = 20_000` where the note says "a
 * heartbeat every 25 seconds". A line counts if it has a name that consists of words of the note, and of these lines
 * only the ones with most such words. If one of them has the amount, in whatever unit, the note agrees with the code.
 */
export function otherAmountInCode(
  { text, topic = '' }: Pick<Chunk, 'text' | 'topic'>,
  lines: string[],
): string | undefined {
  const amounts = amountsIn(text)
    .map(valuesOf)
    .filter((values) => values !== undefined);
  const [wanted, ...others] = amounts;
  // With two amounts it is not clear which of them the line is about: "10 MB, was 5 MB".
  if (wanted === undefined || others.length > 0) return undefined;
  const matter = new Set(termsOf(`${topic}\n${text}`).words);
  const named = lines
    .filter((line) => line.length <= maxLineLength && /\d/.test(line))
    .map(codeOf)
    .map((line) => ({ numbers: numbersIn(line), shared: sharedTerms(line, matter) }))
    .filter(({ numbers, shared }) => numbers.length > 0 && shared > 0);
  const most = largest(named.map(({ shared }) => shared));
  const best = named.filter(({ shared }) => shared === most).map(({ numbers }) => numbers);
  if (best.flat().some(({ value }) => wanted.some((one) => isEqual(one, value)))) return undefined;
  // Neither several lines nor `retry(url, 3, 500)` say which of their numbers is meant.
  return best.length === 1 && best[0]?.length === 1 ? best[0][0]?.text : undefined;
}

const isEqual = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), 1);

const seconds = { ms: 0.001, s: 1, min: 60, h: 3_600, d: 86_400 } as const;
const bytePowers = { b: 0, kb: 1, mb: 2, gb: 3, tb: 4 } as const;

/** The numbers with which code may express an amount: 25 seconds are 25, 25,000 milliseconds or 25/60 minutes. */
function valuesOf({ number, unit }: Amount): number[] | undefined {
  const value = Number(number);
  if (unit === undefined || !Number.isFinite(value)) return undefined;
  if (unit in seconds) {
    const own = value * seconds[unit as keyof typeof seconds];
    return Object.values(seconds).map((size) => own / size);
  }
  if (unit in bytePowers) {
    const power = bytePowers[unit as keyof typeof bytePowers];
    return Object.values(bytePowers).flatMap((other) => [
      value * 1000 ** (power - other),
      value * 1024 ** (power - other),
    ]);
  }
  return unit === '%' ? [value, value / 100] : undefined;
}

/** The line without comments at its end, which may still tell the past. */
const codeOf = (line: string): string => line.replace(/(?:^|\s)(?:\/\/|#|--).*$/, '');

interface CodeNumber {
  text: string;
  value: number;
}

/** Numbers and products of numbers: `25 * 1000` is one number. */
const numbersIn = (line: string): CodeNumber[] =>
  [
    ...line.matchAll(/(?<![\p{L}\p{N}_.])\d[\d_]*(?:\.\d+)?(?:\s*\*\s*\d[\d_]*(?:\.\d+)?)*(?![\p{N}_.])/gu),
  ].map(([text]) => ({
    text: text.trim(),
    value: text.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1),
  }));

/** Words that a name may have besides those of the note: units, and what kind of number it is. */
const generalWords = new Set(
  'ms millis milliseconds s sec secs seconds min mins minutes h hours days b bytes kb mb gb percent max maximum minimum default value size limit count interval timeout delay period duration every number total get set from'
    .split(' ')
    .flatMap((word) => [word, stemOfWord(word)]),
);

/** How many words of the note are in a name of the line that has no other word, apart from general ones. */
function sharedTerms(line: string, matter: Set<string>): number {
  const shared = new Set<string>();
  for (const name of line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []) {
    const terms = splitIdentifier(name).map(stemOfWord);
    const own = terms.filter((term) => term !== '' && !generalWords.has(term));
    if (own.length > 0 && own.every((term) => matter.has(term)))
      for (const term of terms) if (matter.has(term)) shared.add(term);
  }
  return shared.size;
}
