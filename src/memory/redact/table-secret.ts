import { isChosenPassword, isChosenPhrase } from './chosen-password.ts';
import { isRandomWord, isStatedPassword } from './random-word.ts';
import type { Matcher, Span } from './redact.ts';
import { textBefore } from './text-before.ts';

/**
 * Finds cells below a heading that names a secret, in Markdown tables, output of database programs, CSV, and columns
 * aligned by spaces. A cell must also look like a secret, because tables describe settings too.
 */
const maxLineLength = 2_000;
const maxRows = 200;
/** Keywords that may be the heading of a column with secrets; `headings` then decides whether one is. */
export const tableHeadings =
  'password|passwd|passphrase|passwort|kennwort|pwd|pw|pass|secret|token|key|credential|contrase|clave|passe|senha|wachtwoord|heslo|geslo|losenord|adgangskode|passord|salasana|jelszo|lozinka|sifre|kata sandi|mdp|parola|parole|pin';
const isSecretHeading = (text: string): boolean =>
  /^["'`*]{0,2}(?:[\p{L}\w. -]{0,24}(?:password|passwd|passphrase|passwort|kennwort|pwd|pw|pass|secret|token|api[ _-]?key|access[ _-]?key|secret[ _-]?key|private[ _-]?key|credential|contrase\S{0,4}|clave|mot de passe|mdp|senha|palavra-passe|wachtwoord|has\S{0,2}o|heslo|geslo|l[oö]senord|adgangskode|passord|salasana|jelsz\S{0,2}|lozinka|šifra|парол\S{0,2}|密码|密碼|口令|パスワード|비밀번호|암호|[sş]ifre|parol\S{0,2}|κωδικός(?: πρόσβασης)?|סיסמ\S{0,2}|كلمة المرور|كلمة السر|पासवर्ड|mật khẩu|kata sandi|รหัสผ่าน)s?|key|pin)["'`*]{0,2}$/iu.test(
    text,
  );

export const tableSecret: Matcher = (text, start, end) => {
  // The keyword may be the stem of a word, such as `contrase` of `contraseña`.
  if (!mayFollow.includes(text[endOfStem(text, start, end)] ?? '')) return undefined;
  const near = textBefore(text, start, maxLineLength);
  const lineStart = start - near.length + near.lastIndexOf('\n') + 1;
  const lineEnd = endOfLine(text, end);
  // No line follows, so this is not a table.
  if (lineEnd >= text.length || lineEnd - lineStart > maxLineLength) return lineEnd;
  const heading = text.slice(lineStart, lineEnd);
  const split = splitterOf(heading, text, lineEnd);
  if (split === undefined) return lineEnd;
  const cells = split(heading);
  const columns = cells.flatMap((cell, at) =>
    isSecretHeading(heading.slice(cell.from, cell.to)) ? [at] : [],
  );
  if (columns.length === 0) return lineEnd;
  const spans: Span[] = [];
  let at = lineEnd;
  for (let row = 0; row < maxRows && at < text.length; row++) {
    const rowStart = at + 1;
    at = endOfLine(text, rowStart);
    const line = text.slice(rowStart, at);
    if (isRule(line)) continue;
    const found = split(line);
    if (found.length <= 1 || line.length >= maxLineLength) break;
    for (const column of columns) spans.push(...cellSecret(line, rowStart, cellOf(found, cells, column)));
  }
  // The whole table has been read; another keyword in its heading must not read it again.
  return { spans, until: at };
};

const asciiStem = /(?:(?![\0-\x7f])[\p{L}\p{M}]{1,6})?/uy;
const stem = /[\p{L}\p{M}]{0,6}/uy;

/** After an ASCII keyword, a letter of ASCII begins another word: `passive`. `hasł` is always a stem. */
function endOfStem(text: string, start: number, end: number): number {
  const pattern = /[^\0-\x7f]/.test(text.slice(start, end)) ? stem : asciiStem;
  pattern.lastIndex = end;
  pattern.test(text);
  return pattern.lastIndex;
}
const mayFollow = ' |\t,;\n\r"\'*`';

/** In a table aligned by spaces cells may be empty, so a cell is found by its position on the line. */
function cellOf(found: Cell[], headings: Cell[], column: number): Cell | undefined {
  const own = headings[column] as Cell;
  if (own.isAligned !== true) return found[column];
  return found.find(({ from, to }) => from < own.to && to > own.from);
}

function cellSecret(line: string, lineStart: number, cell: Cell | undefined): Span[] {
  if (cell === undefined) return [];
  const value = line.slice(cell.from, cell.to);
  const bare = value.replace(/^["'`]{1,2}|["'`]{1,2}$/g, '');
  if (!isCellSecret(bare)) return [];
  const start = lineStart + cell.from + value.indexOf(bare);
  return [{ start, end: start + bare.length, name: 'table-secret', rank: 2 }];
}

const isCellSecret = (cell: string): boolean =>
  /\s/.test(cell)
    ? isChosenPhrase(cell)
    : isStatedPassword(cell) ||
      isChosenPassword(cell, 'stated') ||
      isRandomWord(cell, 8) ||
      /^[0-9a-f]{24,128}$/i.test(cell);

function endOfLine(text: string, from: number): number {
  const end = text.slice(from, from + maxLineLength).indexOf('\n');
  return end === -1 ? Math.min(text.length, from + maxLineLength) : from + end;
}

const isRule = (line: string): boolean => /^[\s|:+=-]{3,}$/.test(line);

interface Cell {
  from: number;
  to: number;
  /** If set, a cell belongs to the heading above it by its position on the line, not by its column number. */
  isAligned?: true;
}
type Split = (line: string) => Cell[];

/** How the cells of a heading are separated; undefined if the line is not a heading. */
function splitterOf(heading: string, text: string, lineEnd: number): Split | undefined {
  if (heading.includes('|')) return cellsBetween('|');
  if (heading.includes('\t')) return cellsBetween('\t');
  const next = text.slice(lineEnd, endOfLine(text, lineEnd + 1));
  for (const sign of [',', ';']) {
    // A line of code may contain commas too, but it also has spaces, brackets or other characters that a heading does
    // not have.
    const count = heading.split(sign).length;
    if (
      count > 1 &&
      /^[\p{L}\p{M}\w\s"'.,;-]+$/u.test(heading) &&
      !/, /.test(heading) &&
      next.split(sign).length === count
    )
      return cellsBetween(sign);
  }
  return /\S {2,}\S/.test(heading) && /^[\p{L}\p{M}\w\s./-]+$/u.test(heading) ? aligned : undefined;
}

const cellsBetween =
  (sign: string): Split =>
  (line) => {
    const cells: Cell[] = [];
    let from = 0;
    for (const part of line.split(sign)) {
      const lead = part.length - part.trimStart().length;
      cells.push({ from: from + lead, to: from + lead + part.trim().length });
      from += part.length + sign.length;
    }
    return cells;
  };

const aligned: Split = (line) =>
  [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: cell, index }) => ({
    from: index,
    to: index + cell.length,
    isAligned: true,
  }));
