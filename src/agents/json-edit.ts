import { applyEdits, type Edit, modify, type ParseError, parse } from 'jsonc-parser';
import { AppError } from '../base/errors.ts';
import { type Json, record } from '../base/json.ts';

/**
 * Changes to a settings file that keep every byte they do not concern: comments, indentation, line ends.
 * Each change can be undone exactly, as long as nobody else has written the file since.
 */
export interface EditedText {
  text: string;
  /** Applied in order to the new text, these give the old one back. */
  undo: Edit[];
}

type Path = (string | number)[];

const byteOrderMark = '\uFEFF';

export function parseSettings(text: string, file: string): Json {
  const errors: ParseError[] = [];
  const body = text.replace(byteOrderMark, '');
  if (body.trim() === '') return {};
  const value: unknown = parse(body, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('CONFIG_UNREADABLE', `${file} is not valid JSON, so nothing was changed`, {
      hint: `Correct ${file} and run the command again`,
    });
  }
  return record(value);
}

export function setValue(edited: EditedText, path: Path, value: unknown): EditedText {
  return change(edited, path, value, false);
}

/** At the end of the list, or as its first item when there is none. */
export function appendValue(edited: EditedText, path: Path, value: unknown): EditedText {
  return change(edited, [...path, -1], value, true);
}

export const removeValue = (edited: EditedText, path: Path): EditedText =>
  change(edited, path, undefined, false);

function change(
  { text, undo }: EditedText,
  path: Path,
  value: unknown,
  isArrayInsertion: boolean,
): EditedText {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const body = text.slice(mark.length);
  const source = body.trim() === '' ? '{}' : body;
  const edits = modify(source, path, value, { isArrayInsertion, formattingOptions: formattingOf(source) });
  const before = source === body ? [] : [{ offset: 0, length: body.length, content: source }];
  const steps = [...before, ...[...edits].sort((a, b) => b.offset - a.offset)];
  let current = body;
  const inverse: Edit[] = [];
  for (const step of steps) {
    const replaced = current.slice(step.offset, step.offset + step.length);
    inverse.unshift({ offset: step.offset + mark.length, length: step.content.length, content: replaced });
    current = applyEdits(current, [step]);
  }
  return { text: mark + current, undo: [...inverse, ...undo] };
}

/** One at a time: each is written for the text the one before it leaves. */
export const undoEdits = (text: string, undo: Edit[]): string =>
  undo.reduce(
    (current, edit) =>
      current.slice(0, edit.offset) + edit.content + current.slice(edit.offset + edit.length),
    text,
  );

function formattingOf(text: string) {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 4 : indent.length,
    eol,
  };
}
