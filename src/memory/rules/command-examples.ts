import { expand } from './code-spans.ts';
import { isProgram, literalCommand } from './command-phrases.ts';
import { commonWords, englishPrograms } from './named-commands.ts';
import type { CommandMatcher } from './rule-table.ts';

/**
 * Commands that a rule gives as examples, in parentheses or after "with": "never remove the volumes (down -v, volume
 * rm)". They say more exactly than the words around them what is meant.
 */
export function commandExamples(
  words: string,
  sentence: string,
  spans: Map<string, string>,
): CommandMatcher[] {
  const [, inside = ''] = /\(((?!\))[^()]{2,120})\)/.exec(words) ?? [];
  const [, means = ''] = /\b(?:with|via|using) ((?:[^,;()]|,(?! ))+)/i.exec(words) ?? [];
  const parts = inside.split(/\s*,\s*(?:or |and )?|\s+or\s+|\s+and\s+|\s+\/\s+/i);
  return [...parts, means].flatMap((part) => exampleOf(expand(part, spans), sentence));
}

function exampleOf(words: string, sentence: string): CommandMatcher[] {
  const tokens = words
    .replace(/^e\.?g\.?,? |\s*\betc\b.*$|(?<=\w)(?:\.{3}|…)$/gi, '')
    .trim()
    .split(/\s+/);
  const [first = ''] = tokens;
  if (tokens.length > 6 || !tokens.every((token) => /^[\w@./:*$=+-]+$/.test(token))) return [];
  const program = programIn(sentence);
  const action = /\b(commit|push|merge|rebase)(?:s|ting|ing)?\b/i.exec(sentence)?.[1]?.toLowerCase();
  if (/^--?[a-z]/i.test(first)) {
    if (action !== undefined) return literal(['git', action, ...tokens]);
    return program === undefined ? [] : literal([program, ...tokens]);
  }
  const isSubcommand = program !== undefined && /^[a-z][\w:-]*$/.test(first) && tokens.length <= 3;
  // One plain word is prose, two are a subcommand only of a program that has such ones.
  const isCommand = tokens.slice(1).some((token) => /^-\w|^--\w|[./:]/.test(token));
  if (isProgram(first) || /^[\w-]+\.(?:py|sh|php)$/.test(first))
    return tokens.length > 1 ? literal(tokens) : [];
  return isSubcommand && (isCommand || (tokens.length === 2 && program === 'docker'))
    ? literal([program, ...tokens])
    : [];
}

const programIn = (sentence: string): string | undefined =>
  sentence
    .toLowerCase()
    .split(/[^\w.-]+/)
    .find((word) => isProgram(word) && !englishPrograms.has(word) && !commonWords.has(word));

function literal(tokens: string[]): CommandMatcher[] {
  const matcher = literalCommand(tokens);
  if (matcher === undefined) return [];
  if (tokens[0] !== 'docker' || tokens[1] === 'compose') return [matcher];
  const compose = literalCommand(['docker', 'compose', ...tokens.slice(1)]);
  return [
    { ...matcher, programs: ['docker', 'docker-compose'] },
    ...(compose === undefined ? [] : [compose]),
  ];
}
