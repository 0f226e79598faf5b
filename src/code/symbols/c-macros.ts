/**
 * Blanks out attribute macros. The parser sees C before preprocessing, and a macro such as `__init` or
 * `API_EXPORT` before a name makes it misread the definition. Spaces keep every position unchanged.
 */
export function blankMacros(text: string, isCpp: boolean): string {
  return text
    .split('\n')
    .map((line) => (line.length > maxLineLength || !mayContainMacro.test(line) ? line : blankIn(line, isCpp)))
    .join('\n');
}

/** Longer lines are tables of data, on which the patterns below would backtrack for long. */
const maxLineLength = 300;
const mayContainMacro = /__[a-z]|[A-Z]{2}/;

const alone = /^[ \t]*[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*$/;
/** `class API name {`. */
const ofType =
  /(\b(?:class|struct|union|enum)[ \t]+)([A-Z][A-Z0-9_]+(?:\([^()]*\))?)(?=[ \t]+\w+[ \t]*(?:final\b|[:{]|$))/;
/** `static int __init name(` and `int *__weak name(`. */
const beforeName = /(\w[ \t*]+)(__[a-z]\w*)(?=[ \t]+\**\w+[ \t]*(?:[([;=]|$))/;
const types =
  /(?:^|[^\w])(?:struct|union|enum|static|extern|inline|const|volatile|unsigned|signed|typedef|register)[ \t*]+$/;
/** `API_EXPORT int name(`. */
const inFront =
  /^([ \t]*(?:(?:static|inline|extern|virtual|explicit|friend|constexpr)[ \t]+|template[ \t]*<[^<>]*>[ \t]*)*)([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]+[A-Za-z_])/;
const typeAndName = /^[ \t]+[A-Za-z_][\w:<>,]*[ \t*&]+[A-Za-z_~]\w*[ \t]*\(/;
const nameOnly = /^[ \t]+[A-Za-z_~]\w*[ \t]*\(/;

function blankIn(given: string, isCpp: boolean): string {
  if (alone.test(given)) return ' '.repeat(given.length);
  let line = given.replace(ofType, (_, before: string, macro: string) => before + ' '.repeat(macro.length));
  // Several macros may follow one another.
  for (let round = 0; round < 3; round++) {
    const attribute = beforeName.exec(line);
    if (attribute === null) break;
    const [, before = '', macro = ''] = attribute;
    const at = attribute.index + before.length;
    if (types.test(line.slice(0, at))) break;
    line = blank(line, at, macro.length);
  }
  for (let round = 0; round < 3; round++) {
    const front = inFront.exec(line);
    if (front === null) break;
    const [, before = '', macro = ''] = front;
    const rest = line.slice(before.length + macro.length);
    if (!typeAndName.test(rest) && !(isCpp && nameOnly.test(rest)) && !inFront.test(rest)) break;
    line = blank(line, before.length, macro.length);
  }
  return line;
}

const blank = (line: string, at: number, length: number): string =>
  line.slice(0, at) + ' '.repeat(length) + line.slice(at + length);
