import { type LanguageRules, named, type Rule, unnamedFunction } from '../rule.ts';

export const javaRules: LanguageRules = {
  definitions: {
    class_declaration: named('class'),
    record_declaration: named('class'),
    interface_declaration: named('interface'),
    annotation_type_declaration: named('interface'),
    enum_declaration: named('enum'),
    enum_constant: named('member'),
    method_declaration: named('method'),
    annotation_type_element_declaration: named('method'),
    constructor_declaration: named('constructor'),
    compact_constructor_declaration: named('constructor'),
    lambda_expression: unnamedFunction,
    static_initializer: unnamedFunction,
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
