import type { GrammarName } from './grammars.ts';
import type { LanguageRules } from './rule.ts';
import { cRules } from './rules/c.ts';
import { csharpRules } from './rules/csharp.ts';
import { goRules } from './rules/go.ts';
import { javaRules } from './rules/java.ts';
import { phpRules } from './rules/php.ts';
import { pythonRules } from './rules/python.ts';
import { rubyRules } from './rules/ruby.ts';
import { rustRules } from './rules/rust.ts';
import { typescriptRules } from './rules/typescript.ts';

export const rulesOf: Record<GrammarName, LanguageRules> = {
  typescript: typescriptRules,
  tsx: typescriptRules,
  javascript: typescriptRules,
  python: pythonRules,
  go: goRules,
  rust: rustRules,
  java: javaRules,
  c: cRules,
  cpp: cRules,
  ruby: rubyRules,
  php: phpRules,
  csharp: csharpRules,
};
