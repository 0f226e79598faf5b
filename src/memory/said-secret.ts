import { isAlphanumeric } from './letter-kinds.ts';
import { isRandomWord, isToldPassword } from './random-word.ts';
import type { Look, Span } from './redact.ts';

/**
 * Secrets that a sentence names: "Das Passwort für ada lautet …", "数据库密码是…", "pw …". The word for a password is
 * looked for in many languages; what follows it on the same line is then judged word by word. A word right after
 * a verb or a colon may be any password; one that stands further on has to look random by itself.
 */

/** Words of ASCII letters, found by the same pass as every other beginning. Inflected forms begin like these. */
export const saidPasswords =
  'password|passwort|kennwort|passphrase|passcode|contrase|contrasena|clave|mot de passe|mdp|senha|palavra-passe|parola|wachtwoord|haslo|heslo|losenord|adgangskode|passord|salasana|jelszo|jelsz|sifre|kata sandi|parool|lozinka|geslo|zaporka|slaptazodis|mat khau|pw|pwd|passwd|passw|wifi|wlan';
export const saidKeys =
  'token|secret|api key|api-key|apikey|access key|secret key|private key|license key|geheimnis|schluessel|sleutel|klucz|chiave|chave|llave|jeton|anahtar|nyckel|geheim|credential|creds|zugangsdaten|logins|login|key';
/** A number that opens something; its word is short and stands in many others, so it must be by itself. */
export const saidPins = 'pin is|pin:|pin code|pin-code|pincode|pin lautet|pin ist|pin es|pin est|pin to';

/** Words of other letters, which the pass over ASCII beginnings does not meet. */
const foreignPasswords =
  'парол|кодовое слово|кодове слово|гасло|лозинка|密码|密碼|口令|暗码|パスワード|暗証番号|비밀번호|패스워드|암호|كلمة المرور|كلمة مرور|كلمة السر|كلمة سر|الرقم السري|पासवर्ड|गुप्तशब्द|mật khẩu|hasł|lösenord|jelszó|şifre|contraseñ|κωδικ|συνθηματικ|סיסמ|รหัสผ่าน|slaptažod|salasõna|گذرواژه|رمز عبور|পাসওয়ার্ড|கடவுச்சொல்';
const foreignKeys =
  'ключ|токен|секрет|密钥|密鑰|令牌|秘钥|凭证|トークン|シークレット|秘密鍵|キー|토큰|시크릿|키는|키:|مفتاح|الرمز المميز|कुंजी|टोकन|khóa|khoá|schlüssel|clé|klíč|κλειδ|מפתח|טוקן|คีย์|โทเค็น';
const hasForeignLetters = /[\u00c0-\u1fff\u2c00-\ud7ff\uf900-\ufdff\ufe70-\uffef]/;

interface ForeignWord {
  /** What stands before the first letter beyond ASCII, and from it on. */
  before: string;
  rest: string;
  named: Named;
}

let foreignWords: Map<number, ForeignWord[]> | undefined;

function createForeignWords(): Map<number, ForeignWord[]> {
  const words = new Map<number, ForeignWord[]>();
  for (const [list, named] of [
    [foreignPasswords, 'password'],
    [foreignKeys, 'key'],
  ] as const) {
    for (const word of list.split('|')) {
      const at = word.search(/[^\0-\x7f]/);
      const entry = { before: word.slice(0, at), rest: word.slice(at), named };
      for (const letter of new Set([word[at] as string, (word[at] as string).toUpperCase()])) {
        const code = letter.charCodeAt(0);
        words.set(code, [...(words.get(code) ?? []), entry]);
      }
    }
  }
  return words;
}

/** What a sentence names in letters beyond ASCII. */
export function foreignSecrets(text: string): Span[] {
  const first = text.search(hasForeignLetters);
  if (first === -1) return [];
  foreignWords ??= createForeignWords();
  const spans: Span[] = [];
  const readUntil = { password: 0, key: 0 };
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const words = code < 128 ? undefined : foreignWords.get(code);
    if (words === undefined) continue;
    for (const { before, rest, named } of words) {
      if (at < readUntil[named]) continue;
      const start = at - before.length;
      const end = at + rest.length;
      if (text.slice(start, end).toLowerCase() !== before + rest) continue;
      const found = secretAfter(text, end, named);
      if (typeof found === 'number') readUntil[named] = found;
      else spans.push(found);
    }
  }
  return spans;
}

type Named = 'password' | 'key';

/** A sentence has the word by itself; in a name of code it has neighbours. */
export const saidSecret =
  (named: Named): Look =>
  (text, start, end) => {
    if (isAlphanumeric(text.charCodeAt(start - 1)) || '_.$/\\'.includes(text[start - 1] ?? ' '))
      return undefined;
    const next = text.charCodeAt(end);
    // Most of these words stand in code, where this sign follows them.
    if (next < 128 && !isAlphanumeric(next) && !' :-"\'`*\n\r'.includes(text[end] as string))
      return undefined;
    // What we put in the place of a secret names it too.
    if (/\[redacted:[a-z0-9-]{0,30}$/.test(text.slice(Math.max(0, start - 42), start))) return undefined;
    const before = text[start - 1] === ' ' ? secretBefore(text, start) : undefined;
    if (before !== undefined) return [before];
    const found = secretAfter(text, end, named);
    return typeof found === 'number' ? found : [found];
  };

/** "the PIN is 4821": nothing but digits, right after it. */
export const saidPin: Look = (text, start, end) => {
  if (isAlphanumeric(text.charCodeAt(start - 1)) || '_.$/-'.includes(text[start - 1] ?? ' '))
    return undefined;
  pinDigits.lastIndex = end;
  const digits = pinDigits.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const at = pinDigits.lastIndex - digits.length;
  return [{ start: at, end: at + digits.length, name: 'said-secret', rank: 2 }];
};

const pinDigits = /(?: (?:is|for the [a-z]{1,12} is|lautet|ist))?:? {1,2}["'`]?(\d{4,8})(?![\w.:])/y;

/** How far into the sentence a secret may stand. */
const reach = 90;
const maxWords = 9;
const word = /[!-~]+|[^\s!-~]+/g;

/** The secret, or up to where there is none. */
function secretAfter(text: string, end: number, named: Named): Span | number {
  // The rest of an inflected word, or of a compound.
  inflection.lastIndex = end;
  inflection.test(text);
  const from = inflection.lastIndex;
  const line = sentenceFrom(text, from);
  // Most sentences about passwords have nothing in them that could be one.
  if (!/[\d!@#$%^&*?+~_]|-\w+-|[a-z][A-Z]/.test(line)) return from + line.length / 2;
  let words = 0;
  let before = '';
  word.lastIndex = 0;
  for (let match = word.exec(line); match !== null; match = word.exec(line)) {
    const { 0: raw, index } = match;
    // What was taken out before is the secret that the sentence names; nothing after it is.
    if (++words > maxWords || opensCode.test(raw) || raw.includes('[redacted:')) return from + index;
    if (raw.length >= 4 && raw.charCodeAt(0) < 128) {
      const [value, offset] = bared(raw);
      const isIntroduced =
        isIntroduction(before, raw, line.slice(Math.max(0, index - 4), index)) || isQuoted(raw);
      const [part, shift] = secretPart(value);
      if (value.length >= 4 && isSecretWord(part, named, isIntroduced)) {
        const start = from + index + offset + shift;
        return { start, end: start + part.length, name: 'said-secret', rank: 2 };
      }
    }
    if (endsSentence.test(raw)) return from + index + raw.length;
    before = raw;
  }
  return from + line.length / 2;
}

const inflection = /[A-Za-z\u00c0-\u024f\u0370-\u05ff\u0600-\u06ff\u0900-\u0dff\u3040-\u309f]{0,10}/y;

function isSecretWord(part: string, named: Named, isIntroduced: boolean): boolean {
  if (isIntroduced) return named === 'password' ? isToldPassword(part) : isRandomWord(part, 10);
  return isRandomWord(part, named === 'password' ? 8 : 12);
}

/** `ada / X` and `ada:X` name the user first. */
function secretPart(value: string): [part: string, offset: number] {
  const user = /^[\w.@+-]{2,40}[:/](?=[^/:]{6,}$)/.exec(value)?.[0] ?? '';
  return user === '' || !/^[a-z.@_-]+\d{0,3}[:/]$/i.test(user)
    ? [value, 0]
    : [value.slice(user.length), user.length];
}

/** To the end of the line, or where the next begins if this one says "password:" and no more. */
function sentenceFrom(text: string, from: number): string {
  const line = text.slice(from, from + reach);
  const ends = line.search(/[\r\n]/);
  if (ends === -1) return line;
  if (!/^[^\r\n]{0,40}[:：]["'`*]{0,3}[ \t]{0,4}(?:[|>][-+]?)?[ \t]{0,4}$/.test(line.slice(0, ends)))
    return line.slice(0, ends);
  // The value stands alone on the next line that is not empty.
  nextLine.lastIndex = ends;
  const next = nextLine.exec(line);
  return next === null ? line.slice(0, ends) : line.slice(0, nextLine.lastIndex);
}

const nextLine =
  /(?:[ \t]{0,8}\r?\n){1,3}[ \t]{0,16}(?:[>$*-] )?[`"']{0,3}[!-~]{6,80}(?=[ \t]{0,8}(?:\r?\n|$))/y;
const endsSentence = /[.!?;。！？；]$/;
const opensCode = /^(?:=>|=|==|===|\{|\(|\[|function|const|return|\/\/)$|\(\)|^\|\S/;

/** A verb, a colon or an arrow right before the word says that this word is it. */
const isIntroduction = (before: string, raw: string, line: string): boolean =>
  /[:：=→>]["'`*]{0,3}$/.test(before) ||
  verbs.has(before.toLowerCase()) ||
  // Written without spaces: 密码是X, パスワードはX, 비밀번호는 X.
  (/[!-~]/.test(raw[0] ?? '') && /(?:是|为|為|は|이|가|은|는|를|을|[:：])\s?["'`]?$/.test(line));

const verbs = new Set(
  'is was be to as = - now set ist lautet lautete war heißt heisst auf als es era son será est était sera à é e è jest to brzmi na это такой теперь стал це тепер на luidt är er on je zní este adalah là được thành هي هو है olarak είναι הוא היא คือ ini uses using use with mit con avec com z с'.split(
    ' ',
  ),
);

const isQuoted = (raw: string): boolean => /^["'`].+["'`][.,;:!?)]?$/.test(raw);

/** Without the quotes, brackets and stops around it. A stop may belong to a password, and then little is lost. */
function bared(raw: string): [value: string, offset: number] {
  const offset = /^["'`([<*]{0,3}/.exec(raw)?.[0].length ?? 0;
  return [raw.slice(offset).replace(/["'`)\]>*]{0,3}[.,;:]{0,2}["'`)\]>*]{0,3}$/, ''), offset];
}

/** "X is the password", "use X as the token", "X ist das Passwort". */
function secretBefore(text: string, start: number): Span | undefined {
  const match = said.exec(text.slice(Math.max(0, start - reach), start));
  if (match === null) return undefined;
  const [value, offset] = bared(match[1] as string);
  if (!isRandomWord(value, 8)) return undefined;
  const at = start - (match[0] as string).length + offset;
  return { start: at, end: at + value.length, name: 'said-secret', rank: 2 };
}

const said =
  /(?<![!-~])([!-~]{8,80}) {1,2}(?:is|as|was|for|ist|als|es|est|como|comme|come|jest|jako|is het|är|er) (?:[\p{L}-]{1,12} ){0,2}$/u;
