import type { Node, Tree } from 'web-tree-sitter';
import { wordPattern } from './names.ts';
import { type CodeSymbol, symbolAt } from './symbol.ts';

export interface Occurrence {
  line: number;
  column: number;
  role: Role;
  /** The enclosing symbol with its containers; empty at the top of a file. */
  within: string;
  /** The line, or a part with the name if it is very long. */
  text: string;
  matchAt: number;
}

/** `text`: the file was not parsed, so it may be a comment or a string. */
export type Role = 'definition' | 'call' | 'import' | 'mention' | 'text';

/** `skipped`: occurrences in comments and strings, which are not counted. */
export type Occurrences = ReturnType<typeof findOccurrences>;

/** Limit per file; a generated file may have a hundred thousand. */
const maxOccurrencesPerFile = 1_000;
const maxTextLength = 1_000;

/** Finds a name in a text. Without a `tree` the file could not be parsed, and every whole word counts. */
export function findOccurrences(
  text: string,
  name: string,
  symbols: readonly CodeSymbol[],
  tree: Tree | undefined,
) {
  const defined = new Set(symbols.map(({ line, column }) => `${line}:${column}`));
  const found: Occurrence[] = [];
  let skipped = 0;
  let isCut = false;
  let line = 1;
  let lineStart = 0;
  for (const match of text.matchAll(wordPattern(name))) {
    if (found.length >= maxOccurrencesPerFile) {
      isCut = true;
      break;
    }
    const at = match.index;
    for (
      let end = text.indexOf('\n', lineStart);
      end !== -1 && end < at;
      end = text.indexOf('\n', lineStart)
    ) {
      line++;
      lineStart = end + 1;
    }
    const column = at - lineStart + 1;
    const role = roleAt(at, `${line}:${column}`);
    if (role === undefined) skipped++;
    else found.push({ line, column, role, within: qualified(symbolAt(symbols, line)), ...lineText(at) });
  }
  return { found, skipped, isCut };

  function roleAt(at: number, place: string): Role | undefined {
    if (tree === undefined) return defined.has(place) ? 'definition' : 'text';
    const node = tree.rootNode.descendantForIndex(at, at + name.length);
    if (node === null) return 'mention';
    const { row, column } = node.startPosition;
    // A mark before the name, as in Ruby's `:name`, is part of its node.
    if (defined.has(place) || defined.has(`${row + 1}:${column + 1}`)) return 'definition';
    return isProse(node) ? undefined : roleOf(node);
  }

  function lineText(at: number): Pick<Occurrence, 'text' | 'matchAt'> {
    const end = text.indexOf('\n', at);
    const from = Math.max(lineStart, at - maxTextLength / 4);
    const to = Math.min(end === -1 ? text.length : end, from + maxTextLength);
    return { text: text.slice(from, to), matchAt: at - from };
  }
}

const qualified = (symbol: CodeSymbol | undefined): string =>
  symbol === undefined ? '' : symbol.container === '' ? symbol.name : `${symbol.container}.${symbol.name}`;

const prose = /comment|string|heredoc|char(?:acter)?_literal|regex|^text$|jsx_text/;

/** Code inside a string, such as an interpolation, has its own node, so only the text around it is prose. */
const isProse = ({ type }: Node): boolean => prose.test(type);

const imports =
  /^(?:import|use_|using_|namespace_use|preproc_include|extern_crate|export_clause|export_specifier)/;
const access =
  /^(?:member_expression|attribute|selector_expression|field_expression|scoped_identifier|qualified_identifier|scope_resolution|member_access_expression|generic_function|generic_type|generic_name|template_function|qualified_name|nested_identifier)$/;
const calls = new Map(
  Object.entries({
    call_expression: ['function'],
    call: ['function', 'method'],
    new_expression: ['constructor', 'type'],
    object_creation_expression: ['type'],
    method_invocation: ['name'],
    function_call_expression: ['function'],
    member_call_expression: ['name'],
    nullsafe_member_call_expression: ['name'],
    scoped_call_expression: ['name'],
    invocation_expression: ['function'],
    macro_invocation: ['macro'],
    jsx_opening_element: ['name'],
    jsx_self_closing_element: ['name'],
  }),
);

function roleOf(leaf: Node): Role {
  let isCallee = true;
  let node = leaf;
  for (let height = 0; height < 8; height++) {
    const parent = node.parent;
    if (parent === null) break;
    if (imports.test(parent.type)) return 'import';
    if (isCallee) {
      const fields = calls.get(parent.type);
      if (fields?.some((field) => parent.childForFieldName(field)?.id === node.id) === true) return 'call';
      // In PHP's `new Name` the class is not a named field.
      if (parent.type === 'object_creation_expression' && parent.firstNamedChild?.id === node.id)
        return 'call';
      isCallee = access.test(parent.type) && parent.lastNamedChild?.id === node.id;
      // In `make<T>()` the name comes before its type arguments.
      isCallee ||= /generic|template/.test(parent.type) && parent.firstNamedChild?.id === node.id;
    }
    if (/(?:statement|declaration|definition|block|body)$/.test(parent.type) && !imports.test(parent.type))
      break;
    node = parent;
  }
  return 'mention';
}
