import { hasAlphabet, isNameOfWords, isRandom } from './randomness.ts';

/**
 * A value is secret when its name says so and it looks like one: `DB_PASSWORD=…`, `"apiKey": "…"`. Parsed by
 * hand in one walk from the name, because a pattern for all the ways to assign would go back and forth.
 */
export type Strength = 'password' | 'strong' | 'weak';

/** What a name must contain. Where the name says less, the value has to look more random. */
export const secretNames: [word: string, strength: Strength][] = [
  ['pwd', 'password'],
  ['pass', 'password'],
  ['secret', 'strong'],
  ['token', 'strong'],
  ['credential', 'strong'],
  ['creds', 'strong'],
  ['apikey', 'strong'],
  ['api_key', 'strong'],
  ['api-key', 'strong'],
  ['api key', 'strong'],
  ['accesskey', 'strong'],
  ['key', 'weak'],
  ['auth', 'weak'],
  ['_pat', 'weak'],
  ['login', 'weak'],
  ['crumb', 'weak'],
];

const lower = 1;
const upper = 2;
const digit = 4;
const letter = lower | upper;
const name = 8;
const bare = 16;
const loose = 32;

const classes = new Uint8Array(128);
for (let code = 33; code < 127; code++) {
  const char = String.fromCharCode(code);
  let mask = /[a-z]/.test(char) ? lower : /[A-Z]/.test(char) ? upper : /[0-9]/.test(char) ? digit : 0;
  if (mask !== 0 || '_-.'.includes(char)) mask |= name;
  if (mask !== 0 || '_-.~+/'.includes(char)) mask |= bare;
  if (!`"'\`\\;,<>(){}[]|&=`.includes(char)) mask |= loose;
  classes[code] = mask;
}
const classOf = (code: number): number => (code < 128 ? (classes[code] as number) : 0);

const maxName = 40;
const maxSpace = 16;
const maxValue = 512;

interface Found {
  start: number;
  end: number;
}

export function assignedSecret(
  text: string,
  start: number,
  end: number,
  strength: Strength,
): Found | undefined {
  const named = endOfName(text, start, end, strength);
  if (named === undefined) return undefined;
  const operator = afterName(text, start, named);
  if (operator === undefined) return undefined;
  const value = readValue(text, operator);
  if (value === undefined) return undefined;
  const isWholeName = /^(?:word|phrase|wd)?$/i.test(text.slice(end, named));
  const held = { ...operator, ...value, strength, isWholeName };
  const isOne = isSecret(text.slice(value.start, value.end), held) || isPlainPassword(text, start, end, held);
  return isOne && !isAboutSecret(text, start, end, named)
    ? { start: value.start, end: value.end }
    : undefined;
}

/** `tokenUrl`, `passwordField`, `publicKey`: the name of something about a secret, or of what is no secret. */
function isAboutSecret(text: string, start: number, end: number, named: number): boolean {
  const last = text
    .slice(end, named)
    .match(/[A-Z]?[a-z0-9]+|[A-Z0-9]+/g)
    ?.at(-1);
  if (last !== undefined && about.has(last.toLowerCase())) return true;
  return notSecretBefore.test(text.slice(Math.max(0, start - 16), start));
}

const about = new Set(
  'name names file files filename path paths dir url uri id ids type types kind length len count size endpoint field fields label hint expires expiry expiration ttl regex regexp pattern prefix suffix header headers param params format policy version class method methods mode status index location title description placeholder provider manager store secrets address group role scope scopes source alias event column table algorithm alg hash vault schema def result supported'.split(
    ' ',
  ),
);
const notSecretBefore =
  /(?:public|pub|primary|foreign|csrf|xsrf|authenticity|sort|partition|cache|hot|composite|unique)[_.-]?$/i;

function endOfName(text: string, start: number, end: number, strength: Strength): number | undefined {
  // "key" and the like are parts of many words; only as a word of their own do they name something.
  if (strength === 'weak' && isInsideWord(text, start)) return undefined;
  let at = end;
  const next = classOf(text.charCodeAt(at));
  const last = classOf(text.charCodeAt(at - 1));
  if (next & last & letter) {
    // The word goes on: "secretary", "tokenizer". But "password" begins with "pass", and "tokens" are some.
    tail.lastIndex = at;
    if (!tail.test(text)) return undefined;
    at = tail.lastIndex;
  }
  for (const limit = at + maxName; at < limit && classOf(text.charCodeAt(at)) & name; at++);
  return at;
}

const tail = /(?:words?|wd|phrase|code|s)(?![a-z])|(?:WORDS?|WD|PHRASE|CODE|S)(?![A-Z])/y;

function isInsideWord(text: string, start: number): boolean {
  const before = classOf(text.charCodeAt(start - 1));
  return (before & classOf(text.charCodeAt(start)) & letter) !== 0;
}

interface Operator {
  at: number;
  sign: string;
  /** As in the environment, `NAME=value`, where nothing but a value can follow. */
  isEnvironment: boolean;
}

/** What may stand between a name and its value: quotes, brackets, a type, and a sign. */
function afterName(text: string, start: number, named: number): Operator | undefined {
  let at = named;
  for (let closing = 0; closing < 4 && `"'\`])\\`.includes(text[at] ?? ' '); closing++) at++;
  const isTight = at === named;
  at = skipSpace(text, at, 0);
  const sign = signs[text[at] ?? '']?.find((candidate) => text.startsWith(candidate, at)) ?? '';
  if (sign === '') return afterWord(text, start, named, at);
  const isEnvironment = sign === '=' && isTight && at === named;
  // A value may stand on the line after its XML tag.
  at = skipSpace(text, at + sign.length, sign === '>' ? 1 : 0);
  if (sign === ':') {
    typed.lastIndex = at;
    if (typed.test(text)) at = typed.lastIndex;
  }
  return { at, sign, isEnvironment };
}

/** By their first letter, longest first. */
const signs: Record<string, string[]> = {
  ':': [':::=', '::=', ':=', ':'],
  '=': ['=>', '===', '==', '='],
  '?': ['?=', '??='],
  '.': ['.='],
  '+': ['+='],
  '|': ['||=', '||'],
  '-': ['->'],
  ',': [','],
  '>': ['>'],
};
const typed = /[A-Za-z][\w<>[\]|?.]{0,30} {0,2}= {0,2}(?=["'`])/y;

/** No sign, but a word: a flag's value, Go's `token string = "…"`, `name: TOKEN, value: …`, "the token is …". */
function afterWord(text: string, start: number, named: number, at: number): Operator | undefined {
  if (at > named && !'-&|;'.includes(text[at] ?? '-') && isFlag(text, start)) {
    return { at, sign: ' ', isEnvironment: true };
  }
  // Most such words stand in sentences; what comes next tells without a closer look.
  if (!mayPrecedeValue.includes(text[at] ?? ' ')) return undefined;
  beforeValue.lastIndex = named;
  const match = beforeValue.exec(text);
  if (match === null) return undefined;
  return { at: beforeValue.lastIndex, sign: match[1] === undefined ? '=' : 'is', isEnvironment: false };
}

/** Belongs to a word that begins with a dash: `--db-password`, `-Password`. */
function isFlag(text: string, start: number): boolean {
  let at = start;
  for (const limit = start - maxName; at > limit && classOf(text.charCodeAt(at - 1)) & name; at--);
  return text[at] === '-' && (at === 0 || ` \t\n"'\`(`.includes(text[at - 1] as string));
}

const mayPrecedeValue = 'tiwasvV"\'\\,\n';
const beforeValue =
  /["'\\]{0,2},?(?:\s{1,40}["'\\]{0,2}(?:value|Value)["'\\]{0,2}\s{0,3}[:=]\s{0,3}| {1,4}string {0,2}= {0,2}|( (?:to|is|was|as) ))/y;

function skipSpace(text: string, from: number, lines: number): number {
  let at = from;
  let left = lines;
  for (const limit = from + maxSpace; at < limit; at++) {
    const char = text[at];
    if (char === '\n' && left-- <= 0) break;
    if (char !== ' ' && char !== '\t' && char !== '\n' && char !== '\r') break;
  }
  return at;
}

interface Value extends Found {
  isQuoted: boolean;
}

function readValue(text: string, { at: from, isEnvironment, sign }: Operator): Value | undefined {
  let at = from;
  if ('bfruBFRU@$(['.includes(text[at] ?? ' ') && `"'\``.includes(text[at + 1] ?? ' ')) at++;
  const escaped = text[at] === '\\' ? 1 : 0;
  const quote = text[at + escaped] ?? '';
  if (quote === '"' || quote === "'" || quote === '`') {
    const start = at + escaped + 1;
    for (let end = start; end < start + maxValue && end < text.length; end++) {
      const char = text[end];
      if (char === '\n') break;
      if (char === quote) return { start, end: text[end - 1] === '\\' ? end - 1 : end, isQuoted: true };
    }
    at = start;
  } else if (sign === ',') {
    // Only a quoted text is an argument that matters; `f(token, other)` names two variables.
    return undefined;
  }
  const allowed = isEnvironment ? loose : bare;
  let end = at;
  for (const limit = at + maxValue; end < limit && classOf(text.charCodeAt(end)) & allowed; end++);
  // Padding, which inside a value would be another assignment.
  for (let pad = 0; pad < 2 && text[end] === '='; pad++) end++;
  return end === at ? undefined : { start: at, end, isQuoted: false };
}

interface Held extends Value, Operator {
  isWholeName: boolean;
  strength: Strength;
}

const minimum = { password: 6, strong: 8, weak: 16 };
const longNumber = 15;
/** An absolute path; base64 may begin with a slash too, and hardly goes on like one. */
const path = /^\/(?=[a-z._~-]*(?:\/|$))/;
const blank = 64;
const odd = 128;

function kindsOf(value: string): number {
  let kinds = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    const own = classOf(code);
    if (own & (letter | digit)) kinds |= own & (letter | digit);
    else if (code <= 32) kinds |= blank;
    // The padding of base64 is the one sign that may stand in a value and in no bare one.
    else if ((own & bare) === 0 && code !== 61) kinds |= odd;
  }
  return kinds;
}

function isSecret(value: string, { strength, isQuoted, isEnvironment, sign }: Held): boolean {
  // Padding says nothing; it is there for programs.
  if (value.replace(/=+$/, '').length < minimum[strength]) return false;
  const kinds = kindsOf(value);
  const hasDigit = (kinds & digit) !== 0;
  const isPassword = strength === 'password' && (isQuoted || isEnvironment);
  // Letters of one kind are a word or a number, and nothing below would take them for a secret.
  if (!isPassword && strength === 'weak' && (kinds === lower || kinds === upper || kinds === digit))
    return false;
  if (kinds & blank || path.test(value) || placeholder.test(value) || hasAlphabet(value)) return false;
  if (isPassword) {
    return (hasDigit || /[^\w.:/ -]/.test(value) || isRandom(value)) && !reference.test(value);
  }
  if (kinds & odd || reference.test(value)) return false;
  if (strength !== 'weak' && kinds === digit) return value.length >= longNumber;
  // A bare word in code is a name, and in prose a word.
  if (!isQuoted && !isEnvironment && !hasDigit) return false;
  const isLiteral = strength !== 'weak' && (isQuoted || isEnvironment);
  if (sign === 'is' && value.length < minimum.weak && !isQuoted) return false;
  if (isRandom(value)) return true;
  // Chance makes words too. What is long, called a secret and of all kinds of letters is one all the same.
  return (
    isLiteral &&
    value.length >= 24 &&
    hasDigit &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    !isNameOfWords(value)
  );
}

/**
 * In an environment and in a connection string, `…;Password=goodspec;`, whatever stands there is the password,
 * be it a word.
 */
function isPlainPassword(text: string, start: number, end: number, held: Held): boolean {
  const value = text.slice(held.start, held.end);
  if (held.strength !== 'password' || value.length < minimum.password || placeholder.test(value))
    return false;
  // `password = 'centipede'`: quoted and called nothing but that, so it is no name of anything else.
  if (held.isQuoted && held.isWholeName && held.sign !== ',' && held.sign !== '===')
    return /^[a-z][a-z_]{6,30}$/.test(value) && !aboutPasswords.test(value);
  if (!held.isEnvironment || held.sign !== '=') return false;
  const word = text.slice(start, end);
  const isUpper = word === word.toUpperCase();
  const isBetween = text[held.end] === ';' && text.slice(Math.max(0, start - 60), start).includes(';');
  return (isUpper || isBetween) && !/\s/.test(value);
}

const aboutPasswords =
  /^(?:current|new|old|confirm|reset|forgot|user|change|enter|invalid|missing)|password$|credential|field|input|string|hidden/;

/** A value that is plainly no secret: a variable, a placeholder, a type, a path. */
const placeholder =
  /^(?:\$|%|\{|<|@|#|\*+$|x{3,}|process\.|string$|number$|boolean$|undefined|null$|true$|false$|required|optional|your|my[-_]|changeme|\[|\(|dummy|sample|https?:|file:|\.\/|~\/)|\$\{|\{\{|example|placeholder|_here$|redacted:|\[redacted|x{6,}|\*{4,}|\.\./i;

/** Names joined by dots (`config.auth.token`, `db1.int.example.org:5432`) rather than a literal value. */
const reference = /^[A-Za-z_$][\w$-]{0,24}(?:\.[A-Za-z_$][\w$-]{0,24})+\(?(?::\d{1,5})?$/;
