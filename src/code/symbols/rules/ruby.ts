import type { Node } from 'web-tree-sitter';
import { type Found, functionOrMethod, type LanguageRules, type Rule } from '../rule.ts';

export const rubyRules: LanguageRules = {
  named: [['method', 'singleton_method']],
  unnamed: 'lambda',
  definitions: {
    class: scoped('class'),
    module: scoped('module'),
    method: (node, around) =>
      functionOrMethod(node, { ...around, scope: around.scope === 'module' ? 'class' : around.scope }),
    assignment: (node) => {
      const name = node.childForFieldName('left');
      return name?.type === 'constant' ? { name, kind: 'constant', isScope: true } : undefined;
    },
    call: accessors,
  },
};

/** `class Outer::Name`. */
function scoped(kind: 'class' | 'module'): Rule {
  return (node) => {
    const whole = node.childForFieldName('name');
    if (whole === null) return undefined;
    const container = whole.childForFieldName('scope')?.text.replaceAll('::', '.');
    return { name: whole.childForFieldName('name') ?? whole, kind, container };
  };
}

/** `attr_reader :name` makes a method. */
function accessors(node: Node): Found[] | undefined {
  const method = node.childForFieldName('method');
  if (method === null || !/^attr_(?:reader|writer|accessor)$/.test(method.text)) return undefined;
  const symbols = node.childForFieldName('arguments')?.namedChildren ?? [];
  return symbols
    .filter(({ type }) => type === 'simple_symbol')
    .map((name): Found => ({ name, kind: 'field' }));
}
