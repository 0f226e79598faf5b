import type { Node } from 'web-tree-sitter';
import { type Found, isType, type LanguageRules, type NodeContext, type Rule } from '../rule.ts';
import type { SymbolKind } from '../symbol.ts';

/** Rules for C and C++; node types of C++ do not occur in the grammar of C. */
export const cRules: LanguageRules = {
  named: [
    ['member', 'enumerator'],
    ['type', 'alias_declaration concept_definition'],
    ['module', 'namespace_definition namespace_alias_definition'],
    ['macro', 'preproc_def preproc_function_def'],
  ],
  unnamed: 'lambda_expression',
  definitions: {
    function_definition: (node, { scope, isInFunction }) => {
      // A loop macro looks like a nested function, which C does not have.
      if (isInFunction && !isType(scope)) return undefined;
      const declared = declaredBy(node.childForFieldName('declarator'));
      if (declared === undefined) return undefined;
      const { name, container } = declared;
      const isMethod = isType(scope) || container !== undefined;
      return { name, container, kind: isMethod ? 'method' : 'function' };
    },
    declaration: declared,
    field_declaration: declared,
    struct_specifier: withBody('struct'),
    union_specifier: withBody('union'),
    class_specifier: withBody('class'),
    enum_specifier: withBody('enum'),
    type_definition: (node) => {
      const isUnnamed = node.childForFieldName('type')?.childForFieldName('name') === null;
      return node.childrenForFieldName('declarator').flatMap((declarator): Found[] => {
        const found = declaredBy(declarator);
        return found === undefined ? [] : [{ name: found.name, kind: 'type', isScope: isUnnamed }];
      });
    },
  },
  wrappers: ['template_declaration'],
};

function withBody(kind: SymbolKind): Rule {
  return (node) => {
    const body = node.childForFieldName('body');
    const name = node.childForFieldName('name');
    if (body === null) return undefined;
    return name === null ? undefined : { ...nameIn(name), kind, body };
  };
}

/** `a`, `*b` and `f(int)` of `int a, *b, f(int);`. */
function declared(node: Node, { isInFunction, scope }: NodeContext): Found[] | undefined {
  if (isInFunction) return undefined;
  const isElsewhere = node.namedChildren.some(
    (child) => child.type === 'storage_class_specifier' && child.text === 'extern',
  );
  const declarators = node.childrenForFieldName('declarator');
  const isMember = node.type === 'field_declaration' || isType(scope);
  return declarators.flatMap((declarator): Found[] => {
    const found = declaredBy(declarator);
    if (found === undefined) return [];
    const plain = isMember ? 'field' : 'variable';
    const kind = found.isFunction || isElsewhere ? 'declaration' : plain;
    const span = declarators.length === 1 ? node : declarator;
    return [{ name: found.name, container: found.container, kind, span, isScope: false }];
  });
}

interface Declared {
  name: Node;
  container: string | undefined;
  isFunction: boolean;
}

const plainNames = new Set([
  'identifier',
  'field_identifier',
  'type_identifier',
  'destructor_name',
  'operator_name',
  'operator_cast',
  'qualified_identifier',
  'template_function',
  'template_type',
  // The grammar treats some typedef names, such as size_t, as primitive types.
  'primitive_type',
]);

/** Walks from `*(*name[3])(int)` inward to the name. */
function declaredBy(outer: Node | null): Declared | undefined {
  let node = outer;
  let isFunction = false;
  for (let depth = 0; node !== null && depth < 40; depth++) {
    if (plainNames.has(node.type)) return { ...nameIn(node), isFunction };
    const inner: Node | null = node.childForFieldName('declarator') ?? node.firstNamedChild;
    // A pointer to a function is a variable; a parenthesized function is rare.
    if (node.type === 'function_declarator') isFunction = inner?.type !== 'parenthesized_declarator';
    node = inner;
  }
  return undefined;
}

/** Returns the last part of `a::b<T>::name`, and its container. */
function nameIn(outer: Node): { name: Node; container: string | undefined } {
  let node = outer;
  const scopes: string[] = [];
  for (let inner = node.childForFieldName('name'); inner !== null; inner = node.childForFieldName('name')) {
    const scope = node.childForFieldName('scope');
    if (scope !== null) scopes.push((scope.childForFieldName('name') ?? scope).text);
    node = inner;
  }
  return { name: node, container: scopes.length === 0 ? undefined : scopes.join('.') };
}
