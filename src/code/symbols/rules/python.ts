import type { Node } from 'web-tree-sitter';
import { type Found, functionOrMethod, type LanguageRules, named } from '../rule.ts';

export const pythonRules: LanguageRules = {
  named: [['class', 'class_definition']],
  unnamed: 'lambda',
  definitions: {
    function_definition: functionOrMethod,
    type_alias_statement: named('type', 'left'),
    assignment: (node, { isInFunction, scope }) => {
      if (isInFunction) return undefined;
      return namesIn(node.childForFieldName('left')).map(
        (name): Found => ({ name, kind: kindOf(name, scope === 'class') }),
      );
    },
  },
  wrappers: ['decorated_definition', 'expression_statement'],
};

function namesIn(left: Node | null): Node[] {
  if (left?.type === 'identifier') return [left];
  if (left?.type === 'pattern_list' || left?.type === 'tuple_pattern')
    return left.namedChildren.filter(({ type }) => type === 'identifier');
  return [];
}

function kindOf({ text }: Node, isInClass: boolean): Found['kind'] {
  if (isInClass) return 'field';
  return /^[A-Z_][A-Z0-9_]*$/.test(text) ? 'constant' : 'variable';
}
