import { hasAlphabet, isCacheKey, isNameOfWords, isVaried, wordShare } from './randomness.ts';

/**
 * Recognises random words in a sentence. If only the sentence indicates a secret, everything else that looks random
 * must be excluded first: hashes, ids, versions, paths and names.
 */
const maxWordShare = 0.4;

/** A random string of at least `minLength` characters that is not a hash, version, path or name. */
export function isRandomWord(word: string, minLength: number): boolean {
  if (word.length < minLength || word.length > 200 || isExplained(word)) return false;
  const kinds = kindsOf(word);
  // Letters alone are a name, unless the capitals are irregular.
  if (!kinds.digit && !kinds.symbol) return word.length >= 10 && isScrambled(word);
  const count = Number(kinds.lower) + Number(kinds.upper) + Number(kinds.digit) + Number(kinds.symbol);
  if (count < 2 || (!kinds.lower && !kinds.upper)) return false;
  // A word with two kinds of characters may be a name with a number, unless the kinds alternate often.
  if (count === 2 && (word.length < 10 || switches(word) < 3)) return false;
  return isVaried(word) && !hasAlphabet(word) && !isNameOfWords(word) && wordShare(word) < maxWordShare;
}

const minUnexplainedLength = 10;

/** Text with a word that may be an unrecognised secret is stored, but not injected into a prelude. */
export const hasUnexplainedWord = (text: string): boolean =>
  text
    .split(/[\s"'`(),;<>[\]{}|]+/)
    .some((word) => isRandomWord(word.replace(/[.:!?]+$/, ''), minUnexplainedLength));

/** A word with a digit or punctuation, or several joined words, but not ordinary text about passwords. */
export function isStatedPassword(word: string): boolean {
  if (word.length < 6 || word.length > 200 || isReference(word)) return false;
  if (isPassphrase(word)) return true;
  const kinds = kindsOf(word);
  if (!(kinds.lower || kinds.upper) || hasAlphabet(word) || methods.test(word)) return false;
  if (kinds.digit) return kinds.symbol || !isNameOfWords(word);
  if (isScrambled(word)) return true;
  return kinds.symbol && !/^[\w-]+[!?.]?$/.test(word);
}

/** `correct-horse-battery-staple`: at least four words, none of them a function word. */
const isPassphrase = (word: string): boolean =>
  /^[A-Za-z]{3,12}(?:[-_.][A-Za-z]{3,12}){3,9}\d{0,4}$/.test(word) &&
  !joining.test(word) &&
  !/^[A-Z_]+$/.test(word);

const joining =
  /(?:^|[-_.])(?:the|and|not|for|with|your|you|set|from|into|has|must|can|should|change|read|only|key|token|pass(?:word)?|secret|example|com|org|net|local|api|auth|env|config|process|test|default|user|case|based|to|in|of|is)(?:[-_.]|$)/i;

const methods =
  /sha-?\d|md5|base64|utf-?8|argon|oauth|https?:|pbkdf|crypt|int\d|float\d|array|^[a-z]\d+$|pass(?:w|$)|pwd|redacted|^v?\d+(?:\.\d+)+|rfc\d|^[a-z]{1,8}=\d+$|\d+-(?:bit|char|byte|digit|day|hour|min)/i;

/** Whether a word refers to a value instead of being one: a variable, a placeholder, a call, a URL or a file. */
export function isReference(word: string): boolean {
  return (
    // A YAML tag, which names where the value is: `!vault_ref`.
    /^!{1,2}[A-Za-z][A-Za-z_:./-]*$/.test(word) ||
    // An element of a list, as in `auth[1]`.
    /^[A-Za-z_$][\w$.[\]]*\[\w{0,20}\]?$/.test(word) ||
    /^[$%{<@#*&]|#{4,}|x{6,}|^--|^\\|\$\{|\{\{|[(){}<>]|=>|::|^x{3,}|\*{3,}|\.{3}|^[\w.+-]+@[\w-]+\.[\w.-]+$|\.\$|redacted|example|placeholder|^your|changeme|change-me|secretref/i.test(
      word,
    ) ||
    // A variable or a constant. Mixed case is neither.
    /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)$/.test(word) ||
    /^[a-z][a-z0-9+.-]*:\/\//i.test(word) ||
    isPathLike(word)
  );
}

function isExplained(word: string): boolean {
  return (
    isReference(word) ||
    // A hash, a UUID, or a memory or network address.
    /^(?:0x)?[0-9a-f:-]+$/i.test(word) ||
    // An id with a prefix that names its kind.
    /^[a-z][a-z0-9]{0,11}[-_:@][0-9a-f-]{6,}$/.test(word) ||
    isCacheKey(word) ||
    // A key to press: `Ctrl+Shift+P2`.
    /^(?:ctrl|control|cmd|command|alt|option|shift|meta|super|win|fn)[+-]\S+$/i.test(word) ||
    /^(?:sha\d{1,3}|md5)[-:]/i.test(word) ||
    // Names joined by dashes: `User-Key-File-3`.
    /^[A-Za-z]{1,20}(?:[-_][A-Za-z]{1,20})+(?:[-_]?\d{1,4})?$/.test(word) ||
    // A date, a time, a version, a range, a size.
    /^[v~^<>=]{0,2}\d+(?:[.:/T-]\d+|\.x)+[\w.+-]*$/.test(word) ||
    // A package or an image with its version, a ticket, a name with a number.
    /@[v^~]?\d|:\d+(?:\.\d+)*$|:(?:latest|\d)|^[A-Z]{2,10}-\d+$|^(?:[A-Z]?[a-z]+|[A-Z]+)\d{1,4}$/.test(
      word,
    ) ||
    /\.(?:[cm]?[jt]sx?|css|s?html?|map|json[cl5]?|md|mdx|txt|png|jpe?g|svg|gif|webp|ico|woff2?|ya?ml|toml|lock|py|rb|go|rs|java|kt|swift|c|h|cpp|hpp|cs|php|sh|sql|log|zip|gz|tgz|tar|wasm|db|csv|xml|vue|snap|test|spec|pdf|so|dll|exe|node|ipynb|tf|proto)(?::\d+)*$/i.test(
      word,
    )
  );
}

/** A path has words between its slashes; base64 has slashes without words. */
function isPathLike(word: string): boolean {
  if (/^(?:[~.]{0,2}[\\/]|[A-Za-z]:[\\/])/.test(word) && !/^\/[A-Za-z0-9+/]{20,}={0,2}$/.test(word))
    return true;
  if (!/[\\/]/.test(word)) return false;
  const parts = word.split(/[\\/]/);
  return parts.length > 3 || parts.some((part) => part.length >= 4 && wordShare(part) >= 0.5);
}

function kindsOf(word: string): Record<'lower' | 'upper' | 'digit' | 'symbol', boolean> {
  return {
    lower: /[a-z]/.test(word),
    upper: /[A-Z]/.test(word),
    digit: /\d/.test(word),
    symbol: /[!@#$%^&*?+~=;|]/.test(word),
  };
}

const isScrambled = (word: string): boolean =>
  /^[A-Za-z]+$/.test(word) &&
  [...word.matchAll(/[a-z](?=[A-Z])|[A-Z]{2}(?=[a-z])/g)].length >= 3 &&
  isVaried(word) &&
  !hasAlphabet(word) &&
  wordShare(word) < 0.3;

const switches = (word: string): number => [...word.matchAll(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)].length;
