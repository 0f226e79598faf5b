/**
 * Markdown in one line, which may be cut, without its marks: text and code in turn. The parser is not loaded for the
 * first view, and it would take a line that begins within a list or a block of code for something else.
 */
export const piecesOf = (line: string): string[] =>
  line
    .replaceAll(/(?:`{3,}|~{3,})[\w-]*/g, '')
    .replaceAll(/(`[^`]*`)|\*\*(?=\S)((?:`[^`]*`|[^*`])+)\*\*/g, (_, code, bold) => code ?? bold)
    .split(/`([^`]+)`/)
    .map((piece, at) => (at % 2 === 1 ? piece : withoutMarks(piece)));

const withoutMarks = (text: string): string =>
  text
    .replaceAll(/^\s*#\s+|(?<=^|\s)#{2,6}\s+/gm, '')
    .replaceAll(/(?<![\w\])])!?\[([^[\]]+)\]\([^()\s]*(?:\)|…?$)/g, '$1')
    .replaceAll(/(?<=^|[\s("'])([*_])(?![\s*_])([^*_]*[^\s*_])\1(?=[\s,;:!?)"']|\.(?!\w)|$)/g, '$2');
