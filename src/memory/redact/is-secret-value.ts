import { hasAlphabet, isCacheKey, isNameOfWords, isRandom } from './randomness.ts';

export type Strength = 'password' | 'strong' | 'weak';

export interface Assignment {
  start: number;
  end: number;
  isQuoted: boolean;
  /** The operator between name and value: `=`, `:`, `,`, `is`… */
  sign: string;
  /** `NAME=value` without spaces: what follows the name is certainly a value. */
  isEnvironment: boolean;
  /** True if the name ends with the word for a password. */
  isWholeName: boolean;
  /** True if the name is the first argument of a call: `define('DB_PASSWORD', …)`. */
  isArgument: boolean;
  strength: Strength;
}

export const minLengths = { password: 6, strong: 8, weak: 16 };
const minNumberLength = 15;
/** An absolute path. Base64 may begin with a slash too, but rarely continues like a path. */
export const path = /^\/(?:(?=[a-z._~-]*(?:\/|$))|[A-Z][a-z]+\/[a-z])/;
const blank = /[\0- ]/;
/** Punctuation of passwords, and characters that no token has. */
const keyboard = /[!@#$%^&*()]/;
const odd = /[^\0- \w.~+/=!@#$%^&*()-]/;
/** A word or a number. */
const ofOneKind = /^(?:[a-z_.~+/=-]+|[A-Z_.~+/=-]+|[\d_.~+/=-]+)$/;

export function isSecret(value: string, assignment: Assignment): boolean {
  const { strength, isQuoted, isEnvironment, sign } = assignment;
  // Base64 padding does not count towards the length.
  if (value.replace(/=+$/, '').length < minLengths[strength]) return false;
  const hasDigit = /\d/.test(value);
  const isPassword = strength === 'password' && (isQuoted || isEnvironment);
  if (strength === 'weak' && ofOneKind.test(value)) return false;
  if (blank.test(value) || (!isPassword && odd.test(value))) return false;
  if (path.test(value) || placeholder.test(value) || hasAlphabet(value) || isPlain(value)) return false;
  if (isCall(value) || (strength === 'weak' && isCacheKey(value))) return false;
  if (isPassword) {
    if (sign === ' ' && !isEnvironment && !assignment.isWholeName) return false;
    // Of the arguments next to a password, only the one after its name is taken for a secret: `define('DB_PASSWORD',
    // …)`. Any other must look random.
    if (sign === ',' && !(assignment.isArgument && assignment.isWholeName))
      return value.length >= 10 && hasDigit && isRandom(value);
    return (
      (hasDigit || /[^\w.:/ -]/.test(value) || isRandom(value)) && !reference.test(withoutExtension(value))
    );
  }
  if (sign === ',' && !assignment.isArgument && value.length < minLengths.weak) return false;
  // As in the secret key of a Django project.
  if (keyboard.test(value))
    return isQuoted && strength === 'strong' && value.length >= 24 && hasDigit && isRandom(value);
  if (reference.test(withoutExtension(value))) return false;
  if (strength !== 'weak' && hasDigit && !/[A-Za-z]/.test(value)) return value.length >= minNumberLength;
  // An unquoted word is an identifier in code and an ordinary word in prose.
  if (!isQuoted && !isEnvironment && (!hasDigit || sign.startsWith('==') || names.test(value))) return false;
  const isLiteral = strength !== 'weak' && (isQuoted || isEnvironment);
  if (sign === 'is' && value.length < minLengths.weak && !isQuoted) return false;
  if (isRandom(value)) return true;
  // A random string may contain words by chance. So a long literal with all kinds of characters counts as a secret
  // even if it contains words.
  return (
    isLiteral &&
    value.length >= 24 &&
    hasDigit &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    !isNameOfWords(value)
  );
}

/** A value that is clearly not a secret: a variable, a placeholder, a type, a path. */
export const placeholder =
  /^(?:\$|%|\{|<|@|#[a-z_-]*$|#{2}|\*+$|x{3,}|process\.|string$|number$|boolean$|undefined|null$|none$|true$|false$|required|optional|your|my[-_]|changeme|\[|\(|\\|dummy|sample|https?:|file:|\.\/|~\/)|\$\{|\{\{|example|placeholder|_here$|redacted:|\[redacted|x{6,}|\*{4,}|#{4,}|\.\./i;

/** A version, a number, a constant or the beginning of another assignment: not a secret, whatever its name. */
export const isPlain = (value: string): boolean =>
  /^(?:[\^~<>=v]{0,3}\d{1,12}(?:\.[\dx*]{1,12}){1,4}(?:[-+][\w.-]{0,40})?|\d{1,6}\.\d{1,9}(?:[nuµm]?s|m|h)|0x[\da-f]{1,8}|[A-Za-z_-]{1,30}=)$/i.test(
    value,
  );

/** "Examples that pass: `user.Save()`". */
const isCall = (value: string): boolean => /^[A-Za-z_$][\w$.]*\(\w*\)$/.test(value);

/** Removes a file extension that follows a value in a file name. */
const withoutExtension = (value: string): string =>
  value.replace(/\.(?:sql|txt|json|env|ya?ml|bak|log|zip|gz|tgz|tar|dump|csv|conf|ini|cfg|key|pem|db)$/i, '');

/** Names joined by dots (`config.auth.token`, `db1.int.example.org:5432`) rather than a literal value. */
const reference = /^[A-Za-z_$][\w$-]{0,24}(?:\.[A-Za-z_$][\w$-]{0,24})+\(?(?::\d{1,5})?$/;
/** Like `reference`, of any length, for unquoted values. */
const names = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;
