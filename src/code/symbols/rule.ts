import type { Node } from 'web-tree-sitter';
import type { SymbolKind } from './symbol.ts';

/** What a node of the syntax tree defines, if it does. One file of rules for each language. */
export interface Found {
  /** Where the name stands; without one it is only a scope for what it holds. */
  name?: Node | undefined;
  kind: SymbolKind;
  /** What the definition itself says it belongs to, such as a receiver or `Class::`. */
  container?: string | undefined;
  /** The node to take lines from, when it is not the one the rule stands for. */
  span?: Node | undefined;
  /** Where a body begins that the signature leaves out, when it is no field of the node. */
  body?: Node | null | undefined;
  /** Whether what it holds is named after it. By default types, modules and functions are scopes. */
  isScope?: boolean;
  /** The name of a scope that is no definition by itself, such as Rust's `impl`. */
  scope?: string;
}

/** Where a node stands. */
export interface Surroundings {
  /** Somewhere in a function, named or not. */
  isInFunction: boolean;
  /** What the innermost scope is; undefined at the top. */
  scope: SymbolKind | undefined;
  /** Its name, with what it said of itself. */
  scopeName: string | undefined;
}

export type Rule = (node: Node, around: Surroundings) => Found | Found[] | undefined;

export interface LanguageRules {
  /** By type of node. */
  definitions: Record<string, Rule>;
  /** Nodes around a single definition that belong to it: `export`, decorators, templates. */
  wrappers?: string[];
  /** Nodes before a definition that belong to it, where they are no part of its own node. */
  attributes?: string[];
}

/** Something with a name in a field of its node. */
export const named =
  (kind: SymbolKind, field = 'name'): Rule =>
  (node) => {
    const name = node.childForFieldName(field);
    return name === null ? undefined : { name, kind };
  };

/** A function, or a method where it stands in a type. */
export const functionOrMethod: Rule = (node, { scope }) => {
  const name = node.childForFieldName('name');
  return name === null ? undefined : { name, kind: isType(scope) ? 'method' : 'function' };
};

/** A scope without a name: what it holds is not at the top of the file. */
export const unnamedFunction: Rule = () => ({ kind: 'function' });

export const isType = (kind: SymbolKind | undefined): boolean =>
  kind === 'class' || kind === 'interface' || kind === 'struct' || kind === 'trait' || kind === 'enum';
