import type { Node } from 'web-tree-sitter';
import { type Found, type LanguageRules, type NodeContext, named, type Rule } from '../rule.ts';

const functionValues = new Set(['arrow_function', 'function_expression', 'generator_function', 'function']);

/** Rules for TypeScript and JavaScript; node types that a grammar lacks do not occur. */
export const typescriptRules: LanguageRules = {
  named: [
    ['class', 'class_declaration abstract_class_declaration'],
    ['interface', 'interface_declaration'],
    ['type', 'type_alias_declaration'],
    ['enum', 'enum_declaration'],
    ['module', 'internal_module module'],
    ['function', 'function_declaration generator_function_declaration function_signature'],
    ['method', 'abstract_method_signature'],
  ],
  unnamed: 'arrow_function',
  definitions: {
    enum_body: (node) =>
      node.namedChildren.flatMap((child): Found[] => {
        const name = child.type === 'enum_assignment' ? child.childForFieldName('name') : child;
        if (name === null || child.type === 'comment') return [];
        return [{ name, kind: 'member', span: child, isScope: false }];
      }),
    function_expression: namedExpression,
    generator_function: namedExpression,
    method_definition: named(({ text }) => (text === 'constructor' ? 'constructor' : 'method')),
    method_signature: (node, around) => ofType(node, 'method', around.scope),
    property_signature: (node, around) => ofType(node, 'field', around.scope),
    public_field_definition: field('name'),
    field_definition: field('property'),
    lexical_declaration: variables,
    variable_declaration: variables,
    expression_statement: assigned,
    pair: (node, { isInFunction }) => {
      const name = node.childForFieldName('key');
      const value = node.childForFieldName('value');
      if (isInFunction || name?.type !== 'property_identifier' || !functionValues.has(value?.type ?? ''))
        return undefined;
      return { name, kind: 'method', body: value?.childForFieldName('body') };
    },
  },
  wrappers: ['export_statement', 'ambient_declaration'],
  attributes: ['decorator'],
};

/** Members of inline types, for example in a parameter, are not definitions. */
function ofType(node: Node, kind: 'method' | 'field', scope: string | undefined): Found | undefined {
  const name = node.childForFieldName('name');
  const isMember = scope === 'interface' || scope === 'type' || scope === 'class';
  return name === null || !isMember ? undefined : { name, kind, isScope: true };
}

function field(key: string): Rule {
  return (node) => {
    const name = node.childForFieldName(key);
    const value = node.childForFieldName('value');
    if (name === null) return undefined;
    const isFunction = functionValues.has(value?.type ?? '');
    return {
      name,
      kind: isFunction ? 'method' : 'field',
      isScope: true,
      body: isFunction ? value?.childForFieldName('body') : undefined,
    };
  };
}

function variables(node: Node, { isInFunction }: { isInFunction: boolean }): Found[] {
  const declarators = node.namedChildren.filter(({ type }) => type === 'variable_declarator');
  const plain = node.childForFieldName('kind')?.text === 'const' ? 'constant' : 'variable';
  return declarators.flatMap((declarator): Found[] => {
    const name = declarator.childForFieldName('name');
    const value = declarator.childForFieldName('value');
    if (name?.type !== 'identifier') return [];
    const isFunction = functionValues.has(value?.type ?? '');
    const kind = isFunction ? 'function' : value?.type === 'class' ? 'class' : plain;
    // Local variables of a function are skipped, unless they are functions.
    if (isInFunction && kind === plain) return [];
    return [
      {
        name,
        kind,
        span: declarators.length === 1 ? node : declarator,
        body: value?.childForFieldName('body'),
        isScope: declarators.length === 1,
      },
    ];
  });
}

/** `f.g = function g()` is one definition, not two. */
function namedExpression(node: Node, { scopeName }: NodeContext): Found {
  const name = node.childForFieldName('name');
  const isSame = name === null || scopeName?.split('.').at(-1) === name.text;
  return isSame ? { kind: 'function' } : { name, kind: 'function' };
}

const exported = /^(?:module\.)?exports$/;

/** `exports.f = function`, `Type.prototype.f = function`, `this.f = () =>`, `a.f = a.g = function`. */
function assigned(node: Node, { isInFunction }: NodeContext): Found[] {
  const found: Found[] = [];
  let assignment = node.firstNamedChild;
  const lefts: Node[] = [];
  while (assignment?.type === 'assignment_expression' && lefts.length < maxChainLength) {
    const left = assignment.childForFieldName('left');
    if (left !== null) lefts.push(left);
    assignment = assignment.childForFieldName('right');
  }
  const value = assignment;
  if (value === null) return [];
  const isFunction = functionValues.has(value.type);
  const body = value.childForFieldName('body');
  for (const left of lefts) {
    const object = left.childForFieldName('object')?.text ?? '';
    const name = left.type === 'member_expression' ? left.childForFieldName('property') : null;
    // `module.exports = function name()` is named by the function.
    if (name === null || object.length > maxObjectLength || exported.test(left.text)) continue;
    const isExport = exported.test(object);
    const container = isExport || object === 'this' ? '' : object.replace(/\.prototype$/, '');
    if (isFunction)
      found.push({ name, kind: isExport ? 'function' : 'method', container, body, isScope: true });
    else if (value.type === 'class') found.push({ name, kind: 'class', container, body, isScope: true });
    else if (isExport && !isInFunction) found.push({ name, kind: 'constant' });
  }
  return found;
}

const maxChainLength = 8;
const maxObjectLength = 80;
