import { type Edit, findNodeAtLocation, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';
import { AppError } from '../base/errors.ts';
import { type Json, record } from '../base/json.ts';

/**
 * The result of editing a settings file. Edits keep all other bytes: comments, indentation, line ends. They can be
 * undone exactly as long as nobody else has changed the file. jsonc-parser's own edit functions are not used, because
 * they reformat the surrounding text and break one-line files.
 */
export interface EditedText {
  text: string;
  /** Applied in order to the new text, these edits restore the old text. */
  undo: Edit[];
}

type Path = (string | number)[];

const byteOrderMark = '\uFEFF';
const withoutMark = (text: string): string => (text.startsWith(byteOrderMark) ? text.slice(1) : text);

export function parseSettings(text: string, file: string): Json {
  const errors: ParseError[] = [];
  const body = withoutMark(text);
  if (body.trim() === '') return {};
  const value: unknown = parse(body, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('CONFIG_UNREADABLE', `${file} is not valid JSON, so nothing was changed`, {
      hint: `Correct ${file} and run the command again`,
    });
  }
  return record(value);
}

/** Sets the value at a path and creates missing objects on the way. */
export function setValue(edited: EditedText, path: Path, value: unknown): EditedText {
  return change(edited, (text) => {
    const root = treeOf(text);
    const there = findNodeAtLocation(root, path);
    if (there !== undefined) return [{ offset: there.offset, length: there.length, content: compact(value) }];
    const depth = path.findIndex((_, at) => findNodeAtLocation(root, path.slice(0, at + 1)) === undefined);
    const container = findNodeAtLocation(root, path.slice(0, depth)) as Node;
    const whole = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    return insertion(text, container, String(path[depth]), whole);
  });
}

/** Appends to an array, which must exist. */
export const appendValue = (edited: EditedText, path: Path, value: unknown): EditedText =>
  change(edited, (text) => insertion(text, findNodeAtLocation(treeOf(text), path) as Node, undefined, value));

export const removeValue = (edited: EditedText, path: Path): EditedText =>
  change(edited, (text) => {
    const node = findNodeAtLocation(treeOf(text), path) as Node;
    const child = typeof path.at(-1) === 'string' ? (node.parent as Node) : node;
    return removal(text, child.parent as Node, child);
  });

const treeOf = (text: string): Node => parseTree(text, [], { allowTrailingComma: true }) as Node;

const compact = (value: unknown): string => JSON.stringify(value);

/** Inserts after the last child and its comments. The comma goes directly after the child itself. */
function insertion(text: string, container: Node, key: string | undefined, value: unknown): Edit[] {
  const closer = container.offset + container.length - 1;
  const at = text.slice(0, closer).trimEnd().length;
  const last = container.children?.at(-1);
  const comma = last === undefined ? undefined : commaAfter(text, endOf(last));
  // The comma is last in the returned list, so that at equal offsets it ends up before the new child.
  const separator = last === undefined || comma !== undefined ? [] : [insertAt(endOf(last), ',')];
  const inside = text.slice(container.offset, closer);
  const isOpen = inside.includes('\n') || (last === undefined && (text.includes('\n') || text === '{}'));
  const tail = comma === undefined ? '' : ',';
  const name = key === undefined ? '' : `${JSON.stringify(key)}:`;
  if (!isOpen) return [insertAt(at, name + compact(value) + tail), ...separator];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const outer = indentOf(text, container.offset);
  const indent = last === undefined ? outer + unit : indentOf(text, last.offset);
  const lines = JSON.stringify(value, null, unit)
    .split('\n')
    .join(eol + indent);
  const content = `${eol}${indent}${name}${name === '' ? '' : ' '}${lines}${tail}`;
  // An empty object or array on one line is expanded, so its closing bracket needs a line of its own.
  const close = inside.includes('\n') ? '' : eol + outer;
  const replaced = close === '' ? 0 : closer - at;
  return [{ offset: at, length: replaced, content: content + close }, ...separator];
}

const insertAt = (offset: number, content: string): Edit => ({ offset, length: 0, content });

/** Removes the child, the whitespace before it and one comma: its own or, for the last child, the previous one. */
function removal(text: string, container: Node, child: Node): Edit[] {
  const children = container.children as Node[];
  const closer = container.offset + container.length - 1;
  const own = commaAfter(text, endOf(child));
  const inside =
    text.slice(container.offset + 1, child.offset) + text.slice((own ?? endOf(child) - 1) + 1, closer);
  if (children.length === 1 && inside.trim() === '') {
    return [{ offset: container.offset + 1, length: closer - container.offset - 1, content: '' }];
  }
  const before = children[children.indexOf(child) - 1];
  const comma = own ?? (before === undefined ? undefined : commaAfter(text, endOf(before)));
  const from = text.slice(0, child.offset).trimEnd().length;
  // If a line comment precedes the child, keep a line break so that the comment does not swallow the next token.
  const gap = text.slice(before === undefined ? container.offset + 1 : endOf(before), from);
  const comment = gap.match(comments)?.at(-1) ?? '';
  const isOpenEnded = comment.startsWith('//') && gap.endsWith(comment);
  const isGlued = isOpenEnded && !/^[ \t]*,?[ \t]*\r?\n/.test(text.slice(endOf(child)));
  return [
    { offset: from, length: endOf(child) - from, content: isGlued ? '\n' : '' },
    ...(comma === undefined ? [] : [{ offset: comma, length: 1, content: '' }]),
  ];
}

const endOf = (node: Node): number => node.offset + node.length;

const comments = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g;
const trivia = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;

/** The offset of the next comma after whitespace and comments; undefined if something else comes first. */
function commaAfter(text: string, offset: number): number | undefined {
  trivia.lastIndex = offset;
  const at = offset + (trivia.exec(text)?.[0].length ?? 0);
  return text[at] === ',' ? at : undefined;
}

const indentOf = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';

function change({ text, undo }: EditedText, edit: (body: string) => Edit[]): EditedText {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const body = withoutMark(text);
  const source = body.trim() === '' ? '{}' : body;
  const before = source === body ? [] : [{ offset: 0, length: body.length, content: source }];
  const steps = [...before, ...edit(source).sort((a, b) => b.offset - a.offset)];
  let current = body;
  const inverse: Edit[] = [];
  for (const { offset, length, content } of steps) {
    const replaced = current.slice(offset, offset + length);
    inverse.unshift({ offset: offset + mark.length, length: content.length, content: replaced });
    current = current.slice(0, offset) + content + current.slice(offset + length);
  }
  return { text: mark + current, undo: [...inverse, ...undo] };
}

/** Applies undo edits one after the other. Each offset refers to the text after the previous edit. */
export const undoEdits = (text: string, undo: Edit[]): string =>
  undo.reduce(
    (current, edit) =>
      current.slice(0, edit.offset) + edit.content + current.slice(edit.offset + edit.length),
    text,
  );
