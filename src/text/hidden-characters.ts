/**
 * Characters that a reader does not see but a model or a terminal still acts on: controls, joiners, fillers,
 * bidirectional marks, variation selectors and tags. Unicode's own properties name them, so a new version of Unicode
 * needs no new list here.
 *
 * A few are part of how a script or an emoji is written and are kept, but only in that place:
 * - a joiner or non-joiner directly after a letter or mark of a script that joins (Arabic, Persian, the Indic scripts),
 * - a joiner between two emoji, as in the emoji of a family,
 * - the emoji variation selector directly after an emoji, or within a keycap,
 * - a Mongolian variation selector directly after a Mongolian letter.
 * Each keeps its place only beside characters that stay, so cleaning a cleaned text changes nothing.
 */
const joining = [
  'Arabic,Syriac,Nko,Mandaic,Mongolian,Phags_Pa,Devanagari,Bengali,Gurmukhi,Gujarati,Oriya',
  'Tamil,Telugu,Kannada,Malayalam,Sinhala,Khmer,Myanmar,Tibetan,Balinese,Javanese',
]
  .join()
  .split(',')
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');
const joiningLetter = String.raw`[[${joining}]&&[[\p{L}\p{M}]--\p{Default_Ignorable_Code_Point}]]`;
const mongolianLetter = String.raw`[\p{Script=Mongolian}&&\p{L}]`;
const emoji = String.raw`\p{Extended_Pictographic}`;

const kept = [
  String.raw`(?<=${joiningLetter})[\u200c\u200d]`,
  String.raw`(?<=${emoji}\ufe0f?|\p{Emoji_Modifier})\u200d(?=${emoji})`,
  String.raw`(?<=${emoji})\ufe0f`,
  String.raw`(?<=[#*0-9])\ufe0f(?=\u20e3)`,
  String.raw`(?<=${mongolianLetter})[\u180b-\u180d\u180f]`,
].join('|');

/** Format characters of Arabic, Syriac and Kaithi that are drawn: number signs, the end of a verse. */
const drawnFormats = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`;
const invisible = String.raw`[[\p{Default_Ignorable_Code_Point}\p{Cf}]--${drawnFormats}]`;
/** All but tab and line feed. */
const controls = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f`;

const hidden = new RegExp(`(?!${kept})[${invisible}${controls}]`, 'gv');
/** A carriage return that ends a line does nothing; any other moves the cursor. */
const shown = new RegExp(String.raw`(?!${kept})(?!\r(?:\n|$))[${invisible}${controls}\u2028\u2029]`, 'gv');
/** Most text is plain, and one look at it is enough. */
const isPlain = (text: string): boolean => /^[\t\n -~]*$/.test(text);

export const dropHidden = (text: string): string =>
  isPlain(text) ? text : text.toWellFormed().replace(hidden, '');

/**
 * Text that must stay true to its source, such as a line of code: what is hidden is written out as `<U+200B>`, the way
 * `less` does, instead of being dropped.
 */
export const showHidden = (text: string): string =>
  isPlain(text) ? text : text.toWellFormed().replace(shown, codePointName);

/** The same in every string of a value, keys included. */
export function showHiddenIn<T>(value: T): T {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return showHidden(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null || 'toJSON' in part) return part;
    return Object.fromEntries(Object.entries(part).map(([key, own]) => [showHidden(key), visit(own)]));
  };
  return visit(value) as T;
}

const codePointName = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/** JSON that a terminal can show: the same value, with every hidden character as a `\u` escape. */
export const jsonWithoutHidden = (value: unknown, indent?: number): string =>
  // JSON has escaped the controls below a space; those left between its tokens are its own line feeds.
  JSON.stringify(value, null, indent).replace(shown, (character) =>
    [...character].flatMap(unitsOf).map(unitEscape).join(''),
  );

const unitsOf = (character: string): number[] =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
