import type { Language, Node, Tree, TreeCursor } from 'web-tree-sitter';
import { type Found, type LanguageRules, named, type Rule } from './rule.ts';
import type { CodeSymbol, SymbolKind } from './symbol.ts';

export type RuleTable = ReturnType<typeof createRuleTable>;

/** Rules and roles by node type number, so that visiting a node costs two array reads. */
export function createRuleTable(
  language: Language,
  { named: kinds, unnamed = '', definitions = {}, wrappers = [], attributes = [] }: LanguageRules,
) {
  const types = language.types;
  const rules = new Map<string, Rule>([
    ...kinds.flatMap(([kind, own]) => own.split(' ').map((type) => [type, named(kind)] as const)),
    ...unnamed.split(' ').map((type) => [type, () => ({ kind: 'function' as const })] as const),
    ...Object.entries(definitions),
  ]);
  return {
    rules: types.map((type) => rules.get(type)),
    isWrapper: types.map((type) => wrappers.includes(type)),
    isAttribute: types.map((type) => attributes.includes(type)),
  };
}

interface Scope {
  depth: number;
  name: string;
  kind: SymbolKind;
  isInFunction: boolean;
}

/** A node on the path from the root to the current position. */
interface Level {
  /** Row of the first attribute directly before the node. */
  attributesFrom: number | undefined;
  /** The node itself, if it only wraps a definition, as `export` does, and so belongs to it. */
  wrapper: Node | undefined;
}

/** Returns the symbols of a tree in text order. It visits every node once, without recursion. */
export function extractSymbols(tree: Tree, text: string, table: RuleTable): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  const scopes: Scope[] = [];
  const levels: Level[] = [{ attributesFrom: undefined, wrapper: undefined }];
  const cursor = tree.walk();
  try {
    for (let depth = 0; ; ) {
      visit(cursor, depth);
      if (cursor.gotoFirstChild()) {
        depth++;
        levels[depth] = { attributesFrom: undefined, wrapper: undefined };
        continue;
      }
      for (;;) {
        leave(depth);
        if (cursor.gotoNextSibling()) break;
        if (!cursor.gotoParent()) return symbols;
        depth--;
      }
    }
  } finally {
    cursor.delete();
  }

  function leave(depth: number): void {
    while (scopes.length > 0 && (scopes.at(-1) as Scope).depth >= depth) scopes.pop();
  }

  function visit(at: TreeCursor, depth: number): void {
    const type = at.nodeTypeId;
    const level = levels[depth] as Level;
    if (table.isAttribute[type] === true) {
      level.attributesFrom ??= at.startPosition.row;
      return;
    }
    const rule = table.rules[type];
    level.wrapper = table.isWrapper[type] === true ? at.currentNode : undefined;
    if (rule !== undefined) define(at.currentNode, rule, depth);
    // A comment between an attribute and its item is ignored; any other node ends the attributes.
    if (level.wrapper === undefined && at.nodeIsNamed && !at.nodeType.includes('comment'))
      level.attributesFrom = undefined;
  }

  function define(node: Node, rule: Rule, depth: number): void {
    const { kind: scope, name: scopeName, isInFunction = false } = scopes.at(-1) ?? {};
    const result = rule(node, { isInFunction, scope, scopeName });
    if (result === undefined) return;
    const found = Array.isArray(result) ? result : [result];
    for (const each of found) add(node, each, depth, found.length);
    const last = found.at(-1);
    if (last?.isScope ?? (found.length === 1 && last !== undefined && scopeKinds.has(last.kind))) {
      const only = last as Found;
      const name = [only.container ?? '', only.scope ?? (only.name === undefined ? '' : nameOf(only.name))];
      scopes.push({
        depth,
        name: name.filter((part) => part !== '').join('.'),
        kind: only.kind,
        isInFunction: isInFunction || functionKinds.has(only.kind),
      });
    }
  }

  function add(node: Node, found: Found, depth: number, siblings: number): void {
    if (found.name === undefined) return;
    const name = nameOf(found.name);
    if (name === '') return;
    const own = found.span ?? node;
    const isAlone = siblings === 1 || own === node;
    const outer = isAlone ? outermost(own, depth) : { node: own, startRow: own.startPosition.row };
    const position = found.name.startPosition;
    symbols.push({
      name,
      kind: found.kind,
      container: [...scopes.slice(-maxContainerDepth).map((scope) => scope.name), found.container ?? '']
        .filter((part) => part !== '')
        .join('.'),
      startLine: Math.min(outer.startRow, own.startPosition.row) + 1,
      endLine: lastLine(outer.node),
      line: position.row + 1,
      column: position.column + 1,
      signature: signatureOf(
        text,
        outer.node,
        found.body === undefined ? node.childForFieldName('body') : found.body,
      ),
    });
  }

  /** Includes enclosing nodes such as `export` and decorators, unless they enclose several definitions. */
  function outermost(node: Node, depth: number): { node: Node; startRow: number } {
    let [outer, at] = [node, depth];
    let startRow = levels[at]?.attributesFrom ?? node.startPosition.row;
    for (let wrapper = levels[at - 1]?.wrapper; wrapper !== undefined; wrapper = levels[--at - 1]?.wrapper) {
      if (definitionsIn(wrapper, table) > 1) break;
      outer = wrapper;
      startRow = levels[at - 1]?.attributesFrom ?? Math.min(startRow, wrapper.startPosition.row);
    }
    return { node: outer, startRow };
  }
}

/** Deeper containers lose their outermost names, to bound their length. */
const maxContainerDepth = 12;

const functionKinds = new Set<SymbolKind>(['function', 'method', 'constructor']);

const scopeKinds = new Set<SymbolKind>([
  ...functionKinds,
  ...(['module', 'class', 'interface', 'struct', 'union', 'trait', 'enum', 'type'] as const),
]);

const definitionsIn = (wrapper: Node, { rules, isWrapper }: RuleTable): number =>
  wrapper.namedChildren.filter(({ typeId }) => rules[typeId] !== undefined || isWrapper[typeId] === true)
    .length;

/** A node that ends with a newline ends on the line before. */
function lastLine(node: Node): number {
  const { row, column } = node.endPosition;
  return Math.max(column === 0 ? row : row + 1, node.startPosition.row + 1);
}

const maxNameLength = 200;

/** Strips quotes, and the `:` of Ruby symbols. */
function nameOf({ text, type }: Node): string {
  if (text.length > maxNameLength) return '';
  // The node of a C++ conversion operator includes its parameters.
  const plain = type === 'operator_cast' ? text.replace(/\s*\(.*$/s, '') : text;
  return plain.replace(/^[:'"`]+|['"`]+$/g, '').replace(/\s+/g, ' ');
}

const maxSignatureLength = 200;
/** Limit for files with everything on one line, such as minified ones. */
const maxSourceLength = 2_000;

/** The definition up to its body, or its first line, without decorators, on one line. */
function signatureOf(text: string, node: Node, body: Node | null | undefined): string {
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

const withoutComments = (text: string): string =>
  text.replace(/^\s*(?:#(?!\s*(?:if|else|endif)|\[)|\/\/).*$/gm, '').replace(/\s(?:#|\/\/)\s.*$/gm, '');

/** Removes leading lines of `@decorator`, `[Attribute]` and `#[attribute]`. */
function withoutDecorators(text: string): string {
  const rest = text.replace(/^(?:\s*(?:@[^\n]*|#?\[[^\n]*\]\s*)\n)+/, '');
  return rest.trim() === '' ? text : rest;
}
