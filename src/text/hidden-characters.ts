/**
 * Finds characters that a reader cannot see but a model or a terminal still acts on: control characters, joiners,
 * fillers, bidirectional marks, variation selectors and tags.
 *
 * Some scripts and emoji need a few of them. Those are kept, but only in these positions:
 * - a joiner or non-joiner directly after a letter or mark of a script that joins (Arabic, Persian, the Indic scripts),
 * - a joiner between two emoji, as in the emoji of a family,
 * - the emoji variation selector directly after an emoji, or within a keycap,
 * - a Mongolian variation selector directly after a Mongolian letter.
 * Each of these depends only on neighbours that are kept themselves, so cleaning is idempotent.
 */
const joiningLetter = String.raw`[\u0620-\u06ff\u0710-\u07ff\u0840-\u085f\u0870-\u088f\u0892-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17d3\u1820-\u18aa\u1b00-\u1b7f\ua840-\ua877\ua980-\ua9df\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc]`;
const mongolianLetter = String.raw`[\u1820-\u18aa]`;
const emoji = String.raw`\p{Extended_Pictographic}`;

const kept = [
  String.raw`(?<=${joiningLetter})[\u200c\u200d]`,
  String.raw`(?<=${emoji}\ufe0f?|[\u{1f3fb}-\u{1f3ff}])\u200d(?=${emoji})`,
  String.raw`(?<=${emoji})\ufe0f`,
  String.raw`(?<=[#*0-9])\ufe0f(?=\u20e3)`,
  String.raw`(?<=${mongolianLetter})[\u180b-\u180d\u180f]`,
].join('|');

/**
 * Unicode's Default_Ignorable_Code_Point and format characters (Cf), without the format characters that are visible:
 * the number signs of Arabic and Kaithi. Written as ranges, because building the set from Unicode properties takes a
 * hook about 10 ms; a test compares the two.
 */
const invisible = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`;
/** Control characters, except tab and line feed. */
const controls = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f`;

let hiddenPattern: RegExp | undefined;
function hidden(): RegExp {
  hiddenPattern ??= new RegExp(`(?!${kept})[${invisible}${controls}]`, 'gu');
  return hiddenPattern;
}
/** A carriage return before a line feed is harmless; any other one moves the cursor and can hide text. */
let shownPattern: RegExp | undefined;
function shown(): RegExp {
  shownPattern ??= new RegExp(String.raw`(?!${kept})(?!\r\n)[${invisible}${controls}\u2028\u2029]`, 'gu');
  return shownPattern;
}
/** Fast path: most text is printable ASCII. */
const isPlain = (text: string): boolean => /^[\t\n -~]*$/.test(text);

export const dropHidden = (text: string): string =>
  isPlain(text) ? text : text.toWellFormed().replace(hidden(), '');

/**
 * For text that must stay true to its source, such as a line of code: hidden characters are written as `<U+200B>`, as
 * `less` does, instead of being removed.
 */
export const showHidden = (text: string): string =>
  isPlain(text) ? text : text.toWellFormed().replace(shown(), codePointName);

export const hasHidden = (text: string): boolean => !isPlain(text) && text.search(shown()) !== -1;

const codePointName = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/** JSON that is safe in a terminal: the same value, with every hidden character as a `\u` escape. */
export const jsonWithoutHidden = (value: unknown, indent?: number): string =>
  // JSON.stringify has escaped the control characters below U+0020 in strings. The line feeds that are left are its
  // own indentation.
  JSON.stringify(value, null, indent).replace(shown(), (character) =>
    [...character].flatMap(unitsOf).map(unitEscape).join(''),
  );

const unitsOf = (character: string): number[] =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
