import { hasAlphabet, isVaried, wordShare } from './randomness.ts';
import { matchesAt, textBefore } from './text-before.ts';
import { idPrefix } from './unlisted-token.ts';

/**
 * Recognises a long random word in a sentence, without a known prefix or a name, such as keys of Cloudflare, Hetzner or
 * AWS. In data and code such words are hashes, so there must be a sentence around it that does not mention a hash.
 */
const minLength = 32;
const maxLength = 100;
const contextLength = 60;

export function isBareToken(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < minLength || length > maxLength) return false;
  if (!matchesAt(closes, text, end)) return false;
  const word = text.slice(start, end);
  if (!isRandomMix(word) || known.test(word) || idPrefix.test(word)) return false;
  const before = textBefore(text, start, contextLength);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return sentence.test(line) && !hashes.test(line) && !code.test(line);
}

const closes = /["'`)]?(?:[\s.,;!?]|$)|["'`]\)/y;
/** Ends with what may open a word: a space, and a quote or a parenthesis. */
const sentence = /(?:^|[^\w.])[a-z]{2,12},? (?:[A-Za-z]{1,12}[,:]? ){1,}["'`(]?$/;
const hashes =
  /hash|digest|checksum|integrity|sha|md5|fingerprint|commit|revision|etag|nonce|cid|address|public|pubkey|id\b|uuid|signature|version|image|layer|blob|import|from /i;
const code = /[={}<>;]|=>|\/\/|\*/;
/** Beginnings of public identifiers, and of encodings that other rules handle. */
const known = /^(?:Qm|baf|AAAA|ssh-|sha\d|0x|\/|--)/;

/** Returns whether the word contains all kinds of characters, alternating as often as in a random string. */
function isRandomMix(word: string): boolean {
  const count = (kind: RegExp): number => word.match(kind)?.length ?? 0;
  const upper = count(/[A-Z]/g);
  const digits = count(/\d/g);
  if (digits < 2 || upper < 4) return false;
  const changes = count(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|\d(?=[A-Za-z])/g);
  if (changes < word.length / 3.5 || count(/[_/+-]/g) > word.length / 6) return false;
  return isVaried(word) && !hasAlphabet(word) && wordShare(word) < 0.2;
}
