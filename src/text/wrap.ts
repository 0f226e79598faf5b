/**
 * Breaks lines between words, with a hanging indent below the text, after a bullet or a first column. Colour codes take
 * no columns; East Asian characters take two.
 */
export const wrap = (text: string, columns: number): string =>
  text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n');

const colour = /\u001b\[[0-9;]*m/g;
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/gu;

export const withoutColour = (text: string): string => text.replace(colour, '');

export function columnsOf(text: string): number {
  const plain = withoutColour(text);
  return [...plain].length + (plain.match(wide)?.length ?? 0);
}

/** If the hanging indent would leave fewer columns than this, the lines are indented less. */
const minTextColumns = 30;

function wrapLine(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line;
  const hang = hangOf(line, columns);
  const lines: string[] = [];
  let current = '';
  let isFresh = true;
  for (const piece of line.split(/(?<=\s)(?=\S)/)) {
    if (!isFresh && columnsOf((current + piece).trimEnd()) > columns) {
      lines.push(current.trimEnd());
      current = ' '.repeat(hang);
    }
    current += piece;
    isFresh = false;
    if (columnsOf(current.trimEnd()) > columns) {
      const cut = cutWord(current, columns, hang);
      lines.push(...cut.full);
      current = cut.rest;
    }
  }
  return [...lines, current.trimEnd()].join('\n');
}

/**
 * The column at which the text of a line begins: after its indentation, its bullet, or its first column and two spaces.
 */
function hangOf(line: string, columns: number): number {
  const plain = withoutColour(line);
  const start = /^(?:\s*(?:[-*] |\S+(?: \S+)?\s{2,})|\s*)/.exec(plain)?.[0] ?? '';
  const indent = /^\s*/.exec(plain)?.[0] ?? '';
  return columns - columnsOf(start) >= minTextColumns
    ? columnsOf(start)
    : Math.min(columnsOf(indent), columns - minTextColumns);
}

/** Cuts a word that is longer than a line, never inside a colour code. Linear time, because a word may be very long. */
function cutWord(text: string, columns: number, hang: number): { full: string[]; rest: string } {
  const full: string[] = [];
  const end = text.trimEnd().length;
  let [start, width, indent] = [0, 0, ''];
  for (const { 0: letter, index } of text.matchAll(/\u001b\[[0-9;]*m|[\s\S]/gu)) {
    if (index >= end) break;
    const room = columnsOf(letter);
    if (width + room > columns) {
      full.push(indent + text.slice(start, index));
      [start, width, indent] = [index, hang, ' '.repeat(hang)];
    }
    width += room;
  }
  return { full, rest: indent + text.slice(start) };
}
