import { type LanguageRules, named } from '../rule.ts';

export const csharpRules: LanguageRules = {
  named: [
    ['module', 'namespace_declaration file_scoped_namespace_declaration'],
    ['class', 'class_declaration record_declaration'],
    ['struct', 'struct_declaration'],
    ['interface', 'interface_declaration'],
    ['enum', 'enum_declaration'],
    ['member', 'enum_member_declaration'],
    ['type', 'delegate_declaration'],
    ['method', 'method_declaration destructor_declaration'],
    ['constructor', 'constructor_declaration'],
    ['field', 'property_declaration event_declaration'],
    ['function', 'local_function_statement'],
  ],
  unnamed:
    'lambda_expression anonymous_method_expression accessor_declaration operator_declaration ' +
    'conversion_operator_declaration indexer_declaration',
  definitions: {
    variable_declarator: named((_, { isInFunction }) => (isInFunction ? undefined : 'field')),
  },
  wrappers: ['variable_declaration', 'field_declaration', 'event_field_declaration'],
};
