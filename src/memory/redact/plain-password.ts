import { type Assignment, isPlain, minLengths, path, placeholder } from './is-secret-value.ts';
import { isNameOfWords } from './randomness.ts';
import { textBefore } from './text-before.ts';

/**
 * Recognises passwords that are ordinary words by their context: an environment file, a connection string, a form, an
 * XML element, a user name next to it, or a sentence that states the password.
 */
export function isPlainPassword(text: string, start: number, end: number, assignment: Assignment): boolean {
  const { strength, isQuoted, isWholeName, isEnvironment, sign } = assignment;
  const value = text.slice(assignment.start, assignment.end);
  if (strength !== 'password' || value.length < 4 || /\s/.test(value) || placeholder.test(value))
    return false;
  if (isPlain(value) || path.test(value) || sign === ',' || sign === '(' || sign.startsWith('=='))
    return false;
  const isLong = value.length >= minLengths.password;
  const after = text.slice(assignment.end, assignment.end + 2);
  if (isWholeName) {
    const before = textBefore(text, start, contextLength);
    if (isInMarkup(before, after, sign)) return true;
    if (userBefore.test(before) && isBesideUser(before, value, after, assignment)) return true;
    if (sign === 'is' && isQuoted) return !aboutPasswords.test(value);
    if (!isQuoted && isLong && isStated(value, after, sign)) return true;
    // `password = 'centipede'`: a quoted word directly assigned to a password.
    if (isQuoted && sign !== ' ' && /^[a-z][a-z_]{5,30}$/.test(value) && !aboutPasswords.test(value))
      return true;
    if (isEnvironment && sign === '=' && isLong && isSetting(before, after) && !aboutPasswords.test(value))
      return true;
  }
  const word = text.slice(start, end);
  return (
    isLong && isEnvironment && sign === '=' && word === word.toUpperCase() && !aboutPasswords.test(value)
  );
}

export const contextLength = 120;
export const userBefore =
  /(?:user|uid)(?:[ _-]?(?:name|id))?["'\])]{0,2}\s{0,12}(?:=>?|:|,|is|\s)?\s{0,4}["'`]?[^\s"'`,;=:&(){}$<>]{1,60}(?![^\s"'`,;=:&(){}$<>])["'`]?[,;&]?(?:\s{0,40}(?:\/\/|#)[^\n]{0,60}\n){0,3}\s{0,40}(?:is|with|and)?[\s"'[\w.-]{0,12}$/i;

/** `username 'ann'` and then `password 'open'`; `user=ann password=open`; a line `user: ann` and then `password: open`. */
function isBesideUser(before: string, value: string, after: string, assignment: Assignment): boolean {
  const { isQuoted, isEnvironment, sign } = assignment;
  if (sign === ' ' && isQuoted) return true;
  if (aboutPasswords.test(value)) return false;
  if (isQuoted) return value.length >= minLengths.password;
  if (isEnvironment) return /^(?:[\s"'`;&]|$)/.test(after);
  return isLine(before, after) && /^[a-z][a-z_]{5,30}$/.test(value);
}

/** `<password>open</password>`, `?password=open&…`, `Server=db;Password=open;`. */
function isInMarkup(before: string, after: string, sign: string): boolean {
  if (sign === '>') return before.endsWith('<') && after === '</';
  return sign === '=' && /[?&]$|=[^;"'\n]{1,60};\s?$/.test(before) && /^[;&"'\s]|^$/.test(after);
}

const isLine = (before: string, after: string): boolean =>
  /(?:^|\n)[ \t]{0,8}$/.test(before) && /^(?:\r?\n|$)/.test(after);

/** A line of a properties file, `spring.datasource.password=open`. */
const isSetting = (before: string, after: string): boolean =>
  /(?:^|\n)[\w.-]*$/.test(before) && /^(?:\r?\n|$)/.test(after);

/** "the password is winter24", `password: winter24`: a word with a digit that is not the name of an algorithm. */
const isStated = (value: string, after: string, sign: string): boolean =>
  (sign === 'is' || (sign === ':' && /^(?:\s|$)/.test(after))) &&
  /\d/.test(value) &&
  /^[\w!@#%^*.?+-]*[A-Za-z][\w!@#%^*.?+-]*$/.test(value) &&
  !methods.test(value) &&
  !isNameOfWords(value);

const methods =
  /sha-?\d|md5|base64|utf|argon|oauth|http|pbkdf|crypt|int\d|float\d|array|^[a-z]\d+$|pass|pwd/i;

const aboutPasswords =
  /^(?:current|new|old|confirm|reset|forgot|user|change|enter|invalid|missing)|^pass|[_-]password$|^(?:option|flag|arg|param)|credential|field|input|string|hidden/i;
