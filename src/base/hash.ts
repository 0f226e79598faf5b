/**
 * Hashes without node:crypto. Loading that module takes a fifth of the time a hook may use, and what a hook
 * hashes is short. The results are the standard ones, so anything else may compute them natively.
 */
const rounds = new Uint32Array(64);
const start = new Uint32Array(8);
{
  // The constants of SHA-256: fractional parts of the roots of the first primes.
  let count = 0;
  for (let candidate = 2; count < 64; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++)
      if (candidate % divisor === 0) isPrime = false;
    if (!isPrime) continue;
    if (count < 8) start[count] = (candidate ** (1 / 2) % 1) * 0x1_0000_0000;
    rounds[count] = (candidate ** (1 / 3) % 1) * 0x1_0000_0000;
    count++;
  }
}

export function sha256Short(text: string): string {
  const message = Buffer.from(text, 'utf8');
  const length = Math.ceil((message.length + 9) / 64) * 64;
  const padded = Buffer.alloc(length);
  message.copy(padded);
  padded[message.length] = 0x80;
  padded.writeUInt32BE(Math.floor(message.length / 0x2000_0000), length - 8);
  padded.writeUInt32BE((message.length << 3) >>> 0, length - 4);
  const state = new Uint32Array(start);
  const words = new Uint32Array(64);
  for (let offset = 0; offset < length; offset += 64) compress(state, words, padded, offset);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(state: Uint32Array, words: Uint32Array, block: Buffer, offset: number): void {
  for (let at = 0; at < 16; at++) {
    const byte = offset + at * 4;
    const [a, b, c, d] = [block[byte], block[byte + 1], block[byte + 2], block[byte + 3]] as [
      number,
      number,
      number,
      number,
    ];
    words[at] = (a << 24) | (b << 16) | (c << 8) | d;
  }
  for (let at = 16; at < 64; at++) {
    const a = words[at - 15] as number;
    const b = words[at - 2] as number;
    const mixed = (rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)) + (rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10));
    words[at] = mixed + (words[at - 16] as number) + (words[at - 7] as number);
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g);
    const sum =
      h +
      (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
      choice +
      (rounds[at] as number) +
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

/** 128 bits of SHA-256 over the parts, as hex. NUL separates them, so ("ab","c") and ("a","bc") differ. */
export const hashId = (...parts: string[]): string => sha256Short(parts.join('\0')).slice(0, 32);

const crcTable = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  crcTable[byte] = crc;
}

/** CRC-32 as in zip and zlib: finds any torn or altered line, and is no secret. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at++)
    crc = (crcTable[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const markedEnd = 2_000;

/** Tells one text of a turn from another; not for anything that must withstand a forger. */
export function textMark(text: string): string {
  // The ends and the length: two answers of one turn that agree in all of it are the same answer.
  const ends = text.length <= markedEnd * 2 ? text : text.slice(0, markedEnd) + text.slice(-markedEnd);
  return `${text.length}:${crc32(Buffer.from(ends, 'utf8')).toString(16)}`;
}

/** 53 bits over one line of code, so that a line can be found again in a later edit. */
export function lineHash(line: string): string {
  const trimmed = line.trimEnd();
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < trimmed.length; at++) {
    const unit = trimmed.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16).padStart(14, '0');
}
