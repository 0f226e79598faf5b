import { parse } from 'smol-toml';
import { AppError } from '../base/errors.ts';
import { type Json, record } from '../base/json.ts';
import type { EditedText } from './json-edit.ts';

export function parseToml(text: string, file: string): Json {
  try {
    return record(parse(text.replace(/^\uFEFF/, '')));
  } catch {
    throw new AppError('CONFIG_UNREADABLE', `${file} is not valid TOML, so nothing was changed`, {
      hint: `Correct ${file} and run the command again`,
    });
  }
}

/**
 * Appends a table, which must not exist yet. This file edits TOML as text, so that comments, order and all other bytes
 * stay the same.
 */
export function appendTable({ text, undo }: EditedText, header: string, lines: string[]): EditedText {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  const added = gap + [header, ...lines, ''].join(eol);
  return { text: text + added, undo: [{ offset: text.length, length: added.length, content: '' }, ...undo] };
}

/** Removes a table, from its header to the next one, and the blank line before it. */
export function removeTable(edited: EditedText, header: string): EditedText {
  const { text, undo } = edited;
  const lines = text.split(/(?<=\n)/);
  const start = lines.findIndex((line) => line.trim() === header);
  if (start === -1) return edited;
  const after = lines.findIndex((line, at) => at > start && /^\s*\[/.test(line));
  let end = after === -1 ? lines.length : after;
  // The removed range ends before comments and blank lines that directly precede the next table, because they belong
  // to that table.
  while (after !== -1 && end > start + 1 && /^\s*(?:#.*)?$/.test((lines[end - 1] as string).trim())) end--;
  const from = start > 0 && (lines[start - 1] as string).trim() === '' ? start - 1 : start;
  const offset = lines.slice(0, from).join('').length;
  const removed = lines.slice(from, end).join('');
  const left = text.slice(0, offset) + text.slice(offset + removed.length);
  return { text: left, undo: [{ offset, length: 0, content: removed }, ...undo] };
}

/** Quotes a string for TOML. JSON's escapes are a subset of TOML's. */
export const tomlString = (value: string): string => JSON.stringify(value);
