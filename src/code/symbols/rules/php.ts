import { type LanguageRules, named, type Rule, unnamedFunction } from '../rule.ts';

export const phpRules: LanguageRules = {
  definitions: {
    namespace_definition: named('module'),
    class_declaration: named('class'),
    interface_declaration: named('interface'),
    trait_declaration: named('trait'),
    enum_declaration: named('enum'),
    enum_case: named('member'),
    function_definition: named('function'),
    method_declaration: named(({ text }) => (text === '__construct' ? 'constructor' : 'method')),
    anonymous_function: unnamedFunction,
    arrow_function: unnamedFunction,
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
