import type { Node } from 'web-tree-sitter';
import { type Found, type LanguageRules, named, type Rule } from '../rule.ts';

export const goRules: LanguageRules = {
  named: [
    ['function', 'function_declaration'],
    ['type', 'type_alias'],
  ],
  unnamed: 'func_literal',
  definitions: {
    method_declaration: (node) => {
      const name = node.childForFieldName('name');
      return name === null ? undefined : { name, kind: 'method', container: receiverOf(node) };
    },
    type_spec: named(({ parent }) => {
      const type = parent?.childForFieldName('type')?.type;
      return type === 'struct_type' ? 'struct' : type === 'interface_type' ? 'interface' : 'type';
    }),
    const_spec: names('constant'),
    var_spec: names('variable'),
    field_declaration: (node, { scope }) =>
      scope === 'struct'
        ? node.childrenForFieldName('name').map((name): Found => ({ name, kind: 'field' }))
        : undefined,
    method_elem: named((_, { scope }) => (scope === 'interface' ? 'method' : undefined)),
  },
  wrappers: ['type_declaration', 'const_declaration', 'var_declaration'],
};

function names(kind: 'constant' | 'variable'): Rule {
  return (node, { isInFunction }) =>
    isInFunction
      ? undefined
      : node
          .childrenForFieldName('name')
          .filter(({ type, text }) => type === 'identifier' && text !== '_')
          .map((name): Found => ({ name, kind, isScope: false }));
}

/** `func (s *Server[T]) Close()` belongs to Server. */
function receiverOf(method: Node): string | undefined {
  const [type] = method.childForFieldName('receiver')?.descendantsOfType('type_identifier') ?? [];
  return type?.text;
}
