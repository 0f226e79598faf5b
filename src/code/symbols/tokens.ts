import type { Tree } from 'web-tree-sitter';

/** What the viewer colours. The index of a class is its number in `LineTokens`. */
export const tokenClasses = [
  'comment',
  'string',
  'number',
  'keyword',
  'constant',
  'type',
  'function',
  'property',
] as const;

export type TokenClass = (typeof tokenClasses)[number];

/** The coloured tokens of a line, three numbers each: column from 0, length in UTF-16 units, class. */
export type LineTokens = number[];

/** How a node type is coloured, determined once per type and tree. */
type TypeRole =
  | { kind: 'whole'; of: TokenClass }
  /** Its own text is a string; code may be embedded in it. */
  | { kind: 'string' }
  | { kind: 'embedded' }
  | { kind: 'leaf'; of: TokenClass | 'name' | undefined };

const strings =
  /^(?:string|string_literal|raw_string_literal|interpreted_string_literal|verbatim_string_literal|interpolated_string_expression|template_string|encapsed_string|char_literal|character_literal|rune_literal|heredoc|heredoc_body|nowdoc|nowdoc_body|concatenated_string|bare_string|simple_symbol|hash_key_symbol|regex|regex_literal|system_lib_string)$/;
const embedded = /^(?:template_substitution|interpolation|format_expression)$/;
const constants =
  /^(?:true|false|null|nil|none|None|True|False|undefined|this|self|super|boolean_literal|null_literal)$/;
const numbers =
  /^(?:number|integer|float|number_literal|(?:int|float|integer|real|imaginary|decimal_integer|decimal_floating_point|hex_integer|octal_integer|binary_integer)_literal)$/;
const types =
  /^(?:type_identifier|predefined_type|primitive_type|builtin_type|sized_type_specifier|integral_type|void_type|floating_point_type|boolean_type)$/;
const properties = /^(?:property_identifier|field_identifier|shorthand_property_identifier|variable_name)$/;

function roleOf(type: string, isNamed: boolean): TypeRole {
  if (isNamed && /comment/.test(type)) return { kind: 'whole', of: 'comment' };
  if (isNamed && strings.test(type)) return { kind: 'string' };
  if (embedded.test(type)) return { kind: 'embedded' };
  if (constants.test(type)) return { kind: 'whole', of: 'constant' };
  if (!isNamed) return { kind: 'leaf', of: /^[A-Za-z_][\w-]*$/.test(type) ? 'keyword' : undefined };
  if (numbers.test(type)) return { kind: 'whole', of: 'number' };
  if (types.test(type)) return { kind: 'whole', of: 'type' };
  if (properties.test(type) || /identifier$|^(?:name|constant)$/.test(type))
    return { kind: 'leaf', of: 'name' };
  return { kind: 'leaf', of: undefined };
}

/** A node on the path from the root to the current position. */
interface Level {
  type: string;
  field: string | null;
  isString: boolean;
}

/** From the types of the leaves, so that every grammar that ships has colours without queries of its own. */
export function colourTokens(tree: Tree, text: string): LineTokens[] {
  const lines = lineStarts(text);
  const tokens: LineTokens[] = lines.map(() => []);
  const roles = new Map<number, TypeRole>();
  const levels: Level[] = [];
  const cursor = tree.walk();
  let line = 0;
  try {
    for (let depth = 0; ; ) {
      const { nodeTypeId: id } = cursor;
      const type = cursor.nodeType;
      let role = roles.get(id);
      if (role === undefined) {
        role = roleOf(type, cursor.nodeIsNamed);
        roles.set(id, role);
      }
      const outer = levels[depth - 1];
      const isString = role.kind === 'string' || (outer?.isString === true && role.kind !== 'embedded');
      levels[depth] = {
        type,
        field: role.kind === 'leaf' && role.of === 'keyword' ? null : cursor.currentFieldName,
        isString,
      };
      const isWhole = role.kind === 'whole';
      if (!isWhole && cursor.gotoFirstChild()) {
        // The text of a string may lie between its nodes.
        if (role.kind === 'string' && !hasEmbedded()) {
          cursor.gotoParent();
          add(cursor.startIndex, cursor.endIndex, 'string');
        } else {
          depth++;
          continue;
        }
      } else {
        const of = isString && role.kind !== 'whole' ? 'string' : classOf(role, depth);
        if (of !== undefined) add(cursor.startIndex, cursor.endIndex, of);
      }
      for (;;) {
        if (cursor.gotoNextSibling()) break;
        if (!cursor.gotoParent()) return tokens;
        depth--;
      }
    }
  } finally {
    cursor.delete();
  }

  /** Whether one of the siblings from the cursor on embeds code. The cursor stays among them. */
  function hasEmbedded(): boolean {
    do if (embedded.test(cursor.nodeType)) return reset();
    while (cursor.gotoNextSibling());
    return false;
  }

  function reset(): boolean {
    cursor.gotoParent();
    return cursor.gotoFirstChild();
  }

  function classOf(role: TypeRole, depth: number): TokenClass | undefined {
    if (role.kind === 'whole') return role.of;
    if (role.kind !== 'leaf') return undefined;
    if (role.of !== 'name') return role.of;
    const { type, field } = levels[depth] as Level;
    const parent = levels[depth - 1];
    const isCalled = (level: Level | undefined, caller: Level | undefined) =>
      level?.field === 'function' && /call/.test(caller?.type ?? '');
    if (isCalled(levels[depth], parent) || isCalled(parent, levels[depth - 2])) {
      // Of `queue.take()`, only the last name is called.
      return parent?.field === 'function' && field === 'object' ? undefined : 'function';
    }
    if (/invocation|^call$/.test(parent?.type ?? '') && (field === 'name' || field === 'method'))
      return 'function';
    if (field === 'name' || field === 'declarator') {
      if (/function|method|constructor|singleton_method/.test(parent?.type ?? '')) return 'function';
      if (/class|interface|struct|enum|trait|module|type_alias|type_spec|impl/.test(parent?.type ?? ''))
        return 'type';
    }
    if (parent?.type === 'type' || field === 'type') return 'type';
    return properties.test(type) ? 'property' : undefined;
  }

  /** A token over several lines is split, because the viewer shows each line by itself. */
  function add(from: number, to: number, of: TokenClass): void {
    while (line > 0 && (lines[line] as number) > from) line--;
    while (line + 1 < lines.length && (lines[line + 1] as number) <= from) line++;
    const number = tokenClasses.indexOf(of);
    for (let at = line; at < lines.length && (lines[at] as number) < to; at++) {
      const start = lines[at] as number;
      const end = at + 1 < lines.length ? (lines[at + 1] as number) - 1 : text.length;
      const first = Math.max(start, from);
      if (Math.min(end, to) > first)
        (tokens[at] as LineTokens).push(first - start, Math.min(end, to) - first, number);
    }
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
