/** A terminal sequence, also as it is written in code, and a colour of which the escape character was lost. */
const sequence = String.raw`\u001b\[[0-?]{0,64}[ -\/]{0,4}[@-~]|\u009b[0-?]{0,64}[ -\/]{0,4}[@-~]|\u001b[\(\)*+][0-9A-Za-z]|\u001b[\\@-Z\^_=>c78]?|\\(?:u001[bB]|x1[bB]|033|e)\[[0-9;]{0,32}[A-Za-z]|\u009b|\[\d{1,3}(?:;\d{1,3}){0,4}m`;

/** What stands for what in the view. Undefined: the plain letter that Unicode defines as compatible. */
const disguises: [plain: string | undefined, pattern: string][] = [
  // The start of a sequence that sets a link or a title. Only it is removed; its text stays.
  [' ', String.raw`\u001b\][0-9;]{0,32}|[\u0007\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]`],
  ['', sequence],
  ['', String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e]`],
  ['', String.raw`[\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufffe\uffff\u{e0000}-\u{e03ff}]`],
  ["'", String.raw`[\u2018-\u201b\u2039\u203a]`],
  ['"', String.raw`[\u00ab\u00bb\u201c-\u201f\u300c-\u300f]`],
  ['-', String.raw`[\u2010-\u2015\u2212\u2500\u2501\u2550]`],
  ['|', String.raw`[\u2502\u2503\u2551]`],
  ['+', String.raw`[\u2504-\u256c]`],
  [undefined, String.raw`[\u24b6-\u24e9\uff01-\uff5e\u{1d400}-\u{1d7ff}]`],
];
const mayDisguise = /[\u0007\u001b\u009b-\uffff]|\\(?:u001[bB]|x1[bB]|033|e)\[|\[\d{1,3}(?:;\d{1,3}){0,4}m/;
let disguised: RegExp | undefined;

/**
 * A normalised view of a text, without characters that hide a secret from a regex: terminal colours, zero-width
 * characters, fullwidth letters, typographic quotes and box drawing. It maps positions back to the original, so that a
 * secret found in the view is removed from the original text. Undefined if the text has no such character, as most.
 */
export function plainView(text: string) {
  if (!mayDisguise.test(text)) return undefined;
  disguised ??= new RegExp(disguises.map(([, pattern]) => `(${pattern})`).join('|'), 'gu');
  const origin = new Uint32Array(text.length);
  let view = '';
  let read = 0;
  const keep = (until: number): void => {
    for (let at = read, place = view.length; at < until; ) origin[place++] = at++;
    view += text.slice(read, until);
  };
  for (const match of text.matchAll(disguised)) {
    const [found] = match;
    const [plain] = disguises[match.findIndex((group, at) => at > 0 && group !== undefined) - 1] ?? [];
    const shown = plain ?? found.normalize('NFKC');
    if (shown === found) continue;
    keep(match.index);
    origin[view.length] = match.index;
    view += shown;
    read = match.index + found.length;
  }
  if (read === 0) return undefined;
  keep(text.length);
  return {
    text: view,
    original(start: number, end: number) {
      const last = origin[end - 1] as number;
      return { start: origin[start] as number, end: last + ((text.codePointAt(last) ?? 0) > 0xffff ? 2 : 1) };
    },
  };
}
