import type { CommandMatcher, Matcher } from './rule-table.ts';

const changes = {
  any: 'changes of',
  new: 'new files',
  existing: 'changes of existing files',
  delete: 'deleting',
  read: 'commands that read',
  commit: 'committing',
};

/** What a matcher matches, in words, for the person who enforces a rule. */
export function describeMatcher(matcher: Matcher): string {
  switch (matcher.on) {
    case 'command':
      return `command: ${commandText(matcher)}`;
    case 'path':
      return `${changes[matcher.change]}: ${matcher.globs.join(', ')}${scopeText(matcher)}`;
    case 'text':
      return `added text that matches ${matcher.pattern}${scopeText(matcher)}`;
    case 'package':
      return `package: ${matcher.name}${matcher.version === undefined ? '' : ` ${matcher.version}`}${scopeText(matcher)}`;
  }
}

const either = (words: string[]): string => words.join('|');

function commandText({ programs, words = [], flags = [], args = [], pattern }: CommandMatcher): string {
  const parts = [programs, ...words, ...flags, ...args].map(either);
  return `${parts.join(' ')} …${pattern === undefined ? '' : ` with text that matches ${pattern}`}`;
}

const scopeText = ({ inside, outside }: { inside?: string[]; outside?: string[] }): string =>
  `${inside === undefined ? '' : ` in ${inside.join(', ')}`}${outside === undefined ? '' : `, except in ${outside.join(', ')}`}`;
