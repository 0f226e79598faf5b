/** Distinguishes random strings from words, names and examples. Every test takes linear time. */

/** Whether the characters of a value vary enough (entropy) to be random; false for repeated characters. */
export const isVaried = (value: string): boolean =>
  bitsPerLetter(value) >= Math.min(2.6, Math.log2(value.length) * 0.65);

const counts = new Uint16Array(128);

function bitsPerLetter(value: string): number {
  counts.fill(0);
  for (let at = 0; at < value.length; at++) {
    const slot = value.charCodeAt(at) & 127;
    counts[slot] = (counts[slot] as number) + 1;
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

const minLetterRun = 8;
const minDigitRun = 9;

/** Whether a value is a made-up example: `…EXAMPLE`, `abcdefgh…`, `123456789…`. */
export const isExample = (value: string): boolean => value.includes('EXAMPLE') || hasRun(value, minDigitRun);

/** Finds `abcdefgh`. Consecutive digits are too common to count. */
export const hasAlphabet = (value: string): boolean => hasRun(value, Number.POSITIVE_INFINITY);

function hasRun(value: string, digits: number): boolean {
  let run = 1;
  for (let at = 1; at < value.length; at++) {
    const code = value.charCodeAt(at) | 32;
    run = code - (value.charCodeAt(at - 1) | 32) === 1 ? run + 1 : 1;
    if (run >= (code < 64 ? digits : minLetterRun)) return true;
  }
  return false;
}

const maxWordShare = 0.5;

/** Whether a value is neither made of words of a language nor a name made of words and numbers. */
export function isRandom(value: string): boolean {
  if (!isVaried(value) || isNameOfWords(value)) return false;
  const kinds = Number(/[a-z]/.test(value)) + Number(/[A-Z]/.test(value)) + Number(/\d/.test(value));
  if (kinds < 2) return false;
  let natural = 0;
  for (const [word] of value.matchAll(/[A-Z]?[a-z]{3,}|[A-Z]{4,}/g)) if (isWord(word)) natural += word.length;
  return natural / value.length < maxWordShare;
}

const partOfName = /^[A-Za-z]{0,30}\d{0,12}$/;

/** `jackson-0.11.2`, `NEXUS-GPT4-API-KEY`: each part is a word, a number, or a word with a number. */
export function isNameOfWords(value: string): boolean {
  const parts = value.split(/[-_.:/]/);
  return (
    parts.length > 1 && parts.every((part) => partOfName.test(part) && (part.length < 5 || isWordy(part)))
  );
}

/** The key of a cache: a name of several parts and a hash. */
export const isCacheKey = (value: string): boolean =>
  /^[A-Za-z][\w.]*(?:-[\w.]+){1,8}-(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);

function isWordy(part: string): boolean {
  const words = part.match(/[A-Z]?[a-z]+|[A-Z]+/g);
  if (words === null) return true;
  const natural = words.filter(isWord).reduce((sum, word) => sum + word.length, 0);
  return natural / words.join('').length >= maxWordShare;
}

/**
 * Letter pairs that make up nine tenths of all pairs in documentation and code. Each capital is followed by the
 * letters that commonly follow it. Nine of ten words consist of such pairs, but only one of thirteen random strings.
 */
const successors =
  'AbcdgiklmnprstuvyBaeilorsuCacehiklortuDaeiorsuEacdefgilmnprstvwxFaefioruGaehilnorsuHaeiotIabcdefglmnoprstvzJKeisLadeilostuyMabeimopNacdefgiknostuvyObcdfgklmnoprstuvwPaehiloprstuQuRacdegikmnorstuySacehiklopstuTacehilorstuyUabcegilmnprstVaeioWaeioXptYpZe';
const minUsualShare = 0.67;
let usual: Uint8Array | undefined;

function usualPairs(): Uint8Array {
  const pairs = new Uint8Array(32 * 32);
  let first = 0;
  for (let at = 0; at < successors.length; at++) {
    const code = successors.charCodeAt(at);
    if (code < 97) first = code & 31;
    else pairs[(first << 5) | (code & 31)] = 1;
  }
  return pairs;
}

const isWord = (word: string): boolean => word.length >= 4 && hasUsualPairs(word);

function hasUsualPairs(word: string): boolean {
  usual ??= usualPairs();
  let count = 0;
  for (let at = 1; at < word.length; at++) {
    count += usual[((word.charCodeAt(at - 1) & 31) << 5) | (word.charCodeAt(at) & 31)] as number;
  }
  return count / (word.length - 1) >= minUsualShare;
}

/** Share of a value that consists of words, including short ones: `getUser2FA` is nearly all words. */
export function wordShare(value: string): number {
  let natural = 0;
  for (const [word] of value.matchAll(/[A-Z]?[a-z]{2,}|[A-Z]{3,}/g))
    if (word.length >= 3 && hasUsualPairs(word)) natural += word.length;
  return natural / value.length;
}
