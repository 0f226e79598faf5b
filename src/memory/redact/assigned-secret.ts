import { type Assignment, isSecret, type Strength } from './is-secret-value.ts';
import { contextLength, isPlainPassword, userBefore } from './plain-password.ts';
import { textBefore } from './text-before.ts';

/**
 * Words that the name of a secret contains, in lower case. The weaker the word, the more random the value must look to
 * be redacted.
 */
export const secretNames: [words: string, strength: Strength][] = [
  ['pwd|pass|psk|p a s s w o r d', 'password'],
  ['secret|token|credential|creds|apikey|api_key|api-key|api key|accesskey|privatekey', 'strong'],
  ['key|auth|_pat|login|crumb', 'weak'],
];

/** Words for a password in other languages, and short ones, which count only at the start of a word. */
export const passwordNames =
  'pw|mdp|senha|contrasena|passwort|kennwort|wachtwoord|heslo|haslo|losenord|adgangskode|salasana|sifre|parola';

const maxNameLength = 40;
const maxSpaces = 16;
const maxValueLength = 512;

interface Found {
  start: number;
  end: number;
}

/**
 * Finds a value whose name says that it is a secret and which looks like one: `DB_PASSWORD=…`, `"apiKey": "…"`. Parsed
 * by hand in linear time, because a regex for all forms of assignment would backtrack.
 */
export function assignedSecret(
  text: string,
  start: number,
  end: number,
  strength: Strength,
): Found | undefined {
  const named = endOfName(text, start, end, strength);
  if (named === undefined) return undefined;
  const operator = afterName(text, start, named, strength);
  if (operator === undefined) return undefined;
  // In `password.encode('…')` the argument is not the password, but in `setPassword('…')` it is.
  if (operator.sign === '(' && text.slice(end, named).includes('.')) return undefined;
  if (operator.sign === ':' && isTestResult(text, start, named)) return undefined;
  const value = readValue(text, operator, strength);
  if (value === undefined) return undefined;
  const assignment: Assignment = {
    ...operator,
    ...value,
    strength,
    isWholeName: isWholeName(text, end, named, operator.sign),
    isArgument: operator.sign === ',' && isArgument(text, start, named),
  };
  const isFound =
    isSecret(text.slice(value.start, value.end), assignment) || isPlainPassword(text, start, end, assignment);
  if (!isFound || isAboutSecret(text, start)) return undefined;
  const isLoose = strength === 'password' && !value.isQuoted;
  return { start: value.start, end: isLoose ? skip(afterSign, text, value.end) : value.end };
}

/**
 * Whether "pass" says that a test passed, with the name of the test behind it: `--- PASS: TestLogin2` in Go, or a title in
 * a list of tests. After a user it is a password.
 */
function isTestResult(text: string, start: number, named: number): boolean {
  const word = text.slice(startOfName(text, start), named);
  if (word.toLowerCase() !== 'pass' || `"'\``.includes(text[named] ?? ' ')) return false;
  const before = textBefore(text, start, contextLength);
  if (userBefore.test(before)) return false;
  return word !== 'pass' || testMark.test(before);
}
const testMark = /(?:^|\n)\s*(?:[^\w\s"'{]+|(?:not )?ok \d+) [^\n]*$/;

/** "pass" alone does not count in a sentence, where it is a verb. */
const isWholeName = (text: string, end: number, named: number, sign: string): boolean =>
  named === end
    ? text[end - 1]?.toLowerCase() === 'd' || (sign !== 'is' && sign !== ' ')
    : /^(?:word|phrase|wd)$/i.test(text.slice(end, named));

/** `publicKey` names something public. The mark that an earlier redaction left contains the name of a rule. */
export const isAboutSecret = (text: string, start: number): boolean =>
  text.endsWith('[redacted:', startOfName(text, start)) ||
  notSecretBefore.test(textBefore(text, start, maxPublicLength));

const maxPublicLength = 16;
const notSecretBefore =
  /(?:public|pub|primary|foreign|csrf|xsrf|authenticity|sort|partition|cache|hot|composite|unique|recv)[_.-]?$|\bcache $/i;

/** The next argument is then the value: `define('DB_PASSWORD', …)`, `setenv("PASSWORD", …)`. */
function isArgument(text: string, start: number, named: number): boolean {
  const at = startOfName(text, start);
  const quote = text[at - 1] ?? '';
  return `"'\``.includes(quote) && text[named] === quote && text[at - 2] === '(';
}

function startOfName(text: string, start: number): number {
  const near = textBefore(text, start, maxNameLength);
  return start - near.length + near.search(nameBefore);
}

const nameBefore = /[\w.-]*$/;
const nameAfter = new RegExp(`[\\w.-]{0,${maxNameLength}}`, 'y');

function endOfName(text: string, start: number, end: number, strength: Strength): number | undefined {
  // "key" and similar words are parts of many others, so they count only as separate words.
  if (strength === 'weak' && isInsideWord(text, start)) return undefined;
  if (isInsideWord(text, end)) {
    // The keyword is only the start of a longer word. Words such as "secretary" and "tokenizer" are no secrets; only
    // continuations such as in "password" and "tokens" count.
    tail.lastIndex = end;
    if (!tail.test(text)) return undefined;
  }
  return skip(nameAfter, text, end);
}

const tail = /(?:words?|wd|phrase|code|key|token|s)(?![a-z])|(?:WORDS?|WD|PHRASE|CODE|KEY|TOKEN|S)(?![A-Z])/y;

/** Letters of the same case are on both sides. */
const isInsideWord = (text: string, at: number): boolean =>
  /[a-z]{2}|[A-Z]{2}/.test(text.slice(at - 1, at + 1));

interface Operator {
  at: number;
  sign: string;
  /** `NAME=value` without spaces, as in an environment file: what follows is certainly a value. */
  isEnvironment: boolean;
}

/** Skips what may be between a name and its value: quotes, brackets, a type, and an operator. */
function afterName(text: string, start: number, named: number, strength: Strength): Operator | undefined {
  const closed = skip(closing, text, named);
  let at = skip(spaces, text, closed);
  const sign = signs[text[at] ?? '']?.find((candidate) => text.startsWith(candidate, at)) ?? '';
  if (sign === '') return afterWord(text, start, named, at, strength);
  // A bracket after a space is a remark: `PASS (…)`.
  const isSpaced = at > closed;
  if (sign === '(' && isSpaced) return undefined;
  // `auth0|user` is an id. In a template, what follows is a function: `{{ .password | b64enc }}`.
  if (sign === '|' && ((strength === 'weak' && !isSpaced) || isInTemplate(text, start))) return undefined;
  const isEnvironment = sign === '=' && at === named;
  // A value may be on the line after its XML tag.
  at = skip(sign === '>' ? spacesAndLine : spaces, text, at + sign.length);
  if (sign === ':') {
    typed.lastIndex = at;
    if (typed.test(text)) at = typed.lastIndex;
  }
  return { at, sign, isEnvironment };
}

/** Assignment signs by their first character, the longest first. */
const signs: Record<string, string[]> = {
  ':': [':::=', '::=', ':=', ':'],
  '=': ['=>', '===', '==', '='],
  '?': ['?=', '??='],
  '.': ['.='],
  '+': ['+='],
  '|': ['||=', '||', '|'],
  '%': ['%3D', '%3d', '%3A', '%3a'],
  '-': ['->'],
  ',': [','],
  '(': ['('],
  '>': ['>'],
};
/** A type before the value: TypeScript's `: string =`, Rust's `: &'static str =`. */
const typed = /(?:Option<)?(?:&(?:'\w{1,20} )?)?[A-Za-z][\w<>[\]|?.]{0,30} {0,2}= {0,2}(?:Some\()?(?=["'`])/y;

const isInTemplate = (text: string, start: number): boolean =>
  /\{\{[^}\n]*$/.test(textBefore(text, start, contextLength));

/** A flag's value, Go's `token string = "…"`, `name: TOKEN, value: …`, "the token for … is …". */
function afterWord(
  text: string,
  start: number,
  named: number,
  at: number,
  strength: Strength,
): Operator | undefined {
  if (at > named && !'-&|;'.includes(text[at] ?? '-') && isFlag(text, start)) {
    return { at, sign: ' ', isEnvironment: true };
  }
  // "here is the token a1b2…": a sequence of characters as long as this is not a word of a sentence.
  if (strength === 'strong' && at === named + 1 && longRun.test(text.slice(at, at + longRunLength)))
    return { at, sign: 'is', isEnvironment: false };
  // Most words for a secret are in ordinary sentences. The next character shows that at little cost.
  if (!mayPrecedeValue.includes(text[at] ?? ' ')) return undefined;
  // `password 'open'`, as in Groovy and SQL.
  if (`"'`.includes(text[at] as string)) return { at, sign: ' ', isEnvironment: false };
  beforeValue.lastIndex = named;
  const match = beforeValue.exec(text);
  if (match === null) return undefined;
  return { at: beforeValue.lastIndex, sign: match[1] === undefined ? '=' : 'is', isEnvironment: false };
}

/** The name is a flag, such as `--db-password` or `-Password`, or follows `ENV` in a Dockerfile. */
function isFlag(text: string, start: number): boolean {
  const at = startOfName(text, start);
  if (text.slice(at - 4, at) === 'ENV ') return true;
  return text[at] === '-' && (at === 0 || ` \t\n"'\`(`.includes(text[at - 1] as string));
}

const longRunLength = 20;
const longRun = /^[\w.-]{20}/;
const mayPrecedeValue = 'ftiwasvV"\'\\,{\n';
const beforeValue =
  /["'\\]{0,2},?(?:\s{0,4}\{[^{}]{0,160}\n[ \t]{0,20}default {0,20}= {0,3}|\s{1,40}["'\\]{0,2}(?:value|Value)["'\\]{0,2}\s{0,3}[:=]\s{0,3}| {1,4}string {0,2}= {0,2}|( (?:to|as) |(?: for [^\n.;:=]{1,40})? (?:is|was) ))/y;

const closing = /["'`\])\\]{0,4}/y;
const spaces = new RegExp(`[ \\t\\r]{0,${maxSpaces}}`, 'y');
const spacesAndLine = new RegExp(`${spaces.source}(?:\\n${spaces.source})?`, 'y');

/** The end of what a pattern matches at a place. It may match nothing. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

interface Value extends Found {
  isQuoted: boolean;
}

function readValue(
  text: string,
  { at: from, isEnvironment, sign }: Operator,
  strength: Strength,
): Value | undefined {
  let at = from;
  if ('bfruBFRU@$(['.includes(text[at] ?? ' ') && `"'\``.includes(text[at + 1] ?? ' ')) at++;
  const escaped = text[at] === '\\' ? 1 : 0;
  let quote = text[at + escaped] ?? '';
  // `'password' | 'token'` is a union of two names in code, not a table row with a name and its value.
  if (sign === '|' && `"'\``.includes(quote)) return undefined;
  if (sign !== '>' && (quote === '"' || quote === "'" || quote === '`')) {
    let start = at + escaped + 1;
    // A value may be quoted twice, as in a build script that generates code. Then the inner quote starts here.
    const inner = text[start] === '\\' ? start + 1 : start;
    if (text[inner] !== quote && `"'`.includes(text[inner] ?? ' ')) {
      quote = text[inner] as string;
      start = inner + 1;
    }
    for (let end = start; end < start + maxValueLength && end < text.length; end++) {
      const char = text[end];
      if (char === '\n') break;
      if (char === quote)
        return {
          start: afterEncoding(text, start),
          end: text[end - 1] === '\\' ? end - 1 : end,
          isQuoted: true,
        };
    }
    at = start;
  } else if (sign === ',' || sign === '(') {
    // Only a quoted argument counts; `f(token, other)` names two variables.
    return undefined;
  }
  at = afterEncoding(text, at);
  const isPassword = strength === 'password' && (sign === ':' || sign === 'is' || sign === '>');
  const letters = isEnvironment || isPassword ? looseValue : bareValue;
  // Base64 padding at the end; elsewhere `=` would be another assignment.
  const end = skip(padding, text, skip(letters, text, at));
  // A call such as `getToken()`: the value itself is not in the text.
  if (text[end] === '(' && /^[A-Za-z_$][\w$.]*$/.test(text.slice(at, end))) return undefined;
  return end === at ? undefined : { start: at, end, isQuoted: false };
}

/** Laravel writes `APP_KEY=base64:…`. */
const afterEncoding = (text: string, at: number): number =>
  at + (['base64:', 'hex:'].find((prefix) => text.startsWith(prefix, at)) ?? '').length;

const padding = /={0,2}/y;
const bareValue = new RegExp(`[\\w.~+/-]{0,${maxValueLength}}`, 'y');
/** Latin, Greek and Cyrillic letters beyond ASCII may be part of a password, but not of a token. */
const loose = '!#-%*+./0-9:?@A-Z^_a-z~\\u00c0-\\u052f-';
const looseValue = new RegExp(`[${loose}]{0,${maxValueLength}}`, 'y');
/** A password goes on after a `#` or `!` in it, which would end another kind of value. */
const afterSign = new RegExp(`(?:[#!$%^*@][${loose}]{1,${maxValueLength}})?`, 'y');
