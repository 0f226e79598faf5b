import { type LanguageRules, named, type Rule } from '../rule.ts';

export const phpRules: LanguageRules = {
  named: [
    ['module', 'namespace_definition'],
    ['class', 'class_declaration'],
    ['interface', 'interface_declaration'],
    ['trait', 'trait_declaration'],
    ['enum', 'enum_declaration'],
    ['member', 'enum_case'],
    ['function', 'function_definition'],
  ],
  unnamed: 'anonymous_function arrow_function',
  definitions: {
    method_declaration: named(({ text }) => (text === '__construct' ? 'constructor' : 'method')),
    const_element: (node) => {
      const name = node.firstNamedChild;
      return name === null ? undefined : { name, kind: 'constant' };
    },
    property_element: property,
    property_promotion_parameter: property,
  },
  wrappers: ['const_declaration', 'property_declaration'],
};

function property(node: Parameters<Rule>[0]): ReturnType<Rule> {
  const [name] = node.childForFieldName('name')?.descendantsOfType('name') ?? [];
  return name === undefined ? undefined : { name, kind: 'field' };
}
