import { sha256 } from './ids.ts';

/**
 * Hash functions without node:crypto, because loading that module takes a fifth of a hook's time budget and a
 * hook hashes short texts. The results are the standard ones, so other code may compute them natively.
 */
const words = (hex: string): Uint32Array =>
  Uint32Array.from({ length: hex.length / 8 }, (_, at) => Number.parseInt(hex.slice(at * 8, at * 8 + 8), 16));

const initialState = words('6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19');
const roundConstants = words(
  '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc3' +
    '72be5d7480deb1fe9bdc06a7c19bf174e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da' +
    '983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca63511429296727b70a852e1b21384d2c6dfc53380d13' +
    '650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070' +
    '19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc70208' +
    '90befffaa4506cebbef9a3f7c67178f2',
);

export function sha256Short(text: string): string {
  const message = Buffer.from(text, 'utf8');
  const length = Math.ceil((message.length + 9) / 64) * 64;
  const padded = Buffer.alloc(length);
  message.copy(padded);
  padded[message.length] = 0x80;
  padded.writeUInt32BE(Math.floor(message.length / 0x2000_0000), length - 8);
  padded.writeUInt32BE((message.length << 3) >>> 0, length - 4);
  const state = new Uint32Array(initialState);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < length; offset += 64) compress(state, schedule, padded, offset);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

type Words = [number, number, number, number, number, number, number, number];

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(state: Uint32Array, words: Uint32Array, block: Buffer, offset: number): void {
  for (let at = 0; at < 16; at++) words[at] = block.readUInt32BE(offset + at * 4);
  for (let at = 16; at < 64; at++) {
    const a = words[at - 15] as number;
    const b = words[at - 2] as number;
    const mixed = (rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)) + (rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10));
    words[at] = mixed + (words[at - 16] as number) + (words[at - 7] as number);
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Words;
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g);
    const sum =
      h +
      (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
      choice +
      (roundConstants[at] as number) +
      (words[at] as number);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const next = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = (d + sum) | 0;
    d = c;
    c = b;
    b = a;
    a = (sum + next) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => {
    state[at] = (state[at] as number) + word;
  });
}

/** Loading node:crypto takes as long as hashing this many characters without it. */
const minNativeLength = 16 * 1024;
let hashedLength = 0;

/**
 * Returns 128 bits of SHA-256 over the parts, as hex. NUL separates the parts, so ("ab","c") and ("a","bc")
 * differ. It is computed natively if a process hashes much.
 */
export function hashId(...parts: string[]): string {
  const text = parts.join('\0');
  hashedLength += text.length;
  return (hashedLength < minNativeLength ? sha256Short(text) : sha256(text)).slice(0, 32);
}

const minNativeBytes = 512 * 1024;
let bytesHashed = 0;
let nativeCrc32: ((bytes: Uint8Array) => number) | undefined;

const crcTable = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  crcTable[byte] = crc;
}

/** CRC-32 as in zip and zlib. It detects torn and altered lines; it is not a cryptographic hash. */
export function crc32(bytes: Uint8Array): number {
  bytesHashed += bytes.length;
  // zlib is six times as fast but takes time to load, which pays off only when much is read.
  if (bytesHashed > minNativeBytes) nativeCrc32 ??= process.getBuiltinModule('node:zlib').crc32;
  if (nativeCrc32 !== undefined) return nativeCrc32(bytes);
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at++)
    crc = (crcTable[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const fingerprintEndLength = 2_000;

/**
 * Fingerprints a text to tell it from the other texts of its turn (one prompt and the answers to it). Not resistant
 * to forgery.
 */
export function textFingerprint(text: string): string {
  // Hash only the length and both ends: two answers of one turn that agree in all three are the same answer.
  const ends =
    text.length <= fingerprintEndLength * 2
      ? text
      : text.slice(0, fingerprintEndLength) + text.slice(-fingerprintEndLength);
  return `${text.length}:${crc32(Buffer.from(ends, 'utf8')).toString(16)}`;
}

/**
 * Hashes a line of code to 53 bits, so that the line can be found again in a later edit. White space is ignored:
 * formatters change it, and some agents report tabs as spaces.
 */
export function lineHash(line: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    if (unit <= 0x20 || unit === 0xa0) continue;
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16).padStart(14, '0');
}
