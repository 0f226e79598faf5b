import { type LanguageRules, named, unnamedFunction } from '../rule.ts';

export const csharpRules: LanguageRules = {
  definitions: {
    namespace_declaration: named('module'),
    file_scoped_namespace_declaration: named('module'),
    class_declaration: named('class'),
    record_declaration: named('class'),
    struct_declaration: named('struct'),
    interface_declaration: named('interface'),
    enum_declaration: named('enum'),
    enum_member_declaration: named('member'),
    delegate_declaration: named('type'),
    method_declaration: named('method'),
    constructor_declaration: named('constructor'),
    destructor_declaration: named('method'),
    property_declaration: named('field'),
    event_declaration: named('field'),
    local_function_statement: named('function'),
    lambda_expression: unnamedFunction,
    anonymous_method_expression: unnamedFunction,
    accessor_declaration: unnamedFunction,
    operator_declaration: unnamedFunction,
    conversion_operator_declaration: unnamedFunction,
    indexer_declaration: unnamedFunction,
    variable_declarator: named((_, { isInFunction }) => (isInFunction ? undefined : 'field')),
  },
  wrappers: ['variable_declaration', 'field_declaration', 'event_field_declaration'],
};
