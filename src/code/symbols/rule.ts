import type { Node } from 'web-tree-sitter';
import type { SymbolKind } from './symbol.ts';

/** The symbol that a node of the syntax tree defines, as found by a rule. Each language has one file of rules. */
export interface Found {
  /** The node of the symbol's name. Without a name, the definition is only a scope for the symbols inside it. */
  name?: Node | undefined;
  kind: SymbolKind;
  /** The container named by the definition itself, such as a receiver or `Class::`. */
  container?: string | undefined;
  /** The node to take lines from, if it is not the node of the rule. */
  span?: Node | undefined;
  /** The body, which the signature omits, if it is not a field of the node. */
  body?: Node | null | undefined;
  /** Whether symbols inside get its name as container. By default those of types, modules and functions do. */
  isScope?: boolean;
  /** The name of a scope that is not a definition, such as Rust's `impl`. */
  scope?: string;
}

export interface NodeContext {
  isInFunction: boolean;
  /** Kind of the innermost scope; undefined at the top. */
  scope: SymbolKind | undefined;
  /** Name of the innermost scope, with its own container. */
  scopeName: string | undefined;
}

export type Rule = (node: Node, around: NodeContext) => Found | Found[] | undefined;

export interface LanguageRules {
  /** Kinds of symbols, and the types of nodes with a name field that define them. */
  named: [SymbolKind, string][];
  /** Types of nodes that are unnamed functions, so that their content is not at the top of the file. */
  unnamed?: string;
  /** Rules for the other types of nodes. */
  definitions?: Record<string, Rule>;
  /** Nodes that enclose a single definition and belong to it: `export`, decorators, templates. */
  wrappers?: string[];
  /** Nodes before a definition that belong to it but are outside its node. */
  attributes?: string[];
}

/** A definition whose name is a field of its node. The kind may depend on the name and on what is around the node. */
export const named =
  (kind: SymbolKind | ((name: Node, around: NodeContext) => SymbolKind | undefined), field = 'name'): Rule =>
  (node, around) => {
    const name = node.childForFieldName(field);
    const found = name === null || typeof kind === 'string' ? kind : kind(name, around);
    return name === null || found === undefined ? undefined : { name, kind: found as SymbolKind };
  };

export const functionOrMethod = named((_, { scope }) => (isType(scope) ? 'method' : 'function'));

export const isType = (kind: SymbolKind | undefined): boolean =>
  kind === 'class' || kind === 'interface' || kind === 'struct' || kind === 'trait' || kind === 'enum';
