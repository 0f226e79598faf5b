/**
 * A secret in base64 is readable to everybody, so a run that decodes to text is looked at as text, once. Bytes that
 * are no text are told by their first few, so that pictures and hashes cost nothing.
 */
const maxEncoded = 24_000;
const firstLetters = 16;
/** A name and a password, as HTTP and Docker send them. */
const nameAndPassword = /^[\w.@+-]{2,64}:[\x21-\x7e]{6,200}$/;

export interface Encoded {
  /** Beyond the run itself: padding, and the lines that go on with it. */
  end: number;
  text: string;
}

export function decodedText(text: string, start: number, end: number): Encoded | undefined {
  const first = decode(text.slice(start, start + firstLetters));
  if (!isText(first)) return undefined;
  // A program breaks its lines after 64 or 76 letters.
  lines.lastIndex = start;
  const wrapped = (end - start === 64 || end - start === 76) && lines.test(text) ? lines.lastIndex : end;
  let last = wrapped;
  for (let pad = 0; pad < 2 && text[last] === '='; pad++) last++;
  const decoded = decode(text.slice(start, Math.min(last, start + maxEncoded)));
  return isText(decoded) ? { end: last, text: decoded } : undefined;
}

export const isLogin = (decoded: string): boolean =>
  nameAndPassword.test(decoded) && /\d|[^\w.:@+-]/.test(decoded.slice(decoded.indexOf(':')));

const lines = /(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{76})(?:\r?\n[A-Za-z0-9+/]{2,76}){1,300}/y;

/** Both alphabets at once; the decoder knows either. */
const decode = (run: string): string => Buffer.from(run, 'base64').toString('utf8');

/** Letters, digits, signs and white space, and nothing a text would not have. */
function isText(decoded: string): boolean {
  if (decoded.length < 8) return false;
  for (let at = 0; at < decoded.length; at++) {
    const code = decoded.charCodeAt(at);
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 127 || code === 0xfffd)
      return false;
  }
  return true;
}
