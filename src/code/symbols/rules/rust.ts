import type { Node } from 'web-tree-sitter';
import { functionOrMethod, type LanguageRules, named, unnamedFunction } from '../rule.ts';

export const rustRules: LanguageRules = {
  definitions: {
    function_item: functionOrMethod,
    function_signature_item: functionOrMethod,
    closure_expression: unnamedFunction,
    struct_item: named('struct'),
    union_item: named('union'),
    enum_item: named('enum'),
    enum_variant: named('member'),
    trait_item: named('trait'),
    impl_item: (node) => ({ kind: 'class', scope: typeName(node.childForFieldName('type')) }),
    mod_item: named('module'),
    const_item: named('constant'),
    static_item: named('variable'),
    type_item: named('type'),
    associated_type: named('type'),
    macro_definition: named('macro'),
    field_declaration: named('field'),
  },
  attributes: ['attribute_item'],
};

/** `impl<T> Display for wrapper::Wrapper<T>` is about Wrapper. */
function typeName(type: Node | null): string {
  const inner = type?.childForFieldName('type') ?? type?.childForFieldName('name');
  return inner === null || inner === undefined ? (type?.text ?? '').slice(0, 80) : typeName(inner);
}
