import type { LanguageRules, Rule } from '../rule.ts';

export const javaRules: LanguageRules = {
  named: [
    ['class', 'class_declaration record_declaration'],
    ['interface', 'interface_declaration annotation_type_declaration'],
    ['enum', 'enum_declaration'],
    ['member', 'enum_constant'],
    ['method', 'method_declaration annotation_type_element_declaration'],
    ['constructor', 'constructor_declaration compact_constructor_declaration'],
  ],
  unnamed: 'lambda_expression static_initializer',
  definitions: {
    field_declaration: fields,
    constant_declaration: fields,
  },
};

function fields(node: Parameters<Rule>[0]): ReturnType<Rule> {
  const declarators = node.childrenForFieldName('declarator');
  return declarators.flatMap((declarator) => {
    const name = declarator.childForFieldName('name');
    if (name === null) return [];
    return [{ name, kind: 'field' as const, span: declarators.length === 1 ? node : declarator }];
  });
}
