import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import type { Clock } from '../../base/clock.ts';
import { createRuleTable, type RuleTable } from './extract.ts';
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

const rulesOf: Record<GrammarName, LanguageRules> = {
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

/** A tree takes about twenty times the memory of its text; larger files were not written by hand. */
export const maxParsedBytes = 4 * 1024 * 1024;

/**
 * Returns a function that parses a text with Tree-sitter and runs `work` on the syntax tree, which `work` must not keep.
 * It returns undefined if the deadline passes. Each grammar is loaded from `folder` with the first file of its language.
 */
export function createGrammarParser(folder: string, clock: Clock) {
  const read = (name: string): Uint8Array =>
    brotliDecompressSync(readFileSync(join(folder, `${name}.wasm.br`)));
  const load = async (grammar: GrammarName) => {
    const language = await Language.load(read(grammar));
    return { language, table: createRuleTable(language, rulesOf[grammar]) };
  };
  const loaded = new Map<GrammarName, ReturnType<typeof load>>();
  let started: Promise<void> | undefined;
  let parser: Parser | undefined;
  return async <T>(
    grammar: GrammarName,
    text: string,
    deadline: number,
    work: (tree: Tree, table: RuleTable) => T,
  ): Promise<T | undefined> => {
    started ??= Parser.init({ wasmBinary: read('tree-sitter') });
    await started;
    parser ??= new Parser();
    const loading = loaded.get(grammar) ?? load(grammar);
    loaded.set(grammar, loading);
    const { language, table } = await loading;
    parser.setLanguage(language);
    const tree = parser.parse(text, null, { progressCallback: () => clock.now() > deadline });
    if (tree === null) {
      // The deadline passed. Without a reset, the parser would treat the next text as the rest of this one.
      parser.reset();
      return undefined;
    }
    try {
      return work(tree, table);
    } finally {
      tree.delete();
    }
  };
}
