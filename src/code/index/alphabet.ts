/**
 * Maps the 256 byte values to 64 classes, so that the three bytes of a gram, the unit of the index, make an 18-bit
 * key. That is small enough to index an array directly, and one index serves case-sensitive and case-insensitive
 * searches. Because bytes share a class, the index finds more candidates than there are matches; reading the text
 * removes the others.
 */
export const classCount = 64;
export const gramCount = classCount ** 3;

/** The class of newlines and control characters. No gram contains one, so no gram spans two lines. */
export const breakClass = 0;

const blankClass = 1;
const firstLetter = 2;
const firstDigit = 28;
const underscore = 38;
/** Characters that rarely distinguish one line from another share a class. */
const punctuation = [
  '!?',
  '"\'`',
  '#',
  '$@',
  '%^~',
  '&|',
  '(',
  ')',
  '*',
  '+',
  ',',
  '-',
  '.',
  '/\\',
  ':',
  ';',
  '<[{',
  '>]}',
  '=',
];
const firstPunctuation = 39;
const firstHighByte = firstPunctuation + punctuation.length;

function classOfByte(byte: number): number {
  if (byte >= 0xe0) return firstHighByte + 5;
  if (byte >= 0xc0) return firstHighByte + 4;
  if (byte >= 0x80) return firstHighByte + ((byte >> 4) & 3);
  const letter = String.fromCharCode(byte);
  if (/[a-z]/i.test(letter)) return firstLetter + letter.toLowerCase().charCodeAt(0) - 97;
  if (/[0-9]/.test(letter)) return firstDigit + byte - 48;
  if (letter === '_') return underscore;
  if (/[\t\r\f\v ]/.test(letter)) return blankClass;
  const group = punctuation.findIndex((members) => members.includes(letter));
  return group === -1 ? breakClass : firstPunctuation + group;
}

export const classOf = Uint8Array.from({ length: 256 }, (_, byte) => classOfByte(byte));

export const gramOf = (a: number, b: number, c: number): number => (a << 12) | (b << 6) | c;
