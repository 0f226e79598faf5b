import type { Node } from 'web-tree-sitter';
import { functionOrMethod, type LanguageRules } from '../rule.ts';

export const rustRules: LanguageRules = {
  named: [
    ['struct', 'struct_item'],
    ['union', 'union_item'],
    ['enum', 'enum_item'],
    ['member', 'enum_variant'],
    ['trait', 'trait_item'],
    ['module', 'mod_item'],
    ['constant', 'const_item'],
    ['variable', 'static_item'],
    ['type', 'type_item associated_type'],
    ['macro', 'macro_definition'],
    ['field', 'field_declaration'],
  ],
  unnamed: 'closure_expression',
  definitions: {
    function_item: functionOrMethod,
    function_signature_item: functionOrMethod,
    impl_item: (node) => ({ kind: 'class', scope: typeName(node.childForFieldName('type')) }),
  },
  attributes: ['attribute_item'],
};

/** `impl<T> Display for wrapper::Wrapper<T>` is about Wrapper. */
function typeName(type: Node | null): string {
  const inner = type?.childForFieldName('type') ?? type?.childForFieldName('name');
  return inner === null || inner === undefined ? (type?.text ?? '').slice(0, 80) : typeName(inner);
}
