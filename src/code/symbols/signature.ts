import type { Node } from 'web-tree-sitter';

const maxSignatureLength = 200;
/** Limit for files with everything on one line, such as minified ones. */
const maxSourceLength = 2_000;

/**
 * Returns the definition up to its body, or its first line if it has none, without decorators and on one
 * line.
 */
export function signatureOf(text: string, node: Node, body: Node | null | undefined): string {
  const start = node.startIndex;
  const end = Math.min(start + maxSourceLength, body?.startIndex ?? node.endIndex);
  const source = withoutDecorators(text.slice(start, end));
  const cut = body === null || body === undefined ? firstLine(source) : withoutComments(source);
  const plain = cut
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .replace(/[\s{:=]+$|\s*=>\s*$/, '')
    .trim()
    .toWellFormed();
  return plain.length <= maxSignatureLength
    ? plain
    : `${plain.slice(0, maxSignatureLength - 1)}…`.toWellFormed();
}

const firstLine = (text: string): string => /^[^\n]*/.exec(text)?.[0] ?? '';

/** Removes comments, which may stand between a definition and its body. */
const withoutComments = (text: string): string =>
  text.replace(/^\s*(?:#(?!\s*(?:if|else|endif)|\[)|\/\/).*$/gm, '').replace(/\s(?:#|\/\/)\s.*$/gm, '');

/** Removes leading lines of `@decorator`, `[Attribute]` and `#[attribute]`. */
function withoutDecorators(text: string): string {
  const rest = text.replace(/^(?:\s*(?:@[^\n]*|#?\[[^\n]*\]\s*)\n)+/, '');
  return rest.trim() === '' ? text : rest;
}
