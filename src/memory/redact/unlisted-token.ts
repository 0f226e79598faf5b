import { isExample, isVaried, wordShare } from './randomness.ts';
import { textBefore } from './text-before.ts';

/**
 * Recognises tokens of providers without a rule: a short prefix, an underscore or dash, and thirty or more random
 * characters. Ids have the same form, but they are shorter, or have one of the known prefixes below.
 */
export function isPrefixedToken(run: string): boolean {
  const match = form.exec(run);
  if (match === null || run.length > maxLength) return false;
  const [, prefix = '', sign = '', body = ''] = match;
  if (idPrefix.test(prefix) || isExample(body) || !isVaried(body)) return false;
  const isSecretPrefix = secretPrefix.test(prefix);
  if (/^[0-9a-f]+$/i.test(body))
    return sign === '_' ? body.length >= (isSecretPrefix ? 24 : 40) : isSecretPrefix && body.length >= 32;
  if (!/\d/.test(body)) return false;
  const isMixed = /[a-z]/.test(body) && /[A-Z]/.test(body);
  const minLength = isSecretPrefix ? 20 : isMixed ? 30 : 36;
  return body.length >= minLength && wordShare(body) < 0.35 && changes(body) >= body.length / 8;
}

const maxLength = 400;
const form =
  /^([a-z][a-z0-9]{1,14}(?:[_-][a-z0-9]{1,12}){0,3}?)([_-])([A-Za-z0-9]{20,}(?:[_-][A-Za-z0-9_-]{2,})?)$/;
const secretPrefix =
  /(?:^|[_-])(?:\w{0,8}(?:sk|pat|key|tok|token|secret|apikey|live|auth|api|pk|rk|sec))(?:$|[_-])/;
export const idPrefix =
  /^(?:sha\d{0,3}|md5|hash|digest|commit|diff|rev|ref|build|chunk|bundle|asset|cache|etag|layer|image|img|container|object|blob|tree|node|file|dir|page|row|item|font|icon|class|css|style|svelte|module|modules|index|main|vendor|polyfill|runtime|webpack|h1|dpl|msg|req|res|run|step|job|trace|span|event|evt|user|usr|org|team|proj|project|thread|call|toolu|chatcmpl|rs|fc|resp|asst|batch|session|sess|sid|uid|id|uuid|cus|sub|prod|price|inv|in|pi|pm|ch|acct|txn|seti|snap|data|test|fixture|example|sample|x86|utf8|arn|vpc|subnet|ami|vol|eni|sg|rtb|igw|i|wf|act|conn|con|integrity|nonce|boundary)(?:[_-]|$)/;

/** The kind of character changes at every second or third one in random text, rarely in names. */
function changes(body: string): number {
  return [...body.matchAll(/[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|\d(?=[A-Za-z])/g)].length;
}

/** The form of a token that has several parts, none of which is recognisable alone. */
interface Shape {
  before?: RegExp;
  run: RegExp;
  after?: RegExp;
}

const shapes: Shape[] = [
  // A Mailgun key; its first part looks like an MD5 hash.
  { run: /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/ },
  // A Sanity token.
  { run: /^sk[A-Za-z0-9]{78,180}$/ },
  // A Discord token: a numeric id in base64, a time, and a signature.
  { run: /^[MNO][A-Za-z][\w-]{20,28}$/, after: /\.[\w-]{6}\.[\w-]{27,45}(?![\w-])/y },
  // An id and its secret, as used by Ghost, fal and Ably.
  { before: /(?<![A-Za-z0-9])[0-9a-f]{24}:$/, run: /^[0-9a-f]{64}$/ },
  { before: /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:$/, run: /^[0-9a-f]{32}$/ },
  { before: /(?<![\w.])[\w-]{6}\.[\w-]{6}:$/, run: /^(?=[\w-]{32,60}$)(?=.*\d).*[A-Z]/ },
];

const maxLeadLength = 40;

/** The whole token, if this run is a part of one. */
export function shapedToken(
  text: string,
  start: number,
  end: number,
): { start: number; end: number } | undefined {
  const own = text.slice(start, end);
  for (const { before, run, after } of shapes) {
    if (!run.test(own)) continue;
    const lead = before === undefined ? '' : before.exec(textBefore(text, start, maxLeadLength))?.[0];
    if (lead === undefined) continue;
    if (after === undefined) return { start: start - lead.length, end };
    after.lastIndex = end;
    if (after.test(text)) return { start: start - lead.length, end: after.lastIndex };
  }
  return undefined;
}
