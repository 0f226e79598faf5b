import { stem } from '../../text/stem.ts';
import { keyOf, termsOfToken, type WordKey } from './word-keys.ts';

/** Letters, digits, `_`, `$`, and every byte of a non-ASCII character. */
export const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || /[A-Za-z0-9_$]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

const minLength = 2;
const maxLength = 80;
const maxTokens = 200_000;

/**
 * Counts words in bytes without creating strings. A token is a run of word characters, such as an identifier, and is
 * split into words: `parseArguments` into itself, `parse` and `arguments`. A few thousand tokens make up nearly all
 * code, so each is split once and then recognized by a 64-bit hash. Counts are in an array, not a map.
 */
export class ByteWords {
  private slots = new Int32Array(1 << 16);
  private hashes: number[] = [];
  private others: number[] = [];
  /**
   * For each token, the words that it is split into, as indexes into `keys` and `counts`. `keys` has the hash of each
   * word.
   */
  private wordsOf: number[][] = [];
  private numbers = new Map<WordKey, number>();
  private keys: WordKey[] = [];
  private counts = new Uint32Array(1 << 12);
  private touched: number[] = [];
  private readonly stems = new Map<string, string>();

  /** Adds the words in a range of a text; returns how many there were. */
  count(bytes: Uint8Array, from: number, end: number): number {
    let words = 0;
    for (let at = from; at < end; ) {
      if (isWordByte[bytes[at] as number] === 0) {
        at++;
        continue;
      }
      const start = at;
      let hash = 0x811c9dc5 | 0;
      let other = 0x9747b28c | 0;
      for (; at < end && isWordByte[bytes[at] as number] === 1; at++) {
        const byte = bytes[at] as number;
        hash = Math.imul(hash ^ byte, 0x01000193);
        other = Math.imul(other + byte, 0x85ebca6b) ^ (other >>> 13);
      }
      if (at - start < minLength || at - start > maxLength) continue;
      words++;
      for (const number of this.wordsOf[this.tokenAt(bytes, start, at, hash, other)] as number[]) {
        if (this.counts[number] === 0) this.touched.push(number);
        this.counts[number] = (this.counts[number] as number) + 1;
      }
    }
    return words;
  }

  /**
   * Calls `each` with the words counted since the last `take`, in the order of first occurrence, and resets the
   * counts.
   */
  take(each: (key: WordKey, count: number) => void): void {
    for (const number of this.touched) {
      each(this.keys[number] as WordKey, this.counts[number] as number);
      this.counts[number] = 0;
    }
    this.touched = [];
    if (this.hashes.length > maxTokens) this.forget();
  }

  private tokenAt(bytes: Uint8Array, start: number, end: number, hash: number, other: number): number {
    const mask = this.slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; this.slots[slot] !== 0; slot = (slot + 1) & mask) {
      const token = (this.slots[slot] as number) - 1;
      if (this.hashes[token] === hash && this.others[token] === other) return token;
    }
    const token = this.hashes.length;
    this.slots[slot] = token + 1;
    this.hashes.push(hash);
    this.others.push(other);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
    const terms = termsOfToken(text, (part) => this.stemOf(part));
    this.wordsOf.push(terms.map((term) => this.numberOf(keyOf(term))));
    if (this.hashes.length * 2 > this.slots.length) this.grow();
    return token;
  }

  /** Returns the stem of a part of a name. Stems are cached, because names reuse the same parts. */
  private stemOf(part: string): string {
    const before = this.stems.get(part);
    if (before !== undefined) return before;
    const found = stem(part);
    this.stems.set(part, found);
    return found;
  }

  private numberOf(key: WordKey): number {
    const before = this.numbers.get(key);
    if (before !== undefined) return before;
    const number = this.keys.push(key) - 1;
    this.numbers.set(key, number);
    if (number >= this.counts.length) {
      const counts = new Uint32Array(this.counts.length * 2);
      counts.set(this.counts);
      this.counts = counts;
    }
    return number;
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    this.hashes.forEach((hash, token) => {
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = token + 1;
    });
  }

  private forget(): void {
    this.slots = new Int32Array(1 << 16);
    this.hashes = [];
    this.others = [];
    this.wordsOf = [];
    this.numbers.clear();
    this.stems.clear();
    this.keys = [];
  }
}
