import type { Language, Node, Tree, TreeCursor } from 'web-tree-sitter';
import type { Found, LanguageRules, Rule } from './rule.ts';
import { signatureOf } from './signature.ts';
import type { CodeSymbol, SymbolKind } from './symbol.ts';

/** Rules and roles by number of node type, so that a step over a node costs two array reads. */
export interface RuleTable {
  rules: (Rule | undefined)[];
  isWrapper: boolean[];
  isAttribute: boolean[];
}

export function createRuleTable(
  language: Language,
  { definitions, wrappers = [], attributes = [] }: LanguageRules,
): RuleTable {
  const types = language.types;
  return {
    rules: types.map((type) => (Object.hasOwn(definitions, type) ? definitions[type] : undefined)),
    isWrapper: types.map((type) => wrappers.includes(type)),
    isAttribute: types.map((type) => attributes.includes(type)),
  };
}

interface Scope {
  depth: number;
  name: string;
  kind: SymbolKind;
  /** It is a function or stands in one. */
  isInFunction: boolean;
}

/** One node on the way from the root to where the walk is. */
interface Level {
  /** Row of the first of the attributes that stand directly before the node. */
  attributesFrom: number | undefined;
  /** The node itself, when it belongs to a definition inside of it. */
  wrapper: Node | undefined;
}

/** Everything a tree defines, in the order of the text. The walk goes over every node once and never recurs. */
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
    // A comment between an attribute and its item changes nothing; anything else ends the attributes.
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
      container: [...scopes.slice(-deepestContainer).map((scope) => scope.name), found.container ?? '']
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

  /** With `export`, decorators and the like around it, unless those are around several definitions. */
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

/** Deeper ones lose their outermost names: nobody nests so, and the names would add up. */
const deepestContainer = 12;

const functionKinds = new Set<SymbolKind>(['function', 'method', 'constructor']);

const scopeKinds = new Set<SymbolKind>([
  'module',
  'class',
  'interface',
  'struct',
  'union',
  'trait',
  'enum',
  'type',
  'function',
  'method',
  'constructor',
]);

const definitionsIn = (wrapper: Node, { rules, isWrapper }: RuleTable): number =>
  wrapper.namedChildren.filter(({ typeId }) => rules[typeId] !== undefined || isWrapper[typeId] === true)
    .length;

/** A node that ends with a line break ends on the line before. */
function lastLine(node: Node): number {
  const { row, column } = node.endPosition;
  return Math.max(column === 0 ? row : row + 1, node.startPosition.row + 1);
}

const maxNameLength = 200;

/** Without the marks that are no part of a name where it is used: quotes, `:` of Ruby's symbols. */
function nameOf({ text, type }: Node): string {
  if (text.length > maxNameLength) return '';
  // C++ names a conversion by its whole head.
  const plain = type === 'operator_cast' ? text.replace(/\s*\(.*$/s, '') : text;
  return plain.replace(/^[:'"`]+|['"`]+$/g, '').replace(/\s+/g, ' ');
}
