import { isReference } from './random-word.ts';

/**
 * Recognises passwords that people make up: words joined with digits and signs, such as `Blue.Whale77` or
 * `Żaba-w-stawie12`, and short phrases in quotes. Host names, versions and ticket ids look similar, so the caller says
 * how the sentence leads to the word; the weaker the lead, the stricter the form.
 */
export type Lead =
  /** A copula, a colon or quotes: "the password is X". */
  | 'stated'
  /** Right after the word for a password: "password X". */
  | 'adjacent'
  /** The password comes later in the same clause: "пароль от сервера X". */
  | 'distant';

const isAllowed = (word: string): boolean => /^[\p{L}\p{M}\p{N}_.!@#$%^&*?+~=:'/-]{6,64}$/u.test(word);
const strongSigns = /[!@#$%^&*?+~=]/;
/** Punctuation that occurs in passwords. A full stop at the end belongs to the sentence. */
const innerSign = /[!@#$%^&*+~=](?!$)|[!@#$%^&*+~=?]$/;

export function isChosenPassword(word: string, lead: Lead): boolean {
  // A word such as `blue_whale77` is not taken for a variable: a variable name rarely ends with two digits, but a
  // password often does.
  const spelled = /^[a-z]+_[a-z_]+\d\d+$/.test(word) ? word.replaceAll('_', '-') : word;
  if (!isAllowed(word) || isReference(spelled) || isTechnical(word)) return false;
  const letters = [...word.matchAll(/\p{L}/gu)].length;
  const digits = [...word.matchAll(/\d/g)].length;
  if (letters < 3) return false;
  const hasUpper = /\p{Lu}/u.test(word);
  const hasLower = /[\p{Ll}\p{Lo}]/u.test(word);
  const parts = word.split(/[-_.&+!@#$%^*]+/).filter((part) => /\p{L}/u.test(part));
  const isSigned = innerSign.test(word);
  const isNumbered = digits > 1 || (hasUpper && parts.length > 1 && /\p{L}\d\p{L}/u.test(word));
  if (digits === 0) return lead === 'stated' && (isMixedName(word) || (isSigned && hasUpper && hasLower));
  if (lead === 'stated') return digits > 1 || hasUpper || isSigned || parts.length > 1;
  if (!hasLower || infrastructure.test(word)) return false;
  if (lead === 'adjacent')
    return word.length >= 7 && (isNumbered || isSigned) && (hasUpper || isSigned || word.length >= 9);
  const isLongNumber = digits > 2 && !/(?:19|20)\d\d$/.test(word);
  const isUncommon = isLongNumber || hasUpper || /[^\0-\x7f]/.test(word) || strongSigns.test(word);
  return word.length >= 8 && isNumbered && isUncommon && (isSigned || parts.length > 1);
}

/** `Nebel-Horn-qWeRt`: words joined by punctuation, one of them with capitals inside. */
const isMixedName = (word: string): boolean =>
  /^[\p{L}]+(?:[-_.][\p{L}]+){2,}$/u.test(word) && /\p{Ll}\p{Lu}/u.test(word);

/** A version, ticket id, date, size, address, file, format or term about passwords is no password. */
const isTechnical = (word: string): boolean =>
  technical.test(word) ||
  /^[A-Z]{2,10}-\d+$|^[\w.+-]+@[\w-]+\.[\w.-]+$|^\d+(?:[-.:/x]\d+)*[a-zA-Z%-]*$/.test(word) ||
  /^[a-z]{1,12}[-_:][0-9a-f]{12,}$|^(?:0x)?[0-9a-f-]{16,}$|^[a-z_]\w*\.[a-z_]\w*(?:\.\w+)*$/.test(word) ||
  /\.(?:[a-z]{2,5}|mp[34]|7z)(?::\d+)*$|:\d{2,5}$|[/:]{2}|^\w+[:=]|'s$|^id[-_]/i.test(word);

const technical =
  /sha-?\d|md[45]|base-?(?:32|58|64)|utf-?\d|argon|oauth|openid|saml|https?|pbkdf|crypt|int\d|float\d|array|aes|rsa|ed25519|x509|pkcs|rfc-?\d|iso-?\d|nist|cve-|ipv\d|tls|ssl|log4j|pass(?:w|p|c|k|$)|pwd|kennwort|contrase|redacted|\d+-(?:bit|char|byte|digit|day|hour|min|stellig|zeichen)|^v?\d+(?:\.\d+)+|[a-z]+-?\d+\.\d+|\d{4}-\d\d/i;

/** Words that are parts of host names, releases and test data. */
const infrastructure =
  /(?:^|[-_.\d])(?:server|srv|db|database|host|node|prod|production|dev|staging|stage|stg|test|tests|web|app|api|cluster|user|users|admin|build|agent|release|sprint|version|windows|win|ubuntu|debian|python|java|chrome|firefox|safari|android|ios|iphone|postgres|mysql|redis|kafka|router|vm|ec2|eu|us|issue|ticket|bug|pr|step|phase|task|story|chapter|section|figure|table|page|line|error|code|http|port|room|level|form|field|input|option|flag|type|model|gpt|claude|layer|zone|region|rack|shard|worker|runner|client|tenant|customer|account|team|group|schema|migration)s?(?=[-_.\d]|$)/i;

/** Function words and punctuation of sentences, which passphrases rarely contain. */
const sentenceWords =
  /(?:^|\s)(?:the|an?|your?|is|are|was|be|been|must|should|can|cannot|could|will|not|no|to|for|from|of|in|on|at|or|and|if|it|its|this|that|with|by|please|enter|invalid|wrong|incorrect|missing|required|least|characters?|new|old|current|confirm|forgot|reset|change|changed|set|has|have|do|does|did|ist|der|die|das|ein|eine|und|oder|nicht|muss|bitte|für|mit|von|zu|le|la|les|un|une|de|du|des|et|est|pas|votre|el|los|las|es|su|tu|por|para|con|não|sua|seu|di|il|non|tuo|per|het|een|van|niet|uw|og|och|att|ikke|inte|er|w|na|nie|do|się|v|je|se|в|на|не|и|для|от|с)(?=\s|$)|passw|passp|passe|contrase|senha|парол|hasł|hesl|lösen|kennw|wachtw|jelsz|salasan|token|secret|[.?!,:;(){}<>=$%[\]/\\]/iu;

/** `purple tractor sings 406`: three to eight words that do not form a sentence. */
export function isChosenPhrase(phrase: string): boolean {
  const words = phrase.trim().split(/\s+/);
  if (words.length < 3 || words.length > 8 || phrase.length > 80 || sentenceWords.test(phrase)) return false;
  if (!words.every((word) => /^(?:[\p{L}\p{M}'-]{2,14}\d{0,4}|\d{1,6}[!?]?)$/u.test(word))) return false;
  const isNumbered = /\d/.test(phrase);
  return isNumbered || (words.length >= 4 && !/\p{Lu}/u.test(phrase));
}
