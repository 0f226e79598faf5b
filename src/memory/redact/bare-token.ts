import { hasAlphabet, isVaried, wordShare } from './randomness.ts';

/**
 * A long word of chance in the middle of a sentence, with no beginning and no name: keys of Cloudflare, Hetzner or
 * AWS look like this. In data and code such words are hashes, so there must be a sentence around it, and the
 * sentence must not say that it is one.
 */
const minLength = 32;
const maxLength = 100;
const reach = 60;

export function isBareToken(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < minLength || length > maxLength) return false;
  if (!opens.test(text[start - 1] ?? ' ') || !closes.test(text.slice(end, end + 2))) return false;
  const word = text.slice(start, end);
  if (!isChance(word) || known.test(word)) return false;
  const before = text.slice(Math.max(0, start - reach), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return sentence.test(line) && !hashes.test(line) && !code.test(line);
}

const opens = /[\s"'`(]/;
const closes = /^(?:["'`)]?[\s.,;!?]|["'`)]?$|["'`][\s.,;)])/;
const sentence = /(?:^|[^\w.])[a-z]{2,12},? (?:[A-Za-z]{1,12}[,:]? ){1,}["'`(]?$/;
const hashes =
  /hash|digest|checksum|integrity|sha|md5|fingerprint|commit|revision|etag|nonce|cid|address|public|pubkey|id\b|uuid|signature|version|image|layer|blob|import|from /i;
const code = /[={}<>;]|=>|\/\/|\*/;
/** Addresses that are meant to be seen, and encoded text that is looked at by itself. */
const known = /^(?:Qm|baf|AAAA|ssh-|sha\d|0x|\/|--)/;

/** All kinds of letters, changing as often as chance makes them. */
function isChance(word: string): boolean {
  const count = (kind: RegExp): number => word.match(kind)?.length ?? 0;
  const upper = count(/[A-Z]/g);
  const digits = count(/\d/g);
  if (digits < 2 || upper < 4) return false;
  const changes = count(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|\d(?=[A-Za-z])/g);
  if (changes < word.length / 3.5 || count(/[_/+-]/g) > word.length / 6) return false;
  return isVaried(word) && !hasAlphabet(word) && wordShare(word) < 0.2;
}
