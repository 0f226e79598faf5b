import { isAboutSecret } from './assigned-secret.ts';
import { beyondAscii, isAlphanumeric } from './character-classes.ts';
import { isChosenPassword, isChosenPhrase, type Lead } from './chosen-password.ts';
import { isRandomWord, isStatedPassword } from './random-word.ts';
import type { Matcher, Span } from './redact.ts';
import { tableSecret } from './table-secret.ts';
import { matchesAt, textBefore } from './text-before.ts';

/**
 * Secrets stated in a sentence: "Das Passwort für ada lautet …", "数据库密码是…", "pw …". The word for a password is
 * found in many languages, and the words after it on the same line are then checked one by one. A word directly after a
 * verb or a colon may be any password; a later one must look random by itself.
 */

/** Keywords in ASCII, found by the common keyword scan. Inflected forms have these as prefixes. */
export const passwordWords =
  'password|passwort|kennwort|passphrase|passcode|pass is|pass was|contrase|contrasinal|clave|mot de passe|mdp|phrase secr|senha|palavra-passe|palavra passe|frase-passe|parol|wachtwoord|wachtzin|wagwoord|hasl|hesl|losenord|adgangskode|adgangsord|kodeord|kodeordet|passord|salasan|tunnussan|jelsz|sifre|sifra|sifru|kata sandi|kata laluan|sandinya|parool|lozink|gesl|zapork|slaptazod|nenosiri|pasahitz|lykilor|fjalekalim|mat khau|pw|pwd|passwd|passw|unlock it with|unlock with|unlocks with|decrypt it with|decrypts with';
export const keyWords =
  'token|secret|api key|api-key|apikey|access key|secret key|private key|license key|geheimnis|schluessel|sleutel|klucz|chiave|chave|llave|jeton|anahtar|nyckel|geheim|credential|creds|zugangsdaten|logins|login|key';
/** Words for a PIN. They are short and part of many other words, so they must be separate words. */
export const pinWords =
  'pin is|pin:|pin for|pin of|pin code|pin-code|pin-kod|pincode|pin lautet|pin ist|pin es|pin est|pin to|passcode|door code|gate code|alarm code|access code|unlock code|entry code|keypad code';

/** Keywords with non-ASCII letters, which the keyword scan does not find. */
const foreignPasswords =
  'парол|кодовое слово|кодове слово|кодовая фраза|гасло|лозинк|шифра|пасс|密码|密碼|口令|暗码|パスワード|パスフレーズ|合言葉|暗証番号|비밀번호|패스워드|암호|비번|كلمة المرور|كلمة مرور|كلمة السر|كلمة سر|الرقم السري|باسورد|رمز المرور|رمز الدخول|पासवर्ड|गुप्तशब्द|कूटशब्द|mật khẩu|hasł|lösen|jelszó|şifre|šifr|contraseñ|κωδικ|συνθηματικ|סיסמ|รหัสผ่าน|slaptažod|salasõn|lykilorð|fjalëkalim|گذرواژه|رمز عبور|پسورد|پاس ورڈ|পাসওয়ার্ড|கடவுச்சொல்|పాస్‌వర్డ్|პაროლ|գաղտնաբառ|құпия';
/** Phrases that introduce a user and a password without a word for either. */
export const loginWords =
  'log in with|login with|log in as|login as|logged in with|logged in as|log into|sign in with|sign in as|signed in with|authenticate with|authenticate as|connect with|connect as|ssh as|ssh in as|credentials are|creds are|credentials:|creds:|credentials for|creds for|connecte-toi|connectez-vous|connecter avec|identifie-toi|inicia sesi|entra con|entra como|conecta con|accede con|accedi con|accedi come|entra no|entre com|entre no|fazer login|conecte com|melde dich|meld dich|logge dich|log dich|einloggen mit|anmelden mit|anmeldung mit|zugangsdaten:|zugangsdaten sind|zugang:|log ind|logg inn|logga in|log in met|inloggen met|inloggen als|zaloguj|logowanie|loguj|kirjaudu|jelentkezz|masuk dengan|masuk sebagai|login dengan|login sebagai|conecteaza-te|autentifica-te|prijavi se|prijavite se|when sudo asks|sudo asks|asks for a password|prompts for a password|asks for it|when prompted|when asked|if it asks|when it asks';
const hasForeignLetters = /[\u00c0-\u1fff\u2c00-\ud7ff\uf900-\ufdff\ufe70-\uffef]/;

let foreignWord: RegExp | undefined;

export function foreignSecrets(text: string): Span[] {
  if (!hasForeignLetters.test(text)) return [];
  foreignWord ??= new RegExp(foreignPasswords, 'giu');
  const spans: Span[] = [];
  let [readUntil, tableUntil] = [0, 0];
  for (const { 0: word, index: start } of text.matchAll(foreignWord)) {
    if (start < readUntil) continue;
    const end = start + word.length;
    const table = start < tableUntil ? undefined : tableSecret(text, start, end);
    if (typeof table === 'number') tableUntil = table;
    else if (table !== undefined && 'until' in table) {
      spans.push(...table.spans);
      tableUntil = table.until;
    }
    const found = secretAfter(text, end, 'password');
    if (typeof found === 'number') readUntil = found;
    else spans.push(found);
  }
  return spans;
}

type Named = 'password' | 'key' | 'login';

/** ASCII characters that may follow the keyword in a sentence. Most other characters follow it only in code. */
const sentenceCharacters = ' :-"\'`*\n\r';

/** In a sentence the keywords are separate words; in code they are parts of identifiers. */
export const secretInSentence =
  (named: Named): Matcher =>
  (text, start, end) => {
    const isInWord = isAlphanumeric(text.charCodeAt(start - 1)) && !isCompound(text, start, end);
    if (isInWord || '_.$/\\+='.includes(text[start - 1] ?? ' ')) return undefined;
    // After an English keyword only an s may follow: `keyword`, `tokenizer` and `pW4AC0` are other words.
    if (english.test(text.slice(start, end)) && matchesAt(goesOn, text, end)) return undefined;
    const followers = named === 'login' ? `${sentenceCharacters},` : sentenceCharacters;
    const next = text[end] ?? '';
    if (asciiSign.test(next) && !followers.includes(next)) return undefined;
    // A field of JSON: `assignedSecret` reads its value.
    if (named === 'key' && matchesAt(fieldEnd, text, end)) return undefined;
    if (isAboutSecret(text, start)) return undefined;
    const before = text[start - 1] === ' ' ? secretBefore(text, start, end, named) : undefined;
    if (before !== undefined) return [before];
    const found = secretAfter(text, end, named);
    return typeof found === 'number' ? found : [found];
  };

/** ASCII other than letters and digits. */
const asciiSign = /[\0-/:-@[-`{-\x7f]/;
const fieldEnd = /["']\s?:/y;
const english = /^(?:.*key|token|secret|login|creds?|credential|pwd?|mdp)$/i;
const goesOn = /[a-rt-z0-9]|s[a-z0-9]/iy;

/** `Datenbankpasswort`, `adminwachtwoord`: compounds in languages that write them as one word. */
const isCompound = (text: string, start: number, end: number): boolean =>
  compounds.has(text.slice(start, end).toLowerCase()) && /[a-z]/.test(text[start - 1] as string);

const compounds = new Set(['passwort', 'kennwort', 'wachtwoord', 'adgangskode', 'passord', 'salasan']);

/** "the PIN is 4821": only digits, directly after the keyword. */
export const pinInSentence: Matcher = (text, start, end) => {
  if (isAlphanumeric(text.charCodeAt(start - 1)) || '_.$/-'.includes(text[start - 1] ?? ' '))
    return undefined;
  pinDigits.lastIndex = end;
  const digits = pinDigits.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const at = pinDigits.lastIndex - digits.length;
  return [{ start: at, end: at + digits.length, name: 'said-secret', rank: 2 }];
};

const pinDigits =
  /(?:(?: for| of| to)?(?: [a-z]{1,12}){1,3}? (?:is|was)| (?:is|lautet|ist|es|est|to|je|är|er))?:? {1,2}["'`]?(\d{4,8})(?![\w.:])/y;

/** Characters after the keyword in which a secret may occur. */
const maxDistance = 110;
const signLength = 4;
const minWordLength = 4;
const maxWords = 11;
/** Letters of scripts with spaces. A word of another script, such as Chinese, ends where one of these begins. */
const wordLetters = '!-~\\u00c0-\\u024f\\u0370-\\u052f\\u1e00-\\u1fff';
const word = new RegExp(`[${wordLetters}]+|[^\\s${wordLetters}]+`, 'g');

/** Returns the secret, or the position up to which there is none. */
function secretAfter(text: string, end: number, named: Named): Span | number {
  // Skip the rest of an inflected word or a compound.
  const isSpaceless = text.charCodeAt(end - 1) >= 0x3000;
  const inflection = isSpaceless ? kanaInflection : letterInflection;
  inflection.lastIndex = end;
  inflection.test(text);
  const from = inflection.lastIndex;
  // An identifier continues: `password_reset`, `passwordOf(`.
  if ('_(.'.includes(text[from] ?? ' ') && isAlphanumeric(text.charCodeAt(from - 1))) return from;
  // In text that a program quoted, an escaped line break ends a word. The positions stay the same.
  const line = sentenceFrom(text, from).replaceAll('\\n', '  ');
  // Another keyword in the second half may state a secret that is too far away for this one.
  const until = from + line.length / 2;
  // Fast path: most sentences about passwords contain nothing that could be a password.
  if (!/[\d!@#$%^&*?+~_]|-\w+-|[a-z][A-Z]|["'`]\S+ \S+ [^"'`]+["'`]/.test(line)) return until;
  if (named === 'password') {
    const phrase = quotedPhrase(line);
    if (phrase !== undefined) return spanAt(from + phrase.index, phrase.length);
  }
  let words = 0;
  let before = '';
  for (const { 0: raw, index } of line.matchAll(word)) {
    // Stop if the secret of this sentence has already been redacted.
    if (++words > maxWords || opensCode.test(raw) || raw.includes('[redacted:')) return from + index;
    if (raw.length >= minWordLength) {
      const [value, offset] = bared(raw);
      const near = textBefore(line, index, signLength);
      const isIntroduced = isIntroduction(before, raw, near) || isQuoted(raw);
      const [part, shift] = secretPart(value);
      const lead = leadTo({ named, words, before, raw, near, after: line.slice(index + raw.length) });
      const isSecret =
        isSecretWord(part, named, isIntroduced) || (lead !== undefined && isChosenPassword(part, lead));
      if (isSecret) return spanAt(from + index + offset + shift, part.length);
    }
    if (endsSentence.test(raw)) return from + index + raw.length;
    before = raw;
  }
  return until;
}

const spanAt = (start: number, length: number): Span => ({
  start,
  end: start + length,
  name: 'said-secret',
  rank: 2,
});

const letterInflection = /[A-Za-z\u00c0-\u024f\u0370-\u05ff\u0600-\u06ff\u0900-\u0dff]{0,10}/y;
/** In Chinese and Japanese only an inflection in kana may be between the keyword and the password. */
const kanaInflection = /[\u3040-\u309f]{0,10}/y;

function isSecretWord(part: string, named: Named, isIntroduced: boolean): boolean {
  if (beyondAscii.test(part)) return false;
  const isPassword = named === 'password';
  if (isIntroduced) return isPassword ? isStatedPassword(part) : isRandomWord(part, 10);
  return isRandomWord(part, isPassword ? 8 : 12);
}

interface Place {
  named: Named;
  /** Position of the word after the keyword, from 1. */
  words: number;
  before: string;
  raw: string;
  near: string;
  after: string;
}

/** How the sentence leads to a word that may be a made-up password. */
function leadTo({ named, words, before, raw, near, after }: Place): Lead | undefined {
  if (named === 'key') return undefined;
  if (named === 'login') {
    const isGiven = words <= maxLoginWords && gives.test(before);
    return isGiven || (words <= maxOrderWords && orders.test(before)) ? 'adjacent' : undefined;
  }
  const isStated =
    copulas.has(before.toLowerCase()) || /[:：=→]["'`*]{0,3}$/.test(before) || copulaSuffix.test(near);
  if (isStated) return 'stated';
  if (isQuoted(raw)) return namesOther.test(before) ? undefined : 'stated';
  if (words === 1) return 'adjacent';
  return /[,.;)]$/.test(raw) || /^\s{0,3}(?:[\r\n(]|$|(?:है|है।|است|입니다|です)(?:[\s.。]|$))/.test(after)
    ? 'distant'
    : undefined;
}

const maxLoginWords = 4;
/** After a phrase such as "when sudo asks", only the next words may be the text to type. */
const maxOrderWords = 3;
/** Quotes after these words contain the name of a user or thing: `failed for user "X"`. */
const namesOther =
  /^(?:users?|roles?|accounts?|hosts?|databases?|keys?|fields?|files?|labels?|named|called|for|of|in|on|at|by|from|to|login|benutzer|nutzer|für|von|utilisateur|pour|usuario|para|usuário|utente|per|gebruiker|voor|użytkownik\S*|dla|uživatel\S*|pro|пользовател\S*|для|в|användare\S*|för|bruger\S*|for|käyttäjä\S*|kullanıcı\S*|用户|ユーザー|사용자)$/i;

/** Words that stand between a user and a password, or before the text that is to be typed. */
const gives =
  /^(?:and|et|y|e|ed|und|og|och|en|i|a|и|і|та|с|з|ja|és|ve|dan|và|și|si|και|ו|و|和|と|및|with|\/|\||pass|pw|[\w.@-]{2,40}[,:/])$/i;

const orders =
  /^(?:type|enter|use|give|answer|saisis|tape|gib|tippe|escribe|digita|wpisz|zadej|введи|skriv)$/i;

const maxQuoteDistance = 60;
const maxWordsToQuote = 8;

/** A quoted phrase within a few words: `passphrase "…"`. */
function quotedPhrase(line: string): { index: number; length: number } | undefined {
  const quote = line.search(/["'`]/);
  const before = line.slice(0, quote);
  if (
    quote === -1 ||
    quote > maxQuoteDistance ||
    /[=(){}[\]<>,;]/.test(before) ||
    before.split(' ').length > maxWordsToQuote
  )
    return undefined;
  const end = line.indexOf(line[quote] as string, quote + 1);
  if (end === -1 || !isChosenPhrase(line.slice(quote + 1, end))) return undefined;
  return { index: quote + 1, length: end - quote - 1 };
}

/** `ada / X` and `ada:X` begin with the user. */
function secretPart(value: string): [part: string, offset: number] {
  const user = /^[\w.@+-]{2,40}[:/](?=[^/:]{6,}$)/.exec(value)?.[0] ?? '';
  return user === '' || !/^[a-z.@_-]+\d{0,3}[:/]$/i.test(user)
    ? [value, 0]
    : [value.slice(user.length), user.length];
}

/** If the line ends with "password:", the next non-empty line is added. */
function sentenceFrom(text: string, from: number): string {
  const line = text.slice(from, from + maxDistance);
  const ends = line.search(/[\r\n]/);
  if (ends === -1) return line;
  if (!/^[^\r\n]{0,40}[:：]["'`*]{0,3}[ \t]{0,4}(?:[|>][-+]?)?[ \t]{0,4}$/.test(line.slice(0, ends)))
    return line.slice(0, ends);
  // The value may be alone on the next non-empty line.
  nextLine.lastIndex = ends;
  const next = nextLine.exec(line);
  return next === null ? line.slice(0, ends) : line.slice(0, nextLine.lastIndex);
}

const nextLine =
  /(?:[ \t]{0,8}\r?\n){1,3}[ \t]{0,16}(?:[>$*-] )?[`"']{0,3}[!-~]{6,80}(?=[ \t]{0,8}(?:\r?\n|$))/y;
const endsSentence = /[.!?;。！？；]$/;
const opensCode = /^(?:=>|=|==|===|\{|\(|\[|function|const|return|\/\/)$|\(\)|^\|\S/;

/** A verb, a colon or an arrow directly before the word introduces the secret. */
const isIntroduction = (before: string, raw: string, line: string): boolean =>
  /[:：=→>]["'`*]{0,3}$/.test(before) ||
  verbs.has(before.toLowerCase()) ||
  // Written without spaces: 密码是X, パスワードはX, 비밀번호는 X.
  (/[!-~]/.test(raw[0] ?? '') && copulaSuffix.test(line));

const verbs = new Set(
  'is was be to as = - now set ist lautet lautete war heißt heisst auf als es era son será est était sera à é e è jest to brzmi na это такой теперь стал це тепер на luidt är er on je zní este adalah là được thành هي هو है olarak είναι הוא היא คือ ini uses using use with mit con avec com z с'.split(
    ' ',
  ),
);

/** Verbs after which only the password itself can follow. */
const copulas = new Set(
  'is was are now = - – — → ist lautet lautete war heißt heisst es era son será est était sera é è era jest brzmi to это теперь стал стала є це тепер luidt är er var on je zní znie glasi este e sunt е adalah yaitu ialah là هي هو है थी था είναι הוא היא זה คือ és ir yra ni eshte është olarak changed'.split(
    ' ',
  ),
);
/** Verbs and particles before a password in scripts without spaces: 密码是X, パスワードはX, 비밀번호는 X. */
const copulaSuffix = /(?:是|为|為|は|이|가|은|는|를|을|[:：])\s?["'`]?$/;

const isQuoted = (raw: string): boolean => /^["'`].+["'`][.,;:!?)]?$/.test(raw);

/** If the trailing punctuation was part of the password, only that character stays visible. */
function bared(raw: string): [value: string, offset: number] {
  const offset = (/^["'`([<*]{0,3}/.exec(raw) as RegExpExecArray)[0].length;
  const word = raw.slice(offset).replace(/\*\*[!?]+$/, '');
  return [word.replace(/["'`)\]>*]{0,3}[.,;:]{0,2}["'`)\]>*]{0,3}$/, ''), offset];
}

/** "X is the password", "use X as the token", "X ist das Passwort". */
function secretBefore(text: string, start: number, end: number, named: Named): Span | undefined {
  const match = (named === 'login' ? typed : statedBefore).exec(textBefore(text, start, maxDistance));
  if (match === null) return undefined;
  const [value, offset] = bared(match[1] as string);
  const mayBeChosen = (named === 'password' || named === 'login') && !matchesAt(aboutPasswords, text, end);
  const isRandom = !beyondAscii.test(value) && isRandomWord(value, minStatedLength);
  if (!isRandom && !(mayBeChosen && isChosenPassword(value, 'adjacent'))) return undefined;
  const at = start - match[0].length + match[0].indexOf(match[1] as string);
  return spanAt(at + offset, value.length);
}

/** Words such as "hash" in "as the password hash": the sentence is about a password but does not state one. */
const aboutPasswords =
  /s?[ -](?:hash|field|column|algorithm|polic|manager|store|reset|file|format|length|type|input|check|rule|hint|encod)/iy;
const minStatedLength = 8;
const statedBefore =
  /(?<!\S)(\S{8,80}) {1,2}(?:is|as|was|for|ist|als|es|est|como|comme|come|jest|jako|is het|är|er) (?:[\p{L}-]{1,12} ){0,2}$/u;
/** "type X when sudo asks". */
const typed = /(?<!\S)(?:type|enter|use|give|answer) (\S{6,80}) {1,2}(?:when |if |as soon as )?$/i;
