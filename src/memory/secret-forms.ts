import { isRandom, isVaried } from './randomness.ts';
import type { Look, Span } from './redact.ts';

/** Secrets known by where they stand rather than by their own letters. */
interface SecretForm {
  /** In lower case; met in any. */
  words: string[];
  look: Look;
}

/** A pattern that is tried from the keyword's end, made when it is first needed. Its group is the secret. */
function following(name: string, source: string, isSecret: (value: string) => boolean = () => true): Look {
  let pattern: RegExp | undefined;
  return (text, _start, end) => {
    pattern ??= new RegExp(source, 'yi');
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    const value = match?.[1];
    if (match === null || value === undefined) return undefined;
    if (!isSecret(value)) return end + match[0].length;
    const start = end + match[0].lastIndexOf(value);
    return [{ start, end: start + value.length, name, rank: 0 }];
  };
}

const maxKeyLength = 20_000;
// A heading alone is no key; letters of one must follow.
const keyBegins =
  /-----BEGIN[A-Z0-9 ]{0,40} PRIVATE KEY(?: BLOCK)?-----(?=[\s\S]{0,200}?[A-Za-z0-9+/]{16})(?![\s\\nr]{0,20}-----END)/y;
const keyEnds = /-----END[A-Z0-9 ]{0,40} PRIVATE KEY(?: BLOCK)?-----/g;

/** To its end, or as far as it was kept. */
const privateKey: Look = (text, start) => {
  keyBegins.lastIndex = start;
  if (!keyBegins.test(text)) return undefined;
  const body = text.slice(keyBegins.lastIndex, keyBegins.lastIndex + maxKeyLength);
  keyEnds.lastIndex = 0;
  const end = keyEnds.test(body) ? keyEnds.lastIndex : body.length;
  return [{ start, end: keyBegins.lastIndex + end, name: 'private-key', rank: 0 }];
};

const awsSecret = /(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
const awsReach = 160;

/** An access key's other half has no mark of its own; it is known by its neighbour. */
const awsPair: Look = (text, start) => {
  awsKey.lastIndex = start;
  if (!awsKey.test(text)) return undefined;
  const from = Math.max(0, start - awsReach);
  const spans: Span[] = [];
  for (const match of text.slice(from, start + 20 + awsReach).matchAll(awsSecret)) {
    if (!isRandom(match[0])) continue;
    const at = from + match.index;
    spans.push({ start: at, end: at + 40, name: 'aws-secret-key', rank: 0 });
  }
  return spans.length === 0 ? start + awsReach / 2 : spans;
};

const awsKey = /A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9])/y;

const isNoPlaceholder = (value: string): boolean =>
  !/^(?:\$|<|\{|%[A-Z]|\*|x{3}|\.{3}|\[redacted)/i.test(value);
const isToken = (value: string): boolean =>
  isNoPlaceholder(value) && isVaried(value) && /\d|[a-z][A-Z]/.test(value) && !/example/i.test(value);
const wellKnown =
  /^(?:pass|password|passwd|pwd|user|token|test|\*+|x+|y+|xyz|abc|123|none|\[.*|password[^\w].*)$/i;

/** `curl -u name:password`, wherever in the command. */
const commandUser: Look = (text, start, end) => {
  if (!/curl|wget|http|psexec/i.test(text.slice(Math.max(0, start - 400), start))) return undefined;
  userPassword.lastIndex = end;
  const match = userPassword.exec(text);
  const value = match?.[1];
  if (match === null || value === undefined || !isNoPlaceholder(value) || wellKnown.test(value))
    return undefined;
  const at = end + match[0].lastIndexOf(value);
  return [{ start: at, end: at + value.length, name: 'command-password', rank: 0 }];
};

const userPassword = /[ =]?["']?[^\s"':$<]{0,60}:([^\s"'<$][^\s"'<]{2,100})/y;

/** `psexec -p …`, `docker login -p …`, `sshpass -p …`. */
const commandPassword: Look = (text, start, end) => {
  if (!/psexec|sshpass|docker +login|az +login/i.test(text.slice(Math.max(0, start - 200), start)))
    return undefined;
  return flagValue(text, start, end);
};

const flagValue = following(
  'command-password',
  `["']?([^\\s"'$%<{-][^\\s"'<]{3,100})`,
  (value) => !wellKnown.test(value),
);

/** `machine … login … password …`, on one line or three. */
const netrcPassword: Look = (text, start, end) =>
  /login\s{1,8}\S{1,80}\s{1,8}$/.test(text.slice(Math.max(0, start - 100), start))
    ? netrcValue(text, start, end)
    : undefined;

const netrcValue = following('netrc-password', '([^\\s"\'<$]{4,200})');

const yamlValue =
  /\n[ \t]{1,12}[\w.-]{1,60}: {0,4}(?:[|>]-?\s{1,20})?["']?([A-Za-z0-9+/]{8,4000}={0,2})["']?(?=\s|$)/y;
const maxEntries = 20;

/** The entries of a Kubernetes secret are base64, which hides nothing. */
const kubernetesSecret: Look = (text, _start, end) => {
  const spans: Span[] = [];
  let at = end;
  for (let entry = 0; entry < maxEntries; entry++) {
    yamlValue.lastIndex = at;
    const match = yamlValue.exec(text);
    const value = match?.[1];
    if (match === null || value === undefined) break;
    const start = at + match[0].lastIndexOf(value);
    spans.push({ start, end: start + value.length, name: 'kubernetes-secret', rank: 0 });
    at = yamlValue.lastIndex;
  }
  if (spans.length === 0) return undefined;
  const around = text.slice(Math.max(0, end - 500), at + 500);
  return /kind["']?:\s{0,3}["']?secret/i.test(around) ? spans : at + 100;
};

export const secretForms: SecretForm[] = [
  { words: ['-----begin'], look: privateKey },
  { words: ['akia', 'asia'], look: awsPair },
  {
    words: ['authorization'],
    look: following(
      'authorization-header',
      `["'\\]\\\\]{0,3}\\s{0,4}[:=,]\\s{0,4}[\\\\"']{0,2}(?:[A-Za-z][A-Za-z0-9_-]{1,20}\\s{1,4}(?:token=)?["']?)?([A-Za-z0-9._~+/=:@-]{8,4000})`,
      isToken,
    ),
  },
  { words: ['-u ', '-u"', "-u'", '--user '], look: commandUser },
  { words: ['-p '], look: commandPassword },
  { words: ['password '], look: netrcPassword },
  {
    words: ['unseal '],
    look: following('vault-unseal-key', '(?:key \\d{1,2}: {0,3})?([A-Za-z0-9+/]{43,70}={0,2})', isRandom),
  },
  { words: ['data:'], look: kubernetesSecret },
  { words: ['bearer '], look: following('bearer-token', '([A-Za-z0-9._~+/=-]{20,4000})', isRandom) },
  {
    words: ['://'],
    look: following(
      'url-password',
      `[^\\s:/@"'<>]{0,100}:([^\\s/@"'<>]{4,200})@(?=[A-Za-z0-9\\[$\\{_.-])`,
      (value) => isNoPlaceholder(value) && !wellKnown.test(value),
    ),
  },
];
