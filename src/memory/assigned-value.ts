import { bare, classOf, digit, letter, lower, upper } from './letter-kinds.ts';
import { hasAlphabet, isNameOfWords, isRandom } from './randomness.ts';

/** Whether what a name was given is a secret: judged by what the name says, how it was given, and its letters. */
export type Strength = 'password' | 'strong' | 'weak';

export interface Assignment {
  /** Where the value stands. */
  start: number;
  end: number;
  isQuoted: boolean;
  /** What stands between the name and the value: `=`, `:`, `,`, `is`… */
  sign: string;
  /** As in the environment, `NAME=value`, where nothing but a value can follow. */
  isEnvironment: boolean;
  /** Called nothing but a password, with no more words after it. */
  isWholeName: boolean;
  /** A call's first argument: `define('DB_PASSWORD', …)`. */
  isArgument: boolean;
  strength: Strength;
}

const minimum = { password: 6, strong: 8, weak: 16 };
const longNumber = 15;
/** An absolute path; base64 may begin with a slash too, and hardly goes on like one. */
const path = /^\/(?=[a-z._~-]*(?:\/|$))/;
const blank = 64;
const odd = 128;
const keyboard = 256;

function kindsOf(value: string): number {
  let kinds = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    const own = classOf(code);
    if (own & (letter | digit)) kinds |= own & (letter | digit);
    else if (code <= 32) kinds |= blank;
    // The padding of base64 is the one sign that may stand in a value and in no bare one.
    else if ((own & bare) === 0 && code !== 61)
      kinds |= '!@#$%^&*()'.includes(value[at] as string) ? keyboard : odd;
  }
  return kinds;
}

export function isSecret(value: string, held: Assignment): boolean {
  const { strength, isQuoted, isEnvironment, sign } = held;
  // Padding says nothing; it is there for programs.
  if (value.replace(/=+$/, '').length < minimum[strength]) return false;
  const kinds = kindsOf(value);
  const hasDigit = (kinds & digit) !== 0;
  const isPassword = strength === 'password' && (isQuoted || isEnvironment);
  // Letters of one kind are a word or a number, and nothing below would take them for a secret.
  if (!isPassword && strength === 'weak' && (kinds === lower || kinds === upper || kinds === digit))
    return false;
  if (kinds & blank || path.test(value) || placeholder.test(value) || hasAlphabet(value) || isPlain(value))
    return false;
  if (isPassword) {
    // Of the arguments of a call, most that stand beside a password are none.
    if (sign === ',' && !(held.isArgument && held.isWholeName)) return value.length >= 10 && isRandom(value);
    return (hasDigit || /[^\w.:/ -]/.test(value) || isRandom(value)) && !reference.test(value);
  }
  if (kinds & keyboard) return isQuoted && strength === 'strong' && isTyped(value, kinds);
  if (kinds & odd || reference.test(value)) return false;
  if (strength !== 'weak' && kinds === digit) return value.length >= longNumber;
  // A bare word in code is a name, and in prose a word.
  if (!isQuoted && !isEnvironment && (!hasDigit || sign.startsWith('=='))) return false;
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

/** Any key of the keyboard, as in the key of a Django project. */
const isTyped = (value: string, kinds: number): boolean =>
  (kinds & odd) === 0 && value.length >= 24 && (kinds & digit) !== 0 && isRandom(value);

/**
 * In an environment, in a connection string, `…;Password=goodspec;`, and beside the name of a user, whatever
 * stands there is the password, be it a word.
 */
export function isPlainPassword(text: string, start: number, end: number, held: Assignment): boolean {
  const { isQuoted, isWholeName, sign } = held;
  const value = text.slice(held.start, held.end);
  if (held.strength !== 'password' || value.length < 4 || /\s/.test(value) || placeholder.test(value))
    return false;
  if (isPlain(value)) return false;
  if (isWholeName && sign !== ',' && sign !== '===' && isBesideUser(text, start, held)) return true;
  if (sign === 'is' && isQuoted) return !aboutPasswords.test(value);
  if (value.length < minimum.password) return false;
  if (!isQuoted && isWholeName && (sign === 'is' || sign === ':')) return isTold(text, held, value);
  // `password = 'centipede'`: quoted and called nothing but that, so it is no name of anything else.
  if (isQuoted && isWholeName && sign !== ',' && sign !== '===' && sign !== ' ')
    return /^[a-z][a-z_]{6,30}$/.test(value) && !aboutPasswords.test(value);
  if (!held.isEnvironment || sign !== '=') return false;
  const word = text.slice(start, end);
  const isUpper = word === word.toUpperCase();
  const isBetween = text[held.end] === ';' && text.slice(Math.max(0, start - 60), start).includes(';');
  return isUpper || isBetween;
}

const userReach = 120;
const userBefore =
  /user(?:name|id)?["'\])]{0,2}\s{0,12}(?:=>?|:|,|is|\s)?\s{0,4}["'`]?[^\s"'`,;=:(){}$<>]{1,60}["'`]?[,;]?(?:\s{0,40}(?:\/\/|#)[^\n]{0,60}\n){0,3}\s{0,40}(?:is|with|and|identified by)?[\s"'[\w.-]{0,12}$/i;

/** `username 'ann'` and then `password 'open'`; a line `user=ann` and then `password=open`. */
function isBesideUser(
  text: string,
  start: number,
  { start: from, end, isQuoted, sign }: Assignment,
): boolean {
  const before = text.slice(Math.max(0, start - userReach), start);
  if (!userBefore.test(before)) return false;
  const value = text.slice(from, end);
  if (sign === ' ' && isQuoted) return true;
  if (isQuoted) return value.length >= minimum.password && !aboutPasswords.test(value);
  return (
    (sign === '=' || sign === ':') &&
    isWholeLine(text, start, end) &&
    /^[a-z][a-z_]{5,30}$/.test(value) &&
    !aboutPasswords.test(value)
  );
}

const isWholeLine = (text: string, start: number, end: number): boolean =>
  /(?:^|\n)[ \t]{0,8}$/.test(text.slice(Math.max(0, start - 9), start)) && /[\r\n]|^$/.test(text[end] ?? '');

/** "the password is winter24", `password: winter24`: a word with a number that is not the name of a method. */
const isTold = (text: string, { end, sign }: Assignment, value: string): boolean =>
  /^(?=[\w!@#%^&*.-]*[a-z])(?=[\w!@#%^&*.-]*\d)[\w!@#%^&*.-]+$/i.test(value) &&
  !methods.test(value) &&
  !isNameOfWords(value) &&
  (sign === 'is' ? /^[.,;!]?(?:\s|$)/ : /^(?:\s|$)/).test(text.slice(end, end + 2));

const methods =
  /sha-?\d|md5|base64|utf|argon|oauth|http|pbkdf|bcrypt|scrypt|u?int\d|float\d|array|^[a-z]\d+$|pass|pwd/i;

const aboutPasswords =
  /^(?:current|new|old|confirm|reset|forgot|user|change|enter|invalid|missing)|^.{0,6}passw(?:or[dt]|d)$|credential|field|input|string|hidden/i;

/** A value that is plainly no secret: a variable, a placeholder, a type, a path. */
const placeholder =
  /^(?:\$|%|\{|<|@|#[a-z_-]*$|#{2}|\*+$|x{3,}|process\.|string$|number$|boolean$|undefined|null$|true$|false$|required|optional|your|my[-_]|changeme|\[|\(|\\|dummy|sample|https?:|file:|\.\/|~\/)|\$\{|\{\{|example|placeholder|_here$|redacted:|\[redacted|x{6,}|\*{4,}|#{4,}|\.\./i;

/** A version, a number, a constant, the beginning of another assignment: whatever it is called, no secret. */
const isPlain = (value: string): boolean =>
  /^(?:[\^~<>=v]{0,3}\d{1,12}(?:\.[\dx*]{1,12}){1,4}(?:[-+][\w.-]{0,40})?|0x[\da-f]{1,8}|[A-Za-z_-]{1,30}=)$/i.test(
    value,
  );

/** Names joined by dots (`config.auth.token`, `db1.int.example.org:5432`) rather than a literal value. */
const reference = /^[A-Za-z_$][\w$-]{0,24}(?:\.[A-Za-z_$][\w$-]{0,24})+\(?(?::\d{1,5})?$/;
