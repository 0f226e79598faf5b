/**
 * Base64 does not hide a secret, so a run that decodes to text is checked as text, one level deep. Only the first few
 * characters are decoded at first, so that images and hashes cost little.
 */
const maxEncodedLength = 24_000;
const probeLength = 16;
/** `name:password`, as in HTTP basic authentication and Docker credentials. */
const nameAndPassword = /^[\w.@+-]{2,64}:[\x21-\x7e]{6,200}$/;

/** The text and where its code ends, including padding and continuation lines. */
export function decodedText(text: string, start: number, end: number) {
  const first = decode(text.slice(start, start + probeLength));
  if (!isText(first)) return undefined;
  // Continue on the following lines, because base64 encoders wrap at 64 or 76 characters.
  lines.lastIndex = start;
  const wrapped = (end - start === 64 || end - start === 76) && lines.test(text) ? lines.lastIndex : end;
  let last = wrapped;
  for (let pad = 0; pad < 2 && text[last] === '='; pad++) last++;
  const decoded = decode(text.slice(start, Math.min(last, start + maxEncodedLength)));
  return isText(decoded) ? { end: last, text: decoded } : undefined;
}

export const isLogin = (decoded: string): boolean =>
  // A name has a letter: an id of GitHub decodes to `04:User10911412`.
  nameAndPassword.test(decoded) &&
  /[A-Za-z].*:/.test(decoded) &&
  /\d|[^\w.:@+-]/.test(decoded.slice(decoded.indexOf(':')));

const lines = /(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{76})(?:\r?\n[A-Za-z0-9+/]{2,76}){1,300}/y;

const decode = (run: string): string => Buffer.from(run, 'base64').toString('utf8');

/** Whether the decoded bytes are text: without control or replacement characters. */
const isText = (decoded: string): boolean =>
  decoded.length >= 8 && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/.test(decoded);
