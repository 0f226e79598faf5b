/**
 * A normalised view of a text, without characters that hide a secret from a regex: terminal colours, zero-width
 * characters, fullwidth letters, typographic quotes and box drawing. It maps positions back to the original, so that a
 * secret found in the view is removed from the original text.
 */
export interface PlainView {
  text: string;
  original(start: number, end: number): { start: number; end: number };
}

const hiding = new RegExp(
  [
    String.raw`[\u001b\u009b\u0007\u00a0\u00ab\u00ad\u00bb\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f`,
    String.raw`\u2000-\u2015\u2018-\u201f\u202a-\u202f\u2039\u203a\u205f-\u206f\u2212\u24b6-\u24e9\u2500-\u256c`,
    String.raw`\u3000\u300c-\u300f\u3164\ud835\udb40\ufe00-\ufe0f\ufeff\uff01-\uff5e`,
    String.raw`\uffa0]|\\(?:u001[bB]|x1[bB]|033|e)\[`,
  ].join(''),
);

/** Returns the plain view of a text; undefined if the text contains no hidden or disguised character, as most texts. */
export function plainView(text: string): PlainView | undefined {
  const first = text.search(hiding);
  if (first === -1) return undefined;
  letters ??= plainLetters();
  const view = new Uint16Array(text.length);
  const origin = new Uint32Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    let plain = letters[code] as number;
    const start = at;
    if (plain === special) {
      const [letter, end] = specialAt(text, at, code);
      plain = letter;
      at = end - 1;
    }
    if (plain === removed) continue;
    origin[length] = start;
    view[length++] = plain;
  }
  return {
    text: Buffer.from(view.buffer, 0, length * 2).toString('utf16le'),
    original(start, end) {
      const last = origin[end - 1] as number;
      return { start: origin[start] as number, end: last + ((text.codePointAt(last) ?? 0) > 0xffff ? 2 : 1) };
    },
  };
}

/** The replacement of each UTF-16 unit; a unit that is not listed replaces itself. */
let letters: Uint16Array | undefined;
const removed = 0xffff;
/** Marks a character whose treatment depends on the characters after it. */
const special = 0xfffe;

function plainLetters(): Uint16Array {
  const table = Uint16Array.from({ length: 0x10000 }, (_, code) => code);
  const replace = (from: number, to: number, as: number | string): void => {
    for (let code = from; code <= to; code++) table[code] = typeof as === 'string' ? as.charCodeAt(0) : as;
  };
  for (const code of [0x1b, 0x9b, 0x5c, 0xd835, 0xdb40]) replace(code, code, special);
  // Invisible characters are removed.
  for (const code of [0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xfeff, 0xffa0])
    replace(code, code, removed);
  for (const [from, to] of [
    [0x180b, 0x180f],
    [0x200b, 0x200f],
    [0x202a, 0x202e],
    [0x2060, 0x206f],
    [0xfe00, 0xfe0f],
  ] as const)
    replace(from, to, removed);
  // Unusual spaces become a plain space.
  for (const code of [0x7, 0xa0, 0x1680, 0x202f, 0x205f, 0x3000]) replace(code, code, ' ');
  replace(0x2000, 0x200a, ' ');
  // Characters that look like an ASCII character become that one: quotes, dashes, box drawing.
  for (const code of [0x2039, 0x203a]) replace(code, code, "'");
  for (const code of [0xab, 0xbb]) replace(code, code, '"');
  replace(0x2018, 0x201b, "'");
  replace(0x201c, 0x201f, '"');
  replace(0x300c, 0x300f, '"');
  replace(0x2504, 0x256c, '+');
  for (const code of [0x2212, 0x2500, 0x2501, 0x2550]) replace(code, code, '-');
  replace(0x2010, 0x2015, '-');
  for (const code of [0x2502, 0x2503, 0x2551]) replace(code, code, '|');
  // Fullwidth and circled letters become the plain letter that Unicode defines as compatible.
  for (let code = 0xff01; code <= 0xff5e; code++) table[code] = code - 0xfee0;
  for (let code = 0x24b6; code <= 0x24e9; code++)
    table[code] = String.fromCharCode(code).normalize('NFKC').charCodeAt(0);
  return table;
}

const sequence =
  /\u001b\[[0-?]{0,64}[ -/]{0,4}[@-~]|\u009b[0-?]{0,64}[ -/]{0,4}[@-~]|\u001b[()*+][0-9A-Za-z]|\u001b[\\@-Z^_=>c78]?|\\(?:u001[bB]|x1[bB]|033|e)\[[0-9;]{0,32}[A-Za-z]/y;
/** The start of a sequence that sets a link or a title. Only it is removed; its text stays. */
const announcement = /\u001b\][0-9;]{0,32}/y;
const backslash = 0x5c;

function specialAt(text: string, at: number, code: number): [letter: number, end: number] {
  if (code === 0xd835 || code === 0xdb40) {
    const pair = text.slice(at, at + 2).normalize('NFKC');
    if (code === 0xdb40) return [removed, at + 2];
    return pair.length === 1 && at + 1 < text.length ? [pair.charCodeAt(0), at + 2] : [code, at + 1];
  }
  if (code === backslash && !'ux0e'.includes(text[at + 1] ?? ' ')) return [code, at + 1];
  announcement.lastIndex = at;
  if (announcement.test(text)) return [32, announcement.lastIndex];
  sequence.lastIndex = at;
  if (sequence.test(text)) return [removed, sequence.lastIndex];
  return [code === backslash ? code : removed, at + 1];
}
