import { bare, classOf, digit, letter, lower, upper } from './character-classes.ts';
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

export const minimum = { password: 6, strong: 8, weak: 16 };
const longNumber = 15;
/** An absolute path; base64 may begin with a slash too, and hardly goes on like one. */
export const path = /^\/(?=[a-z._~-]*(?:\/|$))/;
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
  if (kinds & blank || (!isPassword && kinds & odd)) return false;
  if (path.test(value) || placeholder.test(value) || hasAlphabet(value) || isPlain(value)) return false;
  if (isPassword) {
    if (sign === ' ' && !isEnvironment && !held.isWholeName) return false;
    // Of the arguments of a call, most that stand beside a password are none.
    if (sign === ',' && !(held.isArgument && held.isWholeName))
      return value.length >= 10 && hasDigit && isRandom(value);
    return (
      (hasDigit || /[^\w.:/ -]/.test(value) || isRandom(value)) && !reference.test(withoutExtension(value))
    );
  }
  if (sign === ',' && !held.isArgument && value.length < minimum.weak) return false;
  if (kinds & keyboard) return isQuoted && strength === 'strong' && isTyped(value, kinds);
  if (reference.test(withoutExtension(value))) return false;
  if (strength !== 'weak' && kinds === digit) return value.length >= longNumber;
  // A bare word in code is a name, and in prose a word.
  if (!isQuoted && !isEnvironment && (!hasDigit || sign.startsWith('==') || names.test(value))) return false;
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
  value.length >= 24 && (kinds & digit) !== 0 && isRandom(value);

/** A value that is plainly no secret: a variable, a placeholder, a type, a path. */
export const placeholder =
  /^(?:\$|%|\{|<|@|#[a-z_-]*$|#{2}|\*+$|x{3,}|process\.|string$|number$|boolean$|undefined|null$|none$|true$|false$|required|optional|your|my[-_]|changeme|\[|\(|\\|dummy|sample|https?:|file:|\.\/|~\/)|\$\{|\{\{|example|placeholder|_here$|redacted:|\[redacted|x{6,}|\*{4,}|#{4,}|\.\./i;

/** A version, a number, a constant, the beginning of another assignment: whatever it is called, no secret. */
export const isPlain = (value: string): boolean =>
  /^(?:[\^~<>=v]{0,3}\d{1,12}(?:\.[\dx*]{1,12}){1,4}(?:[-+][\w.-]{0,40})?|0x[\da-f]{1,8}|[A-Za-z_-]{1,30}=)$/i.test(
    value,
  );

/** A value in a file's name is followed by what all file names end with. */
const withoutExtension = (value: string): string =>
  value.replace(/\.(?:sql|txt|json|env|ya?ml|bak|log|zip|gz|tgz|tar|dump|csv|conf|ini|cfg|key|pem|db)$/i, '');

/** Names joined by dots (`config.auth.token`, `db1.int.example.org:5432`) rather than a literal value. */
const reference = /^[A-Za-z_$][\w$-]{0,24}(?:\.[A-Za-z_$][\w$-]{0,24})+\(?(?::\d{1,5})?$/;
/** The same of any length, where no quotes say that it is a text. */
const names = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;
